package dev.stowage.cli.advise;

import dev.stowage.study.advise.AdviceView;
import dev.stowage.study.advise.DeploymentRoom;
import dev.stowage.study.advise.ServerLoss;
import dev.stowage.study.advise.WaitingReasons;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Advice in sentences. */
record AdviceSentences(AdviceWords words) {
    List<String> lead(AdviceView view) {
        return List.of(
                counts(view),
                fewest(view),
                "This is a snapshot: it does not show how fast " + words.job()
                        + "s come and go, so it does not say what you will need tomorrow.");
    }

    String counts(AdviceView view) {
        return words.servers(view.servers()) + ", " + view.serversInUse() + " in use; " + words.jobs(view.running())
                + " " + (view.running() == 1 ? "runs" : "run") + ", " + view.waitingJobs() + " wait.";
    }

    String fewest(AdviceView view) {
        AdviceView.Fewest fewest = view.fewest();
        String proof = String.format(Locale.ROOT, "no packing uses fewer than %d, ", fewest.bound())
                + (fewest.staying() == fewest.bound()
                        ? "because " + words.servers(fewest.staying())
                                + (fewest.staying() == 1 ? " has " : " have ") + words.job()
                                + "s that may not be moved (Not moved, below)"
                        : String.format(
                                Locale.ROOT, "which is proven: linear programming gives %.2f", fewest.certificate()));
        return "What runs fits on " + words.servers(fewest.planEnd()) + " by the plan below; " + proof + ". "
                + (fewest.proven()
                        ? "The state after the plan is optimal."
                        : "The gap to this bound is " + fewest.gap() + ".")
                + (fewest.packing() < fewest.planEnd()
                        ? " A packing on " + fewest.packing() + " was found by " + fewest.packingBy()
                                + ", but no sequence of moves to it is known."
                        : "");
    }

    String plan(AdviceView view) {
        AdviceView.Moves plan = view.plan();
        if (plan.freed().isEmpty()) {
            return "None of the moves that were tried empties a " + words.server() + ".";
        }
        long detours = plan.steps().stream()
                .filter(move -> !move.from().equals(move.empties()))
                .map(AdviceView.Move::empties)
                .distinct()
                .count();
        return AdviceWords.counted(plan.steps().size(), "move") + " in " + AdviceWords.counted(plan.rounds(), "round")
                + (plan.steps().size() == 1 ? " empties " : " empty ")
                + words.servers(plan.freed().size())
                + ", one after the other, fewest moves first. You can stop after any move: no more are in use then than"
                + " now. The moves of a round can run in parallel; start the next round when the moved "
                + words.job() + "s run again."
                + (detours > 0 ? " For " + detours + " of them, " + words.job() + "s elsewhere make room first." : "");
    }

    String held(AdviceView.Held held) {
        int more = held.jobs() - held.names().size();
        return words.jobs(held.jobs()) + (held.jobs() > 1 ? ", each: " : ": ") + held.reason() + " ("
                + String.join(", ", held.names()) + (more == 0 ? "" : " and " + more + " more") + ")";
    }

    String reasons(WaitingReasons waiting, int servers) {
        List<String> parts = new ArrayList<>();
        boolean tooLarge = waiting.taking() == 0
                && waiting.reasons().stream().anyMatch(WaitingReasons.Reason::tooSmall)
                && waiting.reasons().stream()
                        .allMatch(
                                reason -> reason.tooSmall() || reason.resource().isEmpty());
        for (WaitingReasons.Reason reason : waiting.reasons()) {
            parts.add((parts.isEmpty() ? reason.servers() + " of " + words.servers(servers) : reason.servers()) + ": "
                    + (tooLarge ? reason.text().replace(" even when empty", "") : reason.text())
                    + (reason.resource().isEmpty()
                            ? ""
                            : " (nearest: " + words.amount().apply(reason.resource(), reason.shortBy()) + " short on "
                                    + reason.nearest() + ")"));
        }
        if (waiting.taking() > 0) {
            parts.add(words.servers(waiting.taking()) + (waiting.taking() == 1 ? " has" : " have") + " room for it now"
                    + (waiting.group() == null ? ": it has only not been placed yet" : ""));
        }
        return (tooLarge ? "no " + words.server() + " that may take it is large enough, even empty: " : "")
                + String.join(", ", parts)
                + (waiting.group() == null ? "" : group(waiting.group()));
    }

    private String group(WaitingReasons.Group group) {
        String waits = "; its group " + group.name() + " waits as one: ";
        if (group.together() == 0) {
            return waits + "how many " + words.job()
                    + "s of it must be placed together is not known here; room was found" + " for " + group.fit()
                    + " of the " + group.waiting() + " that wait";
        }
        return group.waiting() < group.together()
                ? waits + group.together() + " " + words.job() + "s must be placed together, and there are only "
                        + group.waiting()
                : waits + "room was found for " + group.fit() + " of the " + group.together() + " " + words.job()
                        + "s that must be placed together";
    }

    String spare(int spare) {
        return "It stops early enough to keep spare room (--spare " + spare + "): if any " + words.server() + " fails"
                + (spare == 1 ? "" : ", or the " + spare + " fullest at the same time") + ", each " + words.job()
                + " that has another place now still has one.";
    }

    String cannotBeLost(List<ServerLoss> losses) {
        return losses.isEmpty()
                ? "Each single " + words.server() + " can be lost: its " + words.job() + "s fit on the others."
                : "If " + (losses.size() == 1 ? "this one " : "any one of these " + losses.size() + " ")
                        + words.server() + (losses.size() == 1 ? "" : "s")
                        + " is lost, some of what runs there has no place to run:";
    }

    String loss(ServerLoss loss) {
        if (loss.without() == 0) {
            return loss.what() + ": can be lost, all " + words.jobs(loss.jobs()) + " fit on the others";
        }
        String head = loss.what() + ": " + loss.without() + " of " + words.jobs(loss.jobs());
        String amounts = amounts(loss).isEmpty() ? "" : " (" + String.join(", ", amounts(loss)) + ")";
        if (loss.fixed() == loss.without()) {
            return head + " cannot run elsewhere, as far as is known" + amounts + ": "
                    + String.join("; ", loss.fixedReasons());
        }
        return head + (loss.without() == 1 ? " has" : " have") + " no place to run" + amounts
                + (loss.fixed() > 0
                        ? "; as far as is known, " + loss.fixed() + " of them cannot run elsewhere: "
                                + String.join("; ", loss.fixedReasons())
                        : "")
                + (loss.proven() ? "" : "; moving others could make room");
    }

    private List<String> amounts(ServerLoss loss) {
        List<String> amounts = new ArrayList<>();
        loss.shortOf().forEach((resource, amount) -> {
            if (!resource.equals("pods")) {
                amounts.add(words.of(resource, amount));
            }
        });
        return amounts;
    }

    String room(DeploymentRoom room) {
        String head = "Of " + words.jobs(room.jobs()) + " " + room.fitNow() + " fit now, on "
                + words.servers(room.servers()) + " with room";
        String after = room.fitAfter() != room.fitNow()
                ? "; " + room.fitAfter() + " after the plan, if nothing is removed"
                : "";
        String more = room.fitNow() == room.jobs()
                ? "."
                : room.moreServers() < 0
                        ? "; none fits even on a new " + words.server()
                                + " of any kind that accepts them, besides what runs on every " + words.server() + "."
                        : "; the others need " + AdviceWords.counted(room.moreServers(), "more " + words.server())
                                + " of the kind of " + room.kind()
                                + ", which holds most of them besides what runs on every " + words.server() + ".";
        return head + after + more;
    }
}
