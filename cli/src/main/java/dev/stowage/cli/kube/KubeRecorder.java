package dev.stowage.cli.kube;

import dev.stowage.core.engine.Commands;
import dev.stowage.core.engine.Engine;
import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.kube.schedule.CommandLogs;
import dev.stowage.sim.driver.CommandRecorder;
import dev.stowage.sim.driver.RecordedSetup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Records the commands of a scheduler's engines, a file for each, named by its start time. */
final class KubeRecorder implements CommandLogs {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final Path directory;
    private final Clock clock;
    private @Nullable CommandRecorder recorder;

    /** @param directory that exists */
    KubeRecorder(Path directory, Clock clock) {
        this.directory = directory;
        this.clock = clock;
    }

    @Override
    public Commands begin(Engine engine, Cluster cluster, PolicySpec policy, long seed) {
        RecordedSetup setup = new RecordedSetup(cluster, policy, Steps.COMMANDS, 0, 0, seed);
        recorder = new CommandRecorder(free(), setup, engine, null);
        return recorder;
    }

    private Path free() {
        String begun = TIME.format(clock.instant());
        Path file = directory.resolve("pods-" + begun + ".log.gz");
        for (int k = 2; Files.exists(file); k++) {
            file = directory.resolve("pods-" + begun + "-" + k + ".log.gz");
        }
        return file;
    }

    @Override
    public void end(long atNanos) {
        CommandRecorder last = recorder;
        recorder = null;
        if (last != null) {
            try (last) {
                last.end(atNanos);
            }
        }
    }
}
