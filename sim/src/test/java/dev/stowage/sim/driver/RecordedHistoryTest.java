package dev.stowage.sim.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.engine.Command;
import dev.stowage.core.engine.Effects;
import dev.stowage.core.engine.Engine;
import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Constraints;
import dev.stowage.core.model.Labels;
import dev.stowage.core.model.NewRequest;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.Policies;
import dev.stowage.sim.trace.Trace;
import dev.stowage.sim.workload.DrawnOrigins;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests and servers derived from a recording without work: computed by hand. */
final class RecordedHistoryTest {
    @TempDir
    private Path directory;

    private Recording recording(Cluster cluster, List<Command> commands) {
        Path file = directory.resolve("log.txt");
        PolicySpec policy = PolicySpec.of("first-fit");
        Engine engine = Engine.start(cluster, policy, new Policies(), Steps.COMMANDS, 1, 0, Effects.NONE);
        RecordedSetup setup = new RecordedSetup(cluster, policy, Steps.COMMANDS, 0, 1, 1);
        try (CommandRecorder recorder = new CommandRecorder(file, setup, engine, null)) {
            commands.forEach(command -> command.send(recorder));
            recorder.end();
        }
        return Recording.replay(file, new Policies(), Effects.NONE);
    }

    private static Command arrive(long at, long id, long demand) {
        return Command.arrive(at, NewRequest.of(id, demand));
    }

    /**
     * On one server of 10: one runs from 0 to 40; one from 10 to the end at 100, so at least 90, the longest seen; one
     * finds no room, so its lifetime is drawn from both.
     */
    @Test
    void lifetimesAreAsSeen() {
        Recording recording = recording(
                Cluster.single(1, 10),
                List.of(
                        arrive(0, 1, 3),
                        Command.arrive(10, NewRequest.of(2, 4).expecting(50)),
                        arrive(20, 3, 9),
                        Command.plain(Command.Kind.LEAVE, 40, 1),
                        Command.plain(Command.Kind.TICK, 100, -1)));
        Trace requests = recording.requests();
        assertThat(requests.size()).isEqualTo(3);
        assertThat(requests.durationNanos(0)).isEqualTo(40);
        assertThat(requests.durationNanos(1)).isEqualTo(90);
        assertThat(List.of(requests.expectedNanos(0), requests.expectedNanos(1), requests.expectedNanos(2)))
                .containsExactly(0L, 50L, 0L);
        assertThat(requests.durationNanos(2)).isIn(40L, 90L);
        assertThat(recording.estimated()).isEqualTo(2);
        assertThat(recording.origins()).isSameAs(DrawnOrigins.ANYWHERE);
    }

    /** More at once than there was room for at first; each with its own demand, pooled or not, and its own time. */
    @Test
    void manyAtOnce() {
        Cluster cluster = new Cluster(
                List.of(Resource.of("cpu"), Resource.of("memory")),
                List.of("bandwidth"),
                List.of(new Site(
                        "site", List.of(new ServerBlock(1, Amounts.of(1_000_000, 2_000_000))), Amounts.of(1_000_000))),
                List.of());
        List<Command> commands = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            commands.add(Command.arriveWith(i, i, -1, List.of(1L + i, 2000L + i), List.of(1000L + i), 0));
        }
        for (int i = 0; i < 300; i++) {
            commands.add(Command.plain(Command.Kind.LEAVE, 1000 + 2L * i, i));
        }
        Trace requests = recording(cluster, commands).requests();
        for (int i = 0; i < 300; i++) {
            assertThat(requests.arrivalNanos(i)).isEqualTo(i);
            assertThat(requests.durationNanos(i)).isEqualTo(1000 + i);
            assertThat(requests.demand(i, 0)).isEqualTo(1 + i);
            assertThat(requests.demand(i, 1)).isEqualTo(2000 + i);
            assertThat(requests.demand(i, 2)).isEqualTo(1000 + i);
        }
    }

    @Test
    void whereRequestsMayRunAndWhatBecomesOfServers() {
        Cluster cluster = new Cluster(
                List.of(Resource.of("cpu")),
                List.of(),
                List.of(
                        Site.of("a", ServerBlock.named("a0", Labels.parse("zone=x"), 10)),
                        Site.of("b", new ServerBlock(2, Amounts.of(10)))),
                List.of());
        Constraints inB = Constraints.sites(1);
        Recording recording = recording(
                cluster,
                List.of(
                        Command.arrive(1, NewRequest.of(1, 3).constrained(inB)),
                        arrive(2, 2, 3),
                        Command.arrive(3, NewRequest.of(3, 3).constrained(inB)),
                        Command.addServer(4, 1, List.of(12L)).named("", Labels.parse("zone=y")),
                        Command.plain(Command.Kind.DRAIN, 5, 2),
                        Command.resize(6, 1, List.of(11L))));
        assertThat(recording.agrees()).isTrue();
        assertThat(recording.setup().cluster()).isEqualTo(cluster);
        assertThat(recording.origins().all().stream().map(each -> each.constraints()))
                .containsExactly(inB, Constraints.NONE);
        var cursor = recording.origins().open(1);
        assertThat(IntStream.range(0, 3).map(i -> cursor.next(i + 1))).containsExactly(0, 1, 0);
        assertThat(recording.changes().stream()
                        .map(change -> change.atNanos() + " " + change.kind() + " " + change.from() + " "
                                + change.count() + " " + change.site() + " " + List.of(box(change.capacity())) + " "
                                + change.labels()))
                .containsExactly("4 ADD -1 1 1 [12] zone=y", "5 DRAIN 2 1 -1 [] ", "6 RESIZE 1 1 -1 [11] ");
    }

    private static Long[] box(long[] values) {
        return IntStream.range(0, values.length).mapToObj(i -> values[i]).toArray(Long[]::new);
    }

    /** Type 1 ended at 10. Of type 2 none ended, and of type 3 none was seen, so both are estimated from all. */
    @Test
    void typesThatNeverEndedAreAsAll() {
        Lifetimes some =
                Lifetimes.of(new int[] {1, 2, 3}, new long[] {10, 5, 0}, new boolean[] {true, false, false}, 1);
        assertThat(some.nanos()).containsExactly(10, 10, 10);
        assertThat(some.estimated()).isEqualTo(2);
        Lifetimes none = Lifetimes.of(new int[] {1, 2}, new long[] {7, 0}, new boolean[2], 1);
        assertThat(none.nanos()).containsExactly(Trace.UNKNOWN, Trace.UNKNOWN);
        assertThat(none.estimated()).isZero();
    }

    /**
     * One ended at 10, one still ran at 100: a request that was not seen may be either, and one that ran for 50 is the
     * longer.
     */
    @Test
    void whatIsStillRunningCounts() {
        List<Long> drawn = new ArrayList<>();
        for (int seed = 0; seed < 40; seed++) {
            long[] nanos = Lifetimes.of(
                            new int[] {1, 1, 1, 1},
                            new long[] {10, 100, 0, 50},
                            new boolean[] {true, false, false, false},
                            seed)
                    .nanos();
            assertThat(nanos[0]).isEqualTo(10);
            assertThat(nanos[1]).isEqualTo(100);
            assertThat(nanos[3]).isEqualTo(100);
            drawn.add(nanos[2]);
        }
        assertThat(drawn).contains(10L, 100L).allMatch(each -> each == 10 || each == 100);
    }
}
