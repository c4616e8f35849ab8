package dev.stowage.cli.replay;

import dev.stowage.cli.experiment.ThreadsOption;
import dev.stowage.cli.policies.PolicyCommand;
import dev.stowage.cli.run.ExperimentRun;
import dev.stowage.cli.run.ResultOptions;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.Failures;
import dev.stowage.cli.text.PolicyArgument;
import dev.stowage.cli.text.StatusLine;
import dev.stowage.core.engine.Effects;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.Policies;
import dev.stowage.service.directory.Backup;
import dev.stowage.service.directory.RecordedLog;
import dev.stowage.sim.driver.Recording;
import dev.stowage.sim.experiment.Units;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code stowage replay}: replays a recorded run. */
@Command(
        name = "replay",
        description =
                "Send the commands that 'stowage run --record' or a service's log recorded to a new engine, and check"
                        + " that"
                        + " it does the same; or run other policies on what was recorded.",
        abbreviateSynopsis = true,
        footer = {
            "",
            "Examples:",
            "  stowage run --policy bf-js --replications 1 --record run.log.gz",
            "  stowage replay run.log.gz",
            "  stowage replay run.log.gz --policy fifo-ff,bf-j",
            "  stowage replay stowage-data --policy fifo-ff --last 1h",
            "",
            "Exit codes: 0 the same (or other policies were run), 1 not the same or cut off, 2 not a recording."
        })
public final class ReplayCommand extends PolicyCommand implements Callable<Integer> {
    @Parameters(paramLabel = "LOG", description = "A recording, or the data directory of a service.")
    private Path log;

    @Option(
            names = "--policy",
            paramLabel = "KEY,...",
            completionCandidates = PolicyArgument.PolicyKeys.class,
            split = ",",
            hideParamSyntax = true,
            description =
                    "Run other policies on the recorded requests and changes of servers. Each request has its recorded"
                            + " work; if the log has none, the time it ran, which is estimated where it did not end.")
    private List<String> policies = List.of();

    @Option(
            names = "--last",
            paramLabel = "DURATION",
            description = "For a service's log: only the requests of its last part of this length (30 min, 1 h, 2 d).")
    private @Nullable String last;

    @Mixin
    private ResultOptions results;

    @Mixin
    private ThreadsOption threads = new ThreadsOption();

    @Override
    public Integer call() {
        RecordedLog service = LogReplay.in(log);
        if (service != null) {
            List<PolicySpec> others = policies.stream()
                    .map(policy -> PolicyArgument.labelled(policy).spec())
                    .toList();
            return new LogReplay(service, others, lastNanos(), console()).run(results.format) ? 0 : Failures.FAILED;
        }
        if (last != null) {
            throw new BadInputException("--last goes with the log of a service; " + log + " is a recording of a run");
        }
        if (Backup.isBackup(log)) {
            throw new BadInputException(log + " is a backup, which has one state and no decisions; replay takes a"
                    + " recording, or the data directory of a node. 'stowage restore' makes a new service of a backup");
        }
        results.check();
        results.threads = threads.threads();
        if (policies.isEmpty()) {
            return check() ? 0 : Failures.FAILED;
        }
        new ExperimentRun(RecordedExperiment.of(log, policies), results, console()).run();
        return 0;
    }

    private long lastNanos() {
        return BadInputException.saying(
                "--last " + last + ": ", () -> last == null ? -1 : Units.durationNanos(last, 0));
    }

    /** Whether a new engine makes the recorded decisions, as far as the recording goes. */
    private boolean check() {
        Recording recording = StatusLine.during(
                console(), "stowage: replaying " + log, () -> Recording.replay(log, new Policies(), Effects.NONE));
        String done = String.format(
                Locale.ROOT,
                "%s: %s, %,d commands, digest %s",
                log,
                recording.setup().policy(),
                recording.commands(),
                recording.digest());
        if (recording.recordedDigest() == null) {
            console()
                    .warn("stowage: " + done
                            + "; the recording is incomplete: its run was interrupted or the file was truncated,"
                            + " so nothing could be compared");
        } else if (recording.agrees()) {
            console().out().println(done + ": the same as recorded");
        } else {
            console()
                    .warn("stowage: " + done + ", but the recorded digest is " + recording.recordedDigest()
                            + "; another version of Stowage or of the policy decides differently");
        }
        return recording.agrees();
    }
}
