package dev.stowage.cli.run;

import dev.stowage.cli.experiment.Runs;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.OutputFormat;
import dev.stowage.cli.text.ProgressBar;
import dev.stowage.cli.text.Version;
import dev.stowage.cli.watch.RunObservers;
import dev.stowage.policies.Policies;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.ExperimentRunner;
import dev.stowage.sim.experiment.ExperimentUnits;
import dev.stowage.sim.experiment.ReadExperiment;
import dev.stowage.sim.unit.UnitHeader;
import dev.stowage.sim.unit.UnitKey;
import dev.stowage.sim.unit.UnitStore;
import java.nio.file.Path;
import java.util.List;

/**
 * Carries out {@code stowage run --shard}: some units of an experiment, into files.
 *
 * @param base directory against which its files are resolved
 */
record ShardRun(
        ReadExperiment experiment, Path base, ShardOptions.Shard shard, ResultOptions options, Console console) {
    void run() {
        check();
        List<Experiment> points = experiment.points();
        RunObservers watchers = RunObservers.of(options.decisions, options.record, Runs.of(points));
        List<UnitKey> units = ExperimentUnits.deal(points, shard.of()).get(shard.number() - 1);
        ResultsDirectory directory =
                ResultsDirectory.ofShards(options.out, points.get(0).name(), experiment.resolvedYaml());
        console.note("shard " + shard.text() + ": " + units.size() + " of "
                + Runs.of(points).text() + ", into "
                + directory.path().resolve(UnitStore.DIRECTORY));
        UnitStore store = new UnitStore(
                directory.path(),
                ExperimentUnits.stamps(points, Version.number()),
                new UnitHeader.Dealing(shard.of(), base.toAbsolutePath().toString()),
                true);
        ProgressBar bar = new ProgressBar(console);
        ExperimentRunner runner =
                new ExperimentRunner(new Policies(), Version.number(), options.threads, bar::progress, watchers);
        try {
            int run = runner.fill(points, units, store, console::note);
            bar.clear();
            console.note("shard " + shard.text() + ": done"
                    + (run < units.size() ? ", " + (units.size() - run) + " were there already" : ""));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BadInputException("interrupted", e);
        } finally {
            bar.clear();
        }
    }

    private void check() {
        if (options.overwrite) {
            throw new BadInputException(
                    "--overwrite would delete what other shards have done; remove the directory yourself");
        }
        if (options.format != OutputFormat.TABLE || options.noReport) {
            throw new BadInputException("--format and --no-report: a shard shows no results; 'stowage merge' does");
        }
        for (Experiment point : experiment.points()) {
            if (point.precision() != null) {
                throw new BadInputException(
                        "--shard: precision adds replications according to earlier results, and a shard does not know"
                                + " those of other shards; leave precision out and give a number (--replications), or"
                                + " run it without --shard");
            }
        }
    }
}
