package dev.stowage.cli.run;

import dev.stowage.cli.experiment.Runs;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.ProgressBar;
import dev.stowage.cli.text.Version;
import dev.stowage.cli.watch.RunObservers;
import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.policies.Policies;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.ExperimentRows;
import dev.stowage.sim.experiment.ExperimentRunner;
import dev.stowage.sim.experiment.ExperimentUnits;
import dev.stowage.sim.experiment.ProgressListener;
import dev.stowage.sim.experiment.ReadExperiment;
import dev.stowage.sim.experiment.RemoteLook;
import dev.stowage.sim.experiment.RemoteUnits;
import dev.stowage.sim.remote.Machines;
import dev.stowage.sim.result.Remark;
import dev.stowage.sim.unit.UnitHeader;
import dev.stowage.sim.unit.UnitStore;
import dev.stowage.study.row.TimedPolicies;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Carries an experiment out: rows, report, table. */
public final class ExperimentRun {
    private final ReadExperiment experiment;
    private final ResultOptions options;
    private final Console console;
    private final PolicyFactory policies;
    private final RowMaking rows;
    /** How units are kept, so that they need not be run again; null if none are. */
    private final @Nullable Keeping keeping;
    /** Connects to the machines that units run on; null if they run here. */
    private @Nullable Reach reach;

    /** Connects to other machines, for an experiment whose files are resolved against a directory. */
    @FunctionalInterface
    interface Reach {
        Machines.Session machines(ReadExperiment experiment, Path base);
    }

    /**
     * How a run keeps its units.
     *
     * @param base directory against which the experiment's files are resolved
     * @param resume whether to continue in a directory with results, and to stop if they are complete
     */
    record Keeping(Path base, boolean resume) {}

    /** A run that keeps only its results, because not everything that it runs is in the text of the experiment. */
    public ExperimentRun(ReadExperiment experiment, ResultOptions options, Console console) {
        this(experiment, options, console, new Policies(), new RowMaking(experiment, console), null);
    }

    private ExperimentRun(
            ReadExperiment experiment,
            ResultOptions options,
            Console console,
            PolicyFactory policies,
            RowMaking rows,
            @Nullable Keeping keeping) {
        this.experiment = experiment;
        this.options = options;
        this.console = console;
        this.policies = policies;
        this.rows = rows;
        this.keeping = keeping;
    }

    /** A run that continues where one of the same experiment stopped in the same directory. */
    static ExperimentRun resumable(ReadExperiment experiment, Keeping keeping, ResultOptions options, Console console) {
        RowMaking rows = new RowMaking(experiment, console);
        return new ExperimentRun(experiment, options, console, new Policies(), rows, keeping);
    }

    /** The same run on other machines. */
    ExperimentRun on(Reach machines) {
        reach = machines;
        return this;
    }

    /** A run that keeps nothing, with the processor time of each policy in its summaries. */
    public static ExperimentRun timed(ReadExperiment experiment, ResultOptions options, Console console) {
        TimedPolicies policies = new TimedPolicies(new Policies());
        RowMaking rows = new RowMaking(experiment, console, policies);
        return new ExperimentRun(experiment, options, console, policies, rows, null);
    }

    /** Runs it and shows the results. */
    public void run() {
        new ResultsDisplay(measure(), console).show(options.format, options.wide, !options.noReport);
    }

    /** Runs it and returns the directory with the rows. */
    public Path measure() {
        List<Experiment> points = experiment.points();
        RunObservers watchers = RunObservers.of(options.decisions, options.record, Runs.of(points));
        // This comes before anything is written or deleted.
        try (Machines.Session machines =
                reach == null || keeping == null ? null : reach.machines(experiment, keeping.base())) {
            if (machines != null) {
                RemoteLook.at(machines, points, Version.number());
            }
            return measure(points, watchers, machines);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BadInputException("interrupted", e);
        }
    }

    private Path measure(List<Experiment> points, RunObservers watchers, Machines.@Nullable Session machines) {
        ResultsDirectory directory = directory(points.get(0).name());
        if (keeping != null
                && keeping.resume()
                && directory.state(experiment.resolvedYaml()) == ResultsDirectory.Completeness.WHOLE) {
            console.note(directory.path() + ": the results are complete, there is nothing to do");
            return directory.path();
        }
        UnitStore store = keeping == null ? null : store(directory, points, keeping);
        int there = store == null ? 0 : UnitStore.files(directory.path()).size();
        directory.writeExperiment(experiment);
        experiment.notes().forEach(console::note);
        rows.cautions().forEach(console::note);
        Experiment first = points.get(0);
        if (first.workload().isGiven() && first.drawsOrigins() && first.replications() == 1) {
            console.note("The origins of requests are drawn once; 'replications: 4' draws them four times.");
        }
        if (machines != null) {
            machines.warnings().stream().map(Remark::warning).forEach(console::note);
        }
        console.note(Runs.of(points).text() + ", into " + directory.path()
                + (there == 0 ? "" : ", " + there + " of which are already there"));
        carryOut(points, directory, store, watchers, machines);
        return directory.path();
    }

    private ResultsDirectory directory(String name) {
        return keeping == null
                ? ResultsDirectory.create(options.out, options.overwrite, name)
                : ResultsDirectory.resumable(
                        options.out, options.overwrite, keeping.resume(), name, experiment.resolvedYaml());
    }

    private static UnitStore store(ResultsDirectory directory, List<Experiment> points, Keeping keeping) {
        UnitStore store = new UnitStore(
                directory.path(),
                ExperimentUnits.stamps(points, Version.number()),
                new UnitHeader.Dealing(0, keeping.base().toAbsolutePath().toString()),
                false);
        store.begin();
        return store;
    }

    private void carryOut(
            List<Experiment> points,
            ResultsDirectory directory,
            @Nullable UnitStore store,
            RunObservers watchers,
            Machines.@Nullable Session machines) {
        ProgressBar bar = new ProgressBar(console);
        ProgressListener progress = progress(bar);
        rows.carryOut(
                directory,
                store == null ? null : () -> UnitStore.files(directory.path()).size(),
                (addition, to) -> {
                    try {
                        if (machines == null || store == null) {
                            new ExperimentRunner(policies, Version.number(), options.threads, progress, watchers)
                                    .run(points, store, console::note, addition, to);
                        } else {
                            new ExperimentRows(points, Version.number(), progress)
                                    .make(
                                            new RemoteUnits(points, machines, watchers, progress, store, console::note),
                                            addition,
                                            to);
                        }
                    } finally {
                        bar.clear();
                    }
                });
        if (store != null) {
            directory.removeUnits();
        }
    }

    private ProgressListener progress(ProgressBar bar) {
        return new ProgressListener() {
            @Override
            public void progress(double runsDone, int runsTotal, long requestsDone) {
                bar.progress(runsDone, runsTotal, requestsDone);
            }

            @Override
            public void looked(String text) {
                bar.clear();
                console.note(text);
            }

            @Override
            public void missed(String warning) {
                rows.missed(warning);
            }
        };
    }
}
