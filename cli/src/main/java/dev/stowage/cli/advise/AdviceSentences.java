package dev.stowage.cli.advise;

import dev.stowage.core.model.ResourceWords;
import dev.stowage.study.advise.AdviceView;
import dev.stowage.study.advise.DeploymentRoom;
import dev.stowage.study.advise.ServerLoss;
import dev.stowage.study.advise.WaitingReasons;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Advice in sentences. */
record AdviceSentences(AdviceWords words) {
    private static final int NAMED = 3;
    private static final Map<String, String> PLURALS = Map.of(
            "is", "are", "has", "have", "holds", "hold", "lacks", "lack", "does", "do", "gives", "give", "shares",
            "share");

    List<String> lead(AdviceView view, int spare) {
        return List.of(
                counts(view),
                fewest(view, spare),
                "This is a snapshot: it does not show how fast " + words.job()
                        + "s come and go, so it does not say what you will need tomorrow.");
    }

    String counts(AdviceView view) {
        return words.servers(view.servers()) + ", " + view.serversInUse() + " in use; " + words.jobs(view.running())
                + " " + (view.running() == 1 ? "runs" : "run") + ", " + view.waitingJobs()
                + (view.waitingJobs() == 1 ? " waits." : " wait.");
    }

    /** With spare room, a plan may use more than is proven to be needed, and more than a packing without it. */
    String fewest(AdviceView view, int spare) {
        AdviceView.Fewest fewest = view.fewest();
        String why = fewest.staying() == fewest.bound()
                ? words.servers(fewest.staying()) + (fewest.staying() == 1 ? " has " : " have ") + words.job()
                        + "s that may not be moved (Not moved, below)"
                : String.format(
                        Locale.ROOT,
                        "linear programming proves that at least %.2f are needed, so %d",
                        fewest.certificate(),
                        fewest.bound());
        String none = fewest.proven()
                ? "No plan uses fewer: "
                : spare > 0
                        ? "Even without the spare room, no plan uses fewer than " + fewest.bound() + ": "
                        : "No plan uses fewer than " + fewest.bound()
                                + (fewest.needed() > 0
                                        ? ": "
                                        : ", so a better one would save at most " + fewest.gap() + " more: ");
        int emptied = fewest.planEnd() - fewest.needed();
        return "By the plan below, what runs fits on " + words.servers(fewest.planEnd()) + "."
                + (fewest.planEnd() == 0 ? "" : " " + none + why + ".")
                + (fewest.needed() > 0
                        ? " With more moves it fits on " + emptied + ", but the " + words.server()
                                + (fewest.needed() == 1 ? " that these empty is" : "s that these empty are")
                                + " needed for what waits."
                        : "")
                + (fewest.packing() < emptied
                        ? " " + fewest.packingBy() + " would use " + fewest.packing()
                                + (spare > 0
                                        ? " without spare room; no plan to so few was found that keeps it free."
                                        : ", but no sequence of moves that leads there was found.")
                        : "")
                + (fewest.onForWaiting() > 0
                        ? " With " + kept(view) + " kept for what waits, "
                                + (view.servers() - view.off().size()) + " of " + words.servers(view.servers())
                                + " stay on."
                        : "");
    }

    private String kept(AdviceView view) {
        int count = view.fewest().onForWaiting();
        List<String> names = List.copyOf(on(view).keySet());
        return names.size() == count && count <= NAMED ? String.join(", ", names) : count + " more";
    }

    String plan(AdviceView view) {
        AdviceView.Moves plan = view.plan();
        if (plan.freed().isEmpty()) {
            return view.fewest().needed() > 0
                    ? "No moves: the " + words.server() + (view.fewest().needed() == 1 ? "" : "s")
                            + " that they would empty " + (view.fewest().needed() == 1 ? "is" : "are")
                            + " needed for what waits."
                    : "None of the moves that were tried empties a " + words.server() + ".";
        }
        long detours = plan.steps().stream()
                .filter(move -> !move.from().equals(move.empties()))
                .map(AdviceView.Move::empties)
                .distinct()
                .count();
        boolean several = plan.freed().size() > 1;
        Set<String> on = on(view).keySet();
        int taken = (int)
                plan.freed().stream().filter(one -> on.contains(one.server())).count();
        return AdviceWords.counted(plan.steps().size(), "move")
                + (plan.steps().size() == 1 ? " empties " : " empty ")
                + (taken == 1 && !several
                        ? plan.freed().get(0).server() + ", so that "
                                + String.join(
                                        ", ",
                                        on(view).getOrDefault(
                                                        plan.freed().get(0).server(), List.of())) + " can run there"
                                + (view.off().isEmpty() ? "; no other " + words.server() + " can be switched off" : "")
                        : words.servers(plan.freed().size()))
                + (several ? ", one after the other, those with the fewest moves first" : "")
                + (taken == 0 || !several
                        ? ""
                        : "; " + taken + " of them" + (taken == 1 ? " takes" : " take") + " what waits and "
                                + (taken == 1 ? "stays" : "stay") + " on")
                + "."
                + (detours > 0
                        ? " For " + (several ? detours + " of these " + words.server() + "s, " : "this, ") + words.job()
                                + "s on other " + words.server() + "s are moved first, to make room."
                        : "")
                + (plan.steps().size() == 1
                        ? ""
                        : " You may stop after any move: at no time are more " + words.server()
                                + "s in use than now. Moves of the same round can be made at the same time"
                                + (plan.rounds() == 1
                                        ? "."
                                        : "; begin a round when all " + words.job()
                                                + "s of the round before run again."));
    }

    String held(AdviceView.Held held) {
        int more = held.jobs() - held.names().size();
        return words.jobs(held.jobs()) + (held.jobs() > 1 ? ", each: " : ": ") + held.reason() + " ("
                + String.join(", ", held.names()) + (more == 0 ? "" : " and " + more + " more") + ")";
    }

    String waiting(WaitingReasons waiting, AdviceView view) {
        boolean planned = !view.plan().steps().isEmpty() || !view.off().isEmpty();
        return waiting.job() + (waiting.alike() > 1 ? " and " + (waiting.alike() - 1) + " alike" : "") + ": "
                + (waiting.unchecked().isEmpty() ? "" : "asks for " + waiting.unchecked() + "; by all else ")
                + reasons(waiting.reasons(), waiting.taking(), view.servers(), "now")
                + (waiting.taking() > 0
                                && waiting.group() == null
                                && waiting.unchecked().isEmpty()
                        ? ", but it has not been placed yet"
                        : "")
                + (waiting.group() == null ? "" : group(waiting.group()))
                + (planned ? after(waiting, view) : "");
    }

    /** The servers that hold nothing then but what waits, with that. */
    private static Map<String, List<String>> on(AdviceView view) {
        Map<String, List<String>> on = new LinkedHashMap<>();
        for (WaitingReasons waiting : view.waiting()) {
            for (WaitingReasons.Place place : waiting.after().places()) {
                if (place.onForThem()) {
                    on.computeIfAbsent(place.server(), first -> new ArrayList<>())
                            .add(waiting.job() + (place.jobs() > 1 ? " and " + (place.jobs() - 1) + " alike" : ""));
                }
            }
        }
        return on;
    }

    /** Why nothing can be switched off though something is empty after the plan; empty if nothing is. */
    String noneOff(AdviceView view) {
        List<String> all = new ArrayList<>();
        on(view).forEach((server, jobs) -> {
            List<String> some = jobs.subList(0, Math.min(NAMED, jobs.size()));
            all.add(server + " stays on for " + String.join(", ", some)
                    + (jobs.size() > NAMED ? " and " + (jobs.size() - NAMED) + " more" : ""));
        });
        return all.isEmpty()
                ? ""
                : "None: " + String.join("; ", all.subList(0, Math.min(NAMED, all.size())))
                        + (all.size() > NAMED
                                ? "; " + AdviceWords.counted(all.size() - NAMED, "more " + words.server())
                                        + (all.size() - NAMED == 1 ? " stays" : " stay") + " on for what waits"
                                : "")
                        + ".";
    }

    private String reasons(List<WaitingReasons.Reason> reasons, int taking, int servers, String when) {
        List<String> parts = new ArrayList<>();
        boolean tooLarge = taking == 0
                && reasons.stream().anyMatch(WaitingReasons.Reason::tooSmall)
                && reasons.stream()
                        .allMatch(
                                reason -> reason.tooSmall() || reason.resource().isEmpty());
        for (WaitingReasons.Reason reason : reasons) {
            String text = tooLarge ? reason.text().replace(" even when empty", "") : reason.text();
            parts.add((parts.isEmpty() ? reason.servers() + " of " + words.servers(servers) : reason.servers()) + " "
                    + (reason.servers() == 1 ? text : plural(text))
                    + (reason.resource().isEmpty()
                            ? ""
                            : " (nearest: " + words.amount().apply(reason.resource(), reason.shortBy()) + " short on "
                                    + reason.nearest() + ")"));
        }
        if (taking > 0) {
            parts.add(words.servers(taking) + (taking == 1 ? " has" : " have") + " room for it " + when);
        }
        return (tooLarge ? "no " + words.server() + " that may take it is large enough, even empty: " : "")
                + String.join(", ", parts);
    }

    /** Words that follow one server, as they follow several. */
    private static String plural(String text) {
        String verb = text.replaceFirst("\\W.*", "");
        return PLURALS.getOrDefault(verb, verb)
                + text.substring(verb.length())
                        .replaceFirst("^ its ", " their ")
                        .replaceFirst("^, or is near,", ", or are near,")
                        .replaceFirst("^, or its (\\S+) does,", ", or their $1 does,");
    }

    /** The reasons without what is short and where. */
    private static List<String> causes(List<WaitingReasons.Reason> reasons) {
        return reasons.stream().map(reason -> reason.servers() + reason.text()).toList();
    }

    private String after(WaitingReasons waiting, AdviceView view) {
        WaitingReasons.After after = waiting.after();
        int placed =
                after.places().stream().mapToInt(WaitingReasons.Place::jobs).sum();
        boolean one = waiting.alike() == 1;
        String where = after.places().stream()
                .map(place -> (placed == 1 ? "" : place.jobs() + " ") + "on " + place.server()
                        + (place.onForThem() ? " (stays on for " + (place.jobs() == 1 ? "it)" : "them)") : "")
                        + (view.off().stream().anyMatch(off -> off.server().equals(place.server()))
                                ? " (and needs no place once this " + words.server() + " is off)"
                                : ""))
                .collect(Collectors.joining(", "));
        String has = placed == 0
                ? ""
                : "; after the plan " + (one ? "it has" : placed + (placed == 1 ? " has" : " have"))
                        + (placed == 1 ? " room " : " room: ") + where;
        int left = waiting.alike() - placed;
        String waits = left == 0
                ? ""
                : (placed == 0 ? "; after the plan, too, " : "; ")
                        + (one ? "it waits" : left + (left == 1 ? " waits" : " wait"))
                        + (placed == 0 ? "" : " then");
        return has
                + waits
                + (left == 0
                                || after.reasons().isEmpty()
                                || causes(after.reasons()).equals(causes(waiting.reasons()))
                        ? ""
                        : ", with all " + words.server() + "s on: "
                                + reasons(
                                        after.reasons(),
                                        view.servers()
                                                - after.reasons().stream()
                                                        .mapToInt(WaitingReasons.Reason::servers)
                                                        .sum(),
                                        view.servers(),
                                        "then")
                                + (waiting.group() == null ? "" : "; room for " + after.fit() + " of the group"));
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
        return "It keeps spare room (--spare " + spare + "): if any one " + words.server() + " fails after it"
                + (spare == 1 ? "" : ", or the " + spare + " fullest at once") + ", every " + words.job()
                + " that could run elsewhere now still can.";
    }

    /** Which servers have nothing left of what, with a space after it; empty if none. */
    String full(List<AdviceView.Full> full) {
        if (full.isEmpty()) {
            return "";
        }
        String some = full.stream()
                .limit(NAMED)
                .map(one -> one.server()
                        + one.resources().stream()
                                .map(ResourceWords::resource)
                                .collect(Collectors.joining(", ", " (", ")")))
                .collect(Collectors.joining(", "));
        return words.servers(full.size()) + (full.size() == 1 ? " is" : " are") + " full then: " + some
                + (full.size() > NAMED ? " and " + (full.size() - NAMED) + " more" : "") + ". ";
    }

    String cannotBeLost(List<ServerLoss> losses) {
        return losses.isEmpty()
                ? "Any single " + words.server() + " can be lost: its " + words.job() + "s fit on the others."
                : "The loss of " + (losses.size() == 1 ? "the " : "any one of the " + losses.size() + " ")
                        + words.server() + (losses.size() == 1 ? "" : "s") + " below would leave some of its "
                        + words.job()
                        + "s without a place:";
    }

    String loss(ServerLoss loss) {
        if (loss.jobs() == 0) {
            return loss.what() + ": no " + words.job() + "s that would need another place";
        }
        if (loss.without() == 0) {
            return loss.what() + ": can be lost, all " + words.jobs(loss.jobs()) + " fit on the others";
        }
        String head = loss.what() + ": " + loss.without() + " of " + words.jobs(loss.jobs());
        int more = loss.without() - loss.names().size();
        String amounts = " (" + String.join(", ", loss.names()) + (more == 0 ? "" : " and " + more + " more")
                + (amounts(loss).isEmpty() ? "" : ": " + String.join(", ", amounts(loss))) + ")";
        if (loss.fixed() == loss.without()) {
            return head + amounts + " cannot run elsewhere, as far as is known: "
                    + String.join("; ", loss.fixedReasons());
        }
        return head + amounts + (loss.without() == 1 ? " has" : " have") + " no place to run"
                + (loss.fixed() > 0
                        ? "; as far as is known, " + loss.fixed() + " of them cannot run elsewhere: "
                                + String.join("; ", loss.fixedReasons())
                        : "")
                + (loss.proven() ? "" : "; whether moving other " + words.job() + "s would make room is not known");
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

    List<String> room(DeploymentRoom room, AdviceView view) {
        List<String> all = new ArrayList<>();
        all.add("Of " + words.jobs(room.jobs()) + ", " + room.fitNow() + (room.fitNow() == 1 ? " fits" : " fit")
                + " now" + (room.servers() == 0 ? "" : ", on " + words.servers(room.servers()) + " with room")
                + (room.fitNow() == room.jobs()
                        ? "."
                        : room.moreServers() < 0
                                ? ". None would fit on a new " + words.server()
                                        + " of any kind that accepts them, beside" + " what runs on every "
                                        + words.server() + "."
                                : (room.jobs() - room.fitNow() == 1 ? "; the other one needs " : "; the others need ")
                                        + AdviceWords.counted(room.moreServers(), "more " + words.server())
                                        + " like " + room.kind() + ", the kind that holds most of them beside what runs"
                                        + " on every " + words.server() + "."));
        all.add("After the plan, " + room.fitAfter() + (room.fitAfter() == 1 ? " fits" : " fit")
                + (view.off().isEmpty()
                        ? "."
                        : " if all " + words.server() + "s stay on, and " + room.fitOff() + " if "
                                + (view.off().size() == 1 ? "the one" : "those") + " to switch off "
                                + (view.off().size() == 1 ? "is" : "are") + " off."));
        if (!room.barred().isEmpty()) {
            all.add("Not counted, as such a " + words.job() + " may not run there: "
                    + room.barred().entrySet().stream()
                            .map(each -> words.servers(each.getValue()) + " "
                                    + (each.getValue() == 1 ? each.getKey() : plural(each.getKey())))
                            .collect(Collectors.joining(", "))
                    + ".");
        }
        if (!room.unchecked().isEmpty()) {
            all.add("They also ask for " + room.unchecked() + "; if that is short, fewer fit.");
        }
        if (view.waitingJobs() > 0) {
            all.add("What waits is not counted here: it may take some of this room.");
        }
        return all;
    }
}
