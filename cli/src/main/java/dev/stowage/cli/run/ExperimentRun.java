package dev.stowage.cli.run;

import dev.stowage.cli.experiment.Runs;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.ProgressBar;
import dev.stowage.cli.text.Version;
import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.policies.Policies;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.ExperimentRunner;
import dev.stowage.sim.experiment.ProgressListener;
import dev.stowage.sim.experiment.ReadExperiment;
import dev.stowage.sim.experiment.RowAddition;
import dev.stowage.sim.experiment.RunFailedException;
import dev.stowage.sim.experiment.SizeTarget;
import dev.stowage.sim.result.ResultRow;
import dev.stowage.sim.result.ResultWriter;
import dev.stowage.sim.result.RunRow;
import dev.stowage.study.row.RowAdditions;
import dev.stowage.study.row.TimedPolicies;
import dev.stowage.study.size.SizeAddition;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Carries an experiment out: rows, report, table. */
public final class ExperimentRun {
    private final ReadExperiment experiment;
    private final ResultOptions options;
    private final Console console;
    private final PolicyFactory policies;
    /** Added to the rows beside what is always added. */
    private final RowAddition addition;
    /** Requests that no server could ever take, by policy, over all its runs. */
    private final Map<String, Double> refused = new TreeMap<>();

    public ExperimentRun(ReadExperiment experiment, ResultOptions options, Console console) {
        this(experiment, options, console, new Policies(), size(experiment.size(), console));
    }

    private ExperimentRun(
            ReadExperiment experiment,
            ResultOptions options,
            Console console,
            PolicyFactory policies,
            RowAddition addition) {
        this.experiment = experiment;
        this.options = options;
        this.console = console;
        this.policies = policies;
        this.addition = addition;
    }

    private static RowAddition size(@Nullable SizeTarget target, Console console) {
        return target == null ? RowAddition.NONE : new SizeAddition(target, new Policies(), console::note);
    }

    /** The same, and the processor time of each policy in its summaries. */
    public static ExperimentRun timed(ReadExperiment experiment, ResultOptions options, Console console) {
        TimedPolicies policies = new TimedPolicies(new Policies());
        return new ExperimentRun(experiment, options, console, policies, policies);
    }

    /** Runs it and shows what came out. */
    public void run() {
        new ResultsDisplay(measure(), console).show(options.format, !options.noReport);
    }

    /** Runs it; the directory with the rows. */
    public Path measure() {
        List<Experiment> points = experiment.points();
        RunObservers watchers = RunObservers.of(options, Runs.of(points));
        ResultsDirectory directory = ResultsDirectory.create(
                options.out, options.overwrite, points.get(0).name());
        directory.writeExperiment(experiment.resolvedYaml());
        if (!options.quiet) {
            experiment.notes().forEach(console::note);
            console.note(Runs.of(points).text() + ", into " + directory.path());
        }
        carryOut(points, directory, watchers);
        refused.forEach((policy, count) -> console.note(String.format(
                Locale.ROOT,
                "warning: %s: %,.0f requests fit no server%s, even an empty one, and count as rejected",
                policy,
                count,
                points.get(0).origins().areLimited() ? " of the sites they are limited to" : "")));
        return directory.path();
    }

    private void carryOut(List<Experiment> points, ResultsDirectory directory, RunObservers watchers) {
        ProgressBar bar = new ProgressBar(console);
        ExperimentRunner runner =
                new ExperimentRunner(policies, Version.number(), options.threads, progress(bar), watchers);
        try (ResultWriter writer = ResultWriter.open(directory.resultsFile());
                Interruption interruption = new Interruption(
                        console, directory.path(), Runs.of(points).count())) {
            runner.run(points, RowAdditions.all(console::note).then(addition), row -> {
                interruption.guarded(row, writer::write);
                count(row);
            });
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BadInputException("interrupted", e);
        } catch (RunFailedException e) {
            bar.clear();
            console.note("The rows of what was finished before are in " + directory.resultsFile());
            throw e;
        } finally {
            bar.clear();
        }
    }

    private ProgressListener progress(ProgressBar bar) {
        boolean shown = console.terminal().err() && !options.quiet;
        return new ProgressListener() {
            @Override
            public void progress(double runsDone, int runsTotal, long requestsDone) {
                if (shown) {
                    bar.progress(runsDone, runsTotal, requestsDone);
                }
            }

            @Override
            public void looked(String text) {
                if (!options.quiet) {
                    bar.clear();
                    console.note(text);
                }
            }
        };
    }

    private void count(ResultRow row) {
        if (row instanceof RunRow run && run.replication() == 0 && run.horizonSeconds() <= run.warmupSeconds()) {
            console.note(String.format(
                    Locale.ROOT,
                    "warning: %s: the run ended after %.4g s, within its warm-up of %.4g s: nothing was measured",
                    run.origin().policy(),
                    run.horizonSeconds(),
                    run.warmupSeconds()));
        }
        if (row instanceof RunRow run && run.metrics().getOrDefault("refused", 0.0) > 0) {
            refused.merge(run.origin().policy(), run.metrics().get("refused"), Double::sum);
        }
    }
}
