package dev.stowage.cli.advise;

import dev.stowage.cli.answer.AnswerParts;
import dev.stowage.cli.text.Columns;
import dev.stowage.cli.text.Console;
import dev.stowage.report.AnswerPage;
import dev.stowage.study.advise.AdviceView;
import dev.stowage.study.advise.DeploymentRoom;
import dev.stowage.study.advise.PolicyNeed;
import java.util.List;

/** Advice as an answer: sentences and tables. */
final class AdviceText {
    private static final int SHOWN = 10;

    private final AdviceWords words;
    private final AdviceView view;
    private final AdviceSentences say;
    private final Console console;
    private final AnswerParts answer;

    AdviceText(Console console, AdviceWords words, AdviceView view) {
        this.console = console;
        this.words = words;
        this.view = view;
        say = new AdviceSentences(words);
        answer = new AnswerParts(console);
    }

    /**
     * All of it.
     *
     * @param steps moves that the console shows
     * @param spare servers that may fail
     * @param picture the servers, for the page
     */
    AnswerParts whole(int steps, int spare, AnswerPage.Part picture) {
        say.lead(view, spare).forEach(answer::first);
        answer.gap();
        Columns policies = new Columns("method", words.server() + "s", words.job() + "s without a place");
        for (PolicyNeed need : view.policies()) {
            policies.row(need.policy(), Integer.toString(need.servers()), Integer.toString(need.without()));
        }
        policies.row(
                "the plan below" + (spare > 0 ? ", with the spare room" : ""),
                Integer.toString(view.fewest().planEnd()),
                "0");
        policies.row("at least, by any method", Integer.toString(view.fewest().bound()), "0");
        answer.table(policies);
        waiting();
        off();
        answer.onPage(picture);
        moves(steps, spare);
        losses();
        DeploymentRoom room = view.room();
        if (room != null) {
            answer.heading("One more deployment");
            say.room(room, view).forEach(answer::say);
        }
        notes();
        return answer;
    }

    /** The plan alone. */
    AnswerParts plan(int steps) {
        answer.first(say.counts(view));
        answer.first(say.fewest(view, 0));
        waiting();
        moves(steps, 0);
        notes();
        return answer;
    }

    private void notes() {
        if (!view.notes().isEmpty()) {
            answer.heading("Notes");
            answer.points(view.notes(), Integer.MAX_VALUE);
        }
    }

    private void moves(int steps, int spare) {
        answer.heading("Plan");
        answer.say(say.plan(view) + (spare == 0 ? "" : " " + say.spare(spare)));
        if (!view.plan().steps().isEmpty()) {
            Columns table = new Columns("step", words.job(), "from", "to", "round", "now empty");
            for (AdviceView.Move move : view.plan().steps()) {
                table.row(
                        Integer.toString(move.step()),
                        move.job(),
                        move.from(),
                        move.to(),
                        Integer.toString(move.round()),
                        move.saves() == 0 ? "" : move.empties());
            }
            answer.table(table, steps);
        }
        if (!view.held().isEmpty()) {
            answer.say("Not moved:");
            answer.points(view.held().stream().map(say::held).toList(), Integer.MAX_VALUE);
        }
    }

    /** Before what can be switched off, so that nobody does so without having read it. */
    private void waiting() {
        if (!view.waiting().isEmpty()) {
            answer.heading("Waiting");
            answer.points(
                    view.waiting().stream().map(one -> say.waiting(one, view)).toList(), Integer.MAX_VALUE);
        }
    }

    private void off() {
        String none = view.off().isEmpty() ? say.noneOff(view) : "";
        if (view.off().isEmpty() && none.isEmpty()) {
            return;
        }
        answer.heading("To switch off");
        if (!none.isEmpty()) {
            answer.say(none);
        }
        names(false, "empty after the plan: ");
        names(true, "empty already: ");
    }

    private void names(boolean already, String what) {
        List<String> names = view.off().stream()
                .filter(one -> one.emptyAlready() == already)
                .map(AdviceView.Off::server)
                .toList();
        if (!names.isEmpty()) {
            answer.say(words.servers(names.size()) + " " + what.strip());
            answer.onConsole(console.wrapped("  ", String.join(" ", names)));
            answer.onPage(new AnswerPage.ToCopy(names));
        }
    }

    private void losses() {
        answer.heading("Loss of a " + words.server() + " now");
        answer.say(say.cannotBeLost(view.lossOfServers()));
        answer.points(view.lossOfServers().stream().map(say::loss).toList(), SHOWN);
        if (!view.lossOfZones().isEmpty()) {
            answer.heading("Loss of a zone now");
            answer.points(view.lossOfZones().stream().map(say::loss).toList(), Integer.MAX_VALUE);
        }
        if (!view.off().isEmpty() || !view.plan().steps().isEmpty()) {
            answer.heading("Loss of a " + words.server() + " after the plan"
                    + (view.off().isEmpty() ? "" : ", with the emptied ones switched off"));
            answer.say(say.full(view.fullAfter()) + say.cannotBeLost(view.lossAfter()));
            answer.points(view.lossAfter().stream().map(say::loss).toList(), SHOWN);
        }
    }
}
