package dev.stowage.cli.advise;

import dev.stowage.study.advise.AdviceView;
import dev.stowage.study.advise.DeploymentRoom;
import dev.stowage.study.advise.ServerLoss;
import dev.stowage.study.advise.WaitingReasons;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Advice in sentences. */
final class AdviceSentences {
    private final AdviceWords words;

    AdviceSentences(AdviceWords words) {
        this.words = words;
    }

    List<String> lead(AdviceView view) {
        return List.of(
                counts(view),
                fewest(view),
                "This is one moment: how fast " + words.job()
                        + "s come and go is not in it, so it says nothing about what will be needed tomorrow.");
    }

    String counts(AdviceView view) {
        return words.servers(view.servers()) + ", " + view.serversInUse() + " in use; " + words.jobs(view.running())
                + " " + (view.running() == 1 ? "runs" : "run") + ", " + view.waitingJobs() + " wait.";
    }

    String fewest(AdviceView view) {
        AdviceView.Fewest fewest = view.fewest();
        String proof = String.format(
                Locale.ROOT, "no packing uses fewer than %d (proven: %.2f)", fewest.bound(), fewest.certificate());
        return "What runs fits on " + words.servers(fewest.planEnd()) + " by the plan below; " + proof + ". "
                + (fewest.proven() ? "The plan's end is optimal." : "The gap is " + fewest.gap() + ".")
                + (fewest.packing() < fewest.planEnd()
                        ? " A packing on " + fewest.packing() + " was found by " + fewest.packingBy()
                                + ", but no moves that lead there."
                        : "");
    }

    String plan(AdviceView view) {
        AdviceView.Moves plan = view.plan();
        if (plan.freed().isEmpty()) {
            return "No " + words.server() + " can be emptied by moves that were tried.";
        }
        int chains = plan.freed().size() - plan.bySet();
        return AdviceWords.counted(plan.steps().size(), "move") + " in " + AdviceWords.counted(plan.rounds(), "round")
                + " empty " + words.servers(plan.freed().size())
                + ", one after the other, the cheapest first: stop after any step, and no more are in use than now. Moves"
                + " of a round may be made at the same time; the next round begins when they run again. Found "
                + (plan.bySet() > 0 ? plan.bySet() + " as a set (" + plan.how() + ")" : "")
                + (plan.bySet() > 0 && chains > 0 ? ", " : "")
                + (chains > 0 ? chains + " by chains of moves" : "") + ".";
    }

    String held(AdviceView view) {
        List<String> parts = new ArrayList<>();
        view.held().forEach(one -> parts.add(one.jobs() + ": " + one.reason()));
        return "Not moved: " + String.join("; ", parts) + ".";
    }

    String reasons(WaitingReasons waiting, int servers) {
        List<String> parts = new ArrayList<>();
        for (WaitingReasons.Reason reason : waiting.reasons()) {
            parts.add((parts.isEmpty() ? reason.servers() + " of " + words.servers(servers) : reason.servers()) + ": "
                    + reason.text()
                    + (reason.resource().isEmpty()
                            ? ""
                            : " (nearest: " + words.amount().apply(reason.resource(), reason.shortBy()) + " short on "
                                    + reason.nearest() + ")"));
        }
        if (waiting.taking() > 0) {
            parts.add(waiting.taking() + " could take it now");
        }
        return String.join(", ", parts);
    }

    String cannotBeLost(AdviceView view) {
        return words.servers(view.lossOfServers().size()) + " cannot be lost without " + words.job()
                + "s that find no place:";
    }

    String loss(ServerLoss loss) {
        if (loss.without() == 0) {
            return loss.what() + ": can be lost, all " + words.jobs(loss.jobs()) + " fit on the others";
        }
        String head = loss.what() + ": " + loss.without() + " of " + words.jobs(loss.jobs());
        String amounts = " (" + String.join(", ", amounts(loss)) + ")";
        if (loss.fixed() == loss.without()) {
            return head + " may not run elsewhere as far as is known" + amounts;
        }
        return head + " find no place" + amounts
                + (loss.fixed() > 0 ? ", of which " + loss.fixed() + " may not run elsewhere as far as is known" : "")
                + (loss.proven() ? "" : "; moving others could make room");
    }

    private List<String> amounts(ServerLoss loss) {
        List<String> amounts = new ArrayList<>();
        loss.shortOf().forEach((resource, amount) -> {
            if (!resource.equals("pods")) {
                amounts.add(resource + " " + words.amount().apply(resource, amount));
            }
        });
        return amounts;
    }

    String room(DeploymentRoom room) {
        String head = "Of " + words.jobs(room.jobs()) + " " + room.fitNow() + " fit now, on "
                + words.servers(room.servers()) + " with room";
        String after = room.fitAfter() != room.fitNow()
                ? "; " + room.fitAfter() + " when the plan is carried out and nothing is removed"
                : "";
        String more = room.fitNow() == room.jobs()
                ? "."
                : room.moreServers() < 0
                        ? "; none fits even on a new " + words.server()
                                + " of any kind that takes them, beside what runs on each."
                        : "; the others need " + AdviceWords.counted(room.moreServers(), "more " + words.server())
                                + " of the kind of " + room.kind()
                                + ", which holds most of them beside what runs on each.";
        return head + after + more;
    }
}
