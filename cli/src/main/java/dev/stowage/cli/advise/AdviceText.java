package dev.stowage.cli.advise;

import dev.stowage.cli.text.Columns;
import dev.stowage.cli.text.Console;
import dev.stowage.study.advise.AdviceView;
import dev.stowage.study.advise.DeploymentRoom;
import dev.stowage.study.advise.PolicyNeed;
import dev.stowage.study.advise.ServerLoss;
import dev.stowage.study.advise.WaitingReasons;
import java.util.ArrayList;
import java.util.List;

/** Advice as sentences and tables. */
final class AdviceText {
    private static final int SHOWN = 10;

    private final Console console;
    private final AdviceWords words;

    AdviceText(Console console, AdviceWords words) {
        this.console = console;
        this.words = words;
    }

    String text(AdviceView view, int steps) {
        AdviceSentences say = new AdviceSentences(words);
        StringBuilder out = new StringBuilder();
        say.lead(view).forEach(sentence -> out.append(console.wrapped("", sentence)));
        out.append('\n');
        Columns policies = new Columns("would use", words.server() + "s", "without a place");
        for (PolicyNeed need : view.policies()) {
            policies.row(need.policy(), Integer.toString(need.servers()), Integer.toString(need.without()));
        }
        policies.row("plan", Integer.toString(view.fewest().planEnd()), "0");
        policies.row("proven least", Integer.toString(view.fewest().bound()), "0");
        out.append(policies.text(console.style()));
        plan(out, view, steps, say);
        waiting(out, view, say);
        losses(out, view, say);
        DeploymentRoom room = view.room();
        if (room != null) {
            heading(out, "One more deployment");
            out.append(console.wrapped("", say.room(room)));
        }
        if (!view.notes().isEmpty()) {
            heading(out, "Notes");
            view.notes().forEach(note -> out.append(console.wrapped("- ", note)));
        }
        return out.toString();
    }

    /** The plan alone. */
    String plan(AdviceView view, int steps) {
        AdviceSentences say = new AdviceSentences(words);
        StringBuilder out = new StringBuilder();
        out.append(console.wrapped("", say.counts(view)));
        out.append(console.wrapped("", say.fewest(view)));
        plan(out, view, steps, say);
        if (!view.notes().isEmpty()) {
            heading(out, "Notes");
            view.notes().forEach(note -> out.append(console.wrapped("- ", note)));
        }
        return out.toString();
    }

    private static void heading(StringBuilder out, String title) {
        out.append('\n').append(title).append('\n');
    }

    private void plan(StringBuilder out, AdviceView view, int steps, AdviceSentences say) {
        heading(out, "Plan");
        out.append(console.wrapped("", say.plan(view)));
        List<AdviceView.Move> shown = view.plan()
                .steps()
                .subList(0, Math.min(steps, view.plan().steps().size()));
        if (!shown.isEmpty()) {
            Columns table = new Columns("step", "round", words.job(), "from", "to", "saves");
            for (AdviceView.Move move : shown) {
                table.row(
                        Integer.toString(move.step()),
                        Integer.toString(move.round()),
                        move.job(),
                        move.from(),
                        move.to(),
                        move.saves() == 0 ? "" : move.empties() + " is empty");
            }
            out.append(table.text(console.style()));
            int rest = view.plan().steps().size() - shown.size();
            out.append(rest == 0 ? "" : "... and " + rest + " more (--steps, --format json)\n");
        }
        if (!view.held().isEmpty()) {
            out.append(console.wrapped("", say.held(view)));
        }
    }

    private void waiting(StringBuilder out, AdviceView view, AdviceSentences say) {
        if (view.waiting().isEmpty()) {
            return;
        }
        heading(out, "Waiting");
        for (WaitingReasons one : view.waiting()) {
            out.append(console.wrapped(
                    "- ",
                    one.job() + (one.alike() > 1 ? " and " + (one.alike() - 1) + " alike" : "") + ": "
                            + say.reasons(one, view.servers())));
        }
    }

    private void losses(StringBuilder out, AdviceView view, AdviceSentences say) {
        heading(out, "Loss of a " + words.server());
        List<ServerLoss> all = new ArrayList<>(view.lossOfZones());
        if (view.lossOfServers().isEmpty()) {
            out.append(console.wrapped(
                    "", "Each single " + words.server() + " can be lost: its " + words.job() + "s fit on the others."));
        } else {
            out.append(console.wrapped("", say.cannotBeLost(view)));
            all.addAll(
                    0,
                    view.lossOfServers()
                            .subList(0, Math.min(SHOWN, view.lossOfServers().size())));
        }
        for (ServerLoss loss : all) {
            out.append(console.wrapped("- ", say.loss(loss)));
        }
    }
}
