package dev.stowage.cli.replay;

import dev.stowage.cli.run.ExperimentRun;
import dev.stowage.cli.run.ResultOptions;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.Failures;
import dev.stowage.cli.text.PluginOptions;
import dev.stowage.cli.text.PolicyArgument;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.service.directory.RecordedLog;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code stowage replay}: a recorded run again. */
@Command(
        name = "replay",
        description =
                "Send the commands that 'stowage run --record' or a service's log recorded to a new engine, and check"
                        + " that"
                        + " it does the same; or run other policies on what was recorded.",
        sortOptions = false,
        abbreviateSynopsis = true,
        footer = {
            "",
            "Examples:",
            "  stowage run --policy bf-js --replications 1 --record run.log.gz",
            "  stowage replay run.log.gz",
            "  stowage replay run.log.gz --policy fifo-ff,bf-j",
            "  stowage replay stowage-data --policy fifo-ff",
            "",
            "Exit codes: 0 the same (or other policies were run), 1 not the same or cut off, 2 not a recording."
        })
public final class ReplayCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    // Picocli acts on it.
    @SuppressWarnings("UnusedVariable")
    @Mixin
    private PluginOptions plugins = new PluginOptions();

    @Parameters(paramLabel = "LOG", description = "A recording, or the data directory of a service.")
    private Path log;

    @Option(
            names = "--policy",
            paramLabel = "KEY,...",
            completionCandidates = PolicyArgument.PolicyKeys.class,
            split = ",",
            hideParamSyntax = true,
            description =
                    "Other policies: the recorded requests, each with its work (if the log does not have it, with the time"
                            + " it ran for, estimated where it did not end), and the recorded changes of servers.")
    private List<String> policies = List.of();

    @Mixin
    private ResultOptions results;

    @Override
    public Integer call() {
        RecordedLog service = LogReplay.in(log);
        if (service != null) {
            List<PolicySpec> others = policies.stream()
                    .map(policy -> PolicyArgument.labelled(policy).spec())
                    .toList();
            return new LogReplay(service, others, Console.of(spec)).run(results.format) ? 0 : Failures.FAILED;
        }
        results.check();
        Replay replay = new Replay(log, Console.of(spec));
        if (policies.isEmpty()) {
            return replay.check() ? 0 : Failures.FAILED;
        }
        new ExperimentRun(replay.under(policies), results, Console.of(spec)).run();
        return 0;
    }
}
