package dev.stowage.cli.run;

import dev.stowage.cli.experiment.ExperimentOptions;
import dev.stowage.cli.experiment.ExperimentSource;
import dev.stowage.cli.experiment.LabelledExperiments;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.Failures;
import dev.stowage.sim.experiment.ExperimentException;
import dev.stowage.sim.experiment.RunFailedException;
import dev.stowage.sim.unit.UnitException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Carries out {@code stowage run --label}: the experiments with a label, one after the other. */
final class LabelledRuns {
    private final ExperimentOptions options;
    private final ResultOptions results;
    private final boolean resume;
    private final Console console;

    LabelledRuns(ExperimentOptions options, ResultOptions results, boolean resume, Console console) {
        this.options = options;
        this.results = results;
        this.resume = resume;
        this.console = console;
    }

    /** Returns the exit code. If one experiment fails, the others are still run. */
    int run(@Nullable String folder, String label) {
        List<ExperimentSource> chosen = LabelledExperiments.in(folder).with(label);
        Path all = results.out;
        List<String> failed = new ArrayList<>();
        for (ExperimentSource experiment : chosen) {
            String name = experiment.tree().text("name");
            console.note("== " + experiment.name());
            results.out = all == null ? null : all.resolve(name);
            try {
                RunCommand.run(options.over(experiment), results, resume, console);
            } catch (ExperimentException | BadInputException | UnitException | RunFailedException e) {
                console.warn(String.valueOf(e.getMessage()));
                failed.add(experiment.name());
            }
        }
        if (failed.isEmpty()) {
            return 0;
        }
        console.warn(failed.size() + " of " + chosen.size() + " experiments failed: " + String.join(", ", failed));
        return Failures.FAILED;
    }
}
