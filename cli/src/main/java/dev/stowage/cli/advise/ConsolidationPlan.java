package dev.stowage.cli.advise;

import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.Data;
import dev.stowage.study.advise.AdviceView;
import dev.stowage.study.advise.ClusterAdvice;
import dev.stowage.study.advise.ClusterState;
import java.util.List;

/** Shows a plan that is not carried out. */
public final class ConsolidationPlan {
    private final Console console;
    private final AdviceWords words;
    private final ConsolidationOptions options;

    /** Writes to a console. */
    public ConsolidationPlan(Console console, AdviceWords words, ConsolidationOptions options) {
        this.console = console;
        this.words = words;
        this.options = options;
    }

    /** Shows the plan of a cluster. */
    public void show(ClusterState state, List<String> notes) {
        AdviceView view = AdviceView.of(state, ClusterAdvice.of(state, "", null), notes);
        if (options.json()) {
            console.out().print(Data.json(view));
        } else {
            console.out()
                    .print(new AdviceText(console, words, view)
                            .plan(options.steps())
                            .text());
            console.out()
                    .println("Nothing was changed"
                            + (view.plan().steps().isEmpty() ? "." : "; --carry-out carries the plan out."));
        }
        console.out().flush();
    }
}
