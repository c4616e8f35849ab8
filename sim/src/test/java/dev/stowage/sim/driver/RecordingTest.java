package dev.stowage.sim.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.core.engine.Effects;
import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.Policies;
import dev.stowage.sim.trace.TraceWorkload;
import dev.stowage.sim.workload.ArrivalProcess;
import dev.stowage.sim.workload.Demand;
import dev.stowage.sim.workload.Distribution;
import dev.stowage.sim.workload.DrawnOrigins;
import dev.stowage.sim.workload.RequestStream;
import dev.stowage.sim.workload.SyntheticType;
import dev.stowage.sim.workload.SyntheticWorkload;
import dev.stowage.sim.workload.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordingTest {
    private static final Workload WORKLOAD = SyntheticWorkload.of(
            List.of("r0"),
            ArrivalProcess.poisson(),
            List.of(
                    SyntheticType.inSeconds("small", 3, Demand.fixed(2), Distribution.exponential(1)),
                    SyntheticType.inSeconds("large", 1, Demand.fixed(7), Distribution.uniform(1, 2))));

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"log.txt", "log.gz"})
    void aRecordingReplaysToTheSameDigest(String name) throws IOException {
        Path file = directory.resolve(name);
        RunEnd outcome = record(
                file,
                setup("bf-js", WORKLOAD, List.of(ScheduledChange.of(5_000_000_000L, ScheduledChange.Kind.LOSE, 0, 1))));

        Recording recording = Recording.replay(file, new Policies(), Effects.NONE);

        assertThat(recording.agrees()).isTrue();
        assertThat(recording.digest()).isEqualTo(String.format(Locale.ROOT, "%016x", outcome.digest()));
        assertThat(recording.requests().size()).isEqualTo((int) outcome.arrived());
        assertThat(recording.changes()).hasSize(1);
    }

    @Test
    void theRequestsOfARecordingRunAgainUnderAnotherPolicy() throws IOException {
        Path file = directory.resolve("log.txt");
        record(file, setup("first-fit", WORKLOAD, List.of()));
        Recording recording = Recording.replay(file, new Policies(), Effects.NONE);

        Workload again = new TraceWorkload(recording.requests());
        RunEnd same =
                Simulation.run(setup("first-fit", again, List.of()), Effects.NONE, engine -> engine, Progress.NONE);
        RunEnd original =
                Simulation.run(setup("first-fit", WORKLOAD, List.of()), Effects.NONE, engine -> engine, Progress.NONE);

        assertThat(same.rejected()).isEqualTo(original.rejected());
        assertThat(same.left()).isEqualTo(original.left());
    }

    /** Requests that were turned away also have their work. */
    @Test
    void everyRequestHasItsWork() throws IOException {
        Path file = directory.resolve("log.txt");
        RunEnd outcome = record(file, setup("first-fit", WORKLOAD, List.of()));
        assertThat(outcome.rejected()).isPositive();
        Recording recording = Recording.replay(file, new Policies(), Effects.NONE);
        assertThat(recording.estimated()).isZero();
        RequestStream stream = WORKLOAD.open(1);
        for (int i = 0; i < recording.requests().size() && stream.next(); i++) {
            assertThat(recording.requests().durationNanos(i)).isEqualTo(stream.workNanos());
        }
    }

    /**
     * The lifetimes of requests that were turned away are unknown: they are drawn from those of their type.
     */
    @Test
    void aLogWithoutWorkEstimatesIt() throws IOException {
        Path file = directory.resolve("log.txt");
        RunEnd outcome = CommandRecorder.record(file, setup("first-fit", WORKLOAD, List.of()), null);
        Recording recording = Recording.replay(file, new Policies(), Effects.NONE);
        long unfinished = outcome.arrived() - outcome.rejected() - outcome.left();
        assertThat(recording.estimated()).isEqualTo(outcome.rejected() + unfinished);
        for (int i = 0; i < recording.requests().size(); i++) {
            // A uniform of 1 to 2 s for the large, which no small one may take over.
            long duration = recording.requests().durationNanos(i);
            assertThat(duration).isNotNegative();
            if (recording.requests().demand(i, 0) == 7) {
                assertThat(duration).isBetween(1_000_000_000L, 2_000_000_000L);
            }
        }
        assertThat(Recording.replay(file, new Policies(), Effects.NONE)
                        .requests()
                        .durationNanos(3))
                .isEqualTo(recording.requests().durationNanos(3));
    }

    @Test
    void aRecordingOfAnotherFormatIsRefused() throws IOException {
        Path file = directory.resolve("log.txt");
        CommandRecorder.record(file, setup("best-fit", WORKLOAD, List.of()), null);
        Files.writeString(file, Files.readString(file).replaceFirst("stowage-log 2", "stowage-log 1"));
        assertThatThrownBy(() -> Recording.replay(file, new Policies(), Effects.NONE))
                .hasMessageContaining("begins with 'stowage-log 1' instead of 'stowage-log 2'");
    }

    @Test
    void aByteOrderMarkIsNoPartOfTheRecording() throws IOException {
        Path file = directory.resolve("log.txt");
        record(file, setup("best-fit", WORKLOAD, List.of()));
        Files.writeString(file, "\uFEFF" + Files.readString(file));
        assertThat(Recording.replay(file, new Policies(), Effects.NONE).agrees())
                .isTrue();
    }

    /** A live scheduler's recording goes on after its last command. */
    @Test
    void aRecordingMayHaveTheTimeOfItsEnd() throws IOException {
        Path file = directory.resolve("log.txt");
        record(file, setup("best-fit", WORKLOAD, List.of()));
        Recording without = Recording.replay(file, new Policies(), Effects.NONE);
        assertThat(without.endKnown()).isFalse();
        long end = without.endNanos() + 5;
        String before = Files.readString(file);
        Files.writeString(file, before + "ended at=" + end + "\n");

        Recording with = Recording.replay(file, new Policies(), Effects.NONE);

        assertThat(with.agrees()).isTrue();
        assertThat(with.endKnown()).isTrue();
        assertThat(with.endNanos()).isEqualTo(end);
        // An earlier release takes all of the line of the digest for the digest, and reads nothing after it.
        assertThat(with.recordedDigest()).isEqualTo(without.recordedDigest());
        Files.writeString(file, before + "ended at=noon\n");
        assertThatThrownBy(() -> Recording.replay(file, new Policies(), Effects.NONE))
                .hasMessageContaining("ended at 'noon' must be a whole number of nanoseconds");
    }

    @Test
    void anInterruptedRecordingHasNoDigest() throws IOException {
        Path file = directory.resolve("log.txt");
        record(file, setup("best-fit", WORKLOAD, List.of()));
        List<String> lines = Files.readAllLines(file);
        Files.write(file, lines.subList(0, lines.size() / 2));

        Recording recording = Recording.replay(file, new Policies(), Effects.NONE);

        assertThat(recording.recordedDigest()).isNull();
        assertThat(recording.agrees()).isFalse();
    }

    @Test
    void whatIsNoRecordingIsToldWithItsLine() throws IOException {
        Path file = directory.resolve("log.txt");
        assertThatThrownBy(() -> Recording.replay(file, new Policies(), Effects.NONE))
                .isInstanceOf(RecordingException.class)
                .hasMessageContaining("no such file");
        Files.writeString(file, "arrival_s,duration_s\n1,2\n");
        assertThatThrownBy(() -> Recording.replay(file, new Policies(), Effects.NONE))
                .hasMessageContaining("log.txt:1: is not a recording");
        record(file, setup("best-fit", WORKLOAD, List.of()));
        List<String> lines = Files.readAllLines(file);
        lines.set(9, "leave at=x id=1");
        Files.write(file, lines);
        assertThatThrownBy(() -> Recording.replay(file, new Policies(), Effects.NONE))
                .hasMessageContaining("log.txt:10:");
        lines.set(9, "work much");
        Files.write(file, lines);
        assertThatThrownBy(() -> Recording.replay(file, new Policies(), Effects.NONE))
                .hasMessageContaining("log.txt:10: work 'much' must be a whole number");
        Files.write(file, lines.subList(0, 2));
        assertThatThrownBy(() -> Recording.replay(file, new Policies(), Effects.NONE))
                .isInstanceOf(RecordingException.class)
                .hasMessageContaining("no request arrives in this recording");
    }

    private static RunEnd record(Path file, Setup setup) {
        return CommandRecorder.record(file, setup, setup.workload().open(setup.seed()));
    }

    private static Setup setup(String policy, Workload workload, List<ScheduledChange> changes) {
        return new Setup(
                Cluster.single(3, 10),
                workload,
                DrawnOrigins.ANYWHERE,
                PolicySpec.of(policy),
                new Policies(),
                Steps.COMMANDS,
                0,
                1,
                new End(60_000_000_000L, Long.MAX_VALUE, false),
                changes,
                1);
    }
}
