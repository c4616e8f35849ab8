package dev.stowage.cli.run;

import dev.stowage.cli.experiment.BuiltInExperiments;
import dev.stowage.cli.experiment.ExperimentNames;
import dev.stowage.cli.experiment.ExperimentOptions;
import dev.stowage.cli.experiment.ExperimentSource;
import dev.stowage.cli.experiment.PipedFile;
import dev.stowage.cli.experiment.ThreadsOption;
import dev.stowage.cli.policies.PolicyCommand;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.ProgramOptions.Rare;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code stowage run}: runs experiments. */
@Rare({"--reserve", "--overcommit", "--spare", "--spare-site"})
@Command(
        name = "run",
        description = "Run an experiment: every policy on the same requests, with a table, results and a report.",
        abbreviateSynopsis = true,
        footer = {
            "",
            "Examples:",
            "  stowage run",
            "  stowage run experiments/maintenance.yaml --replications 5",
            "  stowage run --trace vms.csv.gz --servers \"1400 x 48 cores, 128 GiB\"",
            "  stowage run --trace vms.csv.gz --servers servers.csv --policy fifo-ff,bf-js",
            "  stowage run --set workload.azure-like.scale=0.2 --out results/more-load",
            "  stowage run sweep.yaml --shard 3/40 --out results/sweep",
            "  stowage run sweep.yaml --on spark://host:7077 --out results/sweep",
            "",
            "Exit codes: 0 ok, 1 a run failed, 2 bad usage or input, 130 interrupted (complete rows stay)."
        })
public final class RunCommand extends PolicyCommand implements Callable<Integer> {
    @Parameters(
            arity = "0..1",
            paramLabel = "EXPERIMENT",
            completionCandidates = ExperimentNames.class,
            description = "A YAML file, a table of requests (as --trace), or one of: " + BuiltInExperiments.LIST
                    + " (default: quickstart; none with --trace).")
    private @Nullable String experiment;

    @ArgGroup(validate = false, heading = "%nSettings that override those of EXPERIMENT:%n")
    private ExperimentOptions options = new ExperimentOptions();

    @ArgGroup(validate = false, heading = "%nThe results:%n")
    private ResultOptions results = new ResultOptions();

    @Mixin
    private ThreadsOption threads = new ThreadsOption();

    @ArgGroup(validate = false, heading = "%nA run in parts:%n")
    private ShardOptions parts = new ShardOptions();

    @ArgGroup(validate = false, heading = "%nA run on other machines:%n")
    private OnOptions on = new OnOptions();

    @Override
    public Integer call() {
        results.check();
        results.threads = threads.threads();
        ShardOptions.Shard shard = parts.shard();
        on.check(results, threads.given());
        if (on.isAsked() && shard != null) {
            throw new BadInputException("--on and --shard " + shard.text()
                    + ": Spark itself distributes the runs to its machines; leave one of the two out");
        }
        Console console = console();
        int pipes = PipedFile.count();
        ExperimentSource source = options.source(experiment);
        if (PipedFile.count() > pipes) {
            console.note(
                    "what came through the pipe is not kept: to run DIR/experiment.yaml of these results again, give the"
                            + " same as a file");
        }
        if (on.isAsked() && source.tree().isPlanning()) {
            throw new BadInputException("--on: " + source.name()
                    + " compares planners, which is not a simulation and has no units; run it without --on");
        }
        ExperimentRun.Keeping keeping = new ExperimentRun.Keeping(source.base(), parts.resume);
        if (on.isAsked()) {
            ExperimentRun.resumable(source.experiment(console), keeping, results, console)
                    .on((experiment, base) ->
                            on.connect(source.tree().text("name"), experiment, base, results, plugins()))
                    .run();
        } else if (shard != null && source.tree().isPlanning()) {
            throw new BadInputException("--shard " + shard.text() + ": " + source.name()
                    + " compares planners, which is not a simulation and has no units; run it without --shard");
        } else if (shard != null) {
            new ShardRun(source.experiment(console), source.base(), shard, results, console).run();
        } else if (source.tree().isPlanning()) {
            new PlanningRun(source.study(), results, console).run();
        } else {
            ExperimentRun.resumable(source.experiment(console), keeping, results, console)
                    .run();
        }
        return 0;
    }
}
