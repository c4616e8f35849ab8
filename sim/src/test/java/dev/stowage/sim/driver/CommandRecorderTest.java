package dev.stowage.sim.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.engine.Command;
import dev.stowage.core.engine.Effects;
import dev.stowage.core.engine.Engine;
import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Constraints;
import dev.stowage.core.model.Labels;
import dev.stowage.core.model.NewRequest;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.Policies;
import dev.stowage.sim.trace.TraceBuilder;
import dev.stowage.sim.trace.TraceWorkload;
import dev.stowage.sim.workload.RequestStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CommandRecorderTest {
    private static final PolicySpec POLICY = PolicySpec.of("first-fit");
    private static final Labels ZONE = Labels.parse("zone=a");

    @TempDir
    private Path directory;

    /** One command of each kind, in an order in which most can be carried out. */
    private static List<Command> commands() {
        return List.of(
                Command.addServer(1, 0, List.of(20L)).named("third", ZONE),
                Command.arrive(2, NewRequest.of(1, 3).withAgent().withPriority(2)),
                Command.plain(Command.Kind.STARTED, 3, 1),
                Command.arrive(4, NewRequest.of(2, 4).withAgent().constrained(Constraints.avoiding(List.of(0)))),
                Command.plain(Command.Kind.START_FAILED, 5, 2),
                Command.gang(
                        6, List.of(Command.arrive(6, NewRequest.of(3, 5)), Command.arrive(6, NewRequest.of(4, 6)))),
                Command.arrive(7, NewRequest.of(5, 9).expecting(40)).adoptedOn(1),
                Command.plain(Command.Kind.LEAVE, 8, 3),
                Command.plain(Command.Kind.EVICT, 9, 4),
                Command.plain(Command.Kind.STOP, 10, 1),
                Command.plain(Command.Kind.STOPPED, 11, 1),
                Command.gang(
                        12,
                        List.of(Command.arrive(12, NewRequest.of(7, 10)), Command.arrive(12, NewRequest.of(8, 10)))),
                Command.plain(Command.Kind.LEAVE_TOGETHER, 12, 8),
                Command.plain(Command.Kind.TICK, 12, -1),
                Command.resize(13, 2, List.of(30L)),
                Command.label(14, 2, Labels.parse("zone=b")),
                Command.addSite(15, List.of()),
                Command.heartbeat(16, 2, 7, 1000, 2000),
                Command.report(17, 2, 7, List.of(2L, 99L)),
                Command.renewLeases(17, 18),
                Command.drain(18, 0, 5),
                Command.plain(Command.Kind.RETURN, 30, 0),
                Command.plain(Command.Kind.DRAIN, 31, 0),
                Command.plain(Command.Kind.LOSE, 32, 1),
                Command.plain(Command.Kind.REMOVE, 33, 1),
                Command.setPolicy(34, PolicySpec.of("best-fit")),
                Command.arrive(35, 6, 0));
    }

    /** Every command is written as it was given, and carried out: a replay does the same. */
    @Test
    void everyCommandIsWrittenAndPassedOn() throws IOException {
        Set<Command.Kind> kinds = commands().stream().map(Command::kind).collect(Collectors.toSet());
        assertThat(kinds).isEqualTo(EnumSet.complementOf(EnumSet.of(Command.Kind.ROUND)));
        Engine plain = engine(Steps.COMMANDS);
        commands().forEach(command -> command.send(plain));
        check(Steps.COMMANDS, commands(), plain);
    }

    @Test
    void slotsAreWrittenToo() throws IOException {
        List<Command> commands = List.of(
                Command.arrive(1, NewRequest.of(1, 3)),
                Command.plain(Command.Kind.ROUND, 10, -1),
                Command.arrive(11, NewRequest.of(2, 4)),
                Command.plain(Command.Kind.ROUND, 20, -1));
        Engine plain = engine(Steps.SLOTS);
        commands.forEach(command -> command.send(plain));
        check(Steps.SLOTS, commands, plain);
    }

    /** A gang is one request of the workload: its work is that of each member. */
    @Test
    void membersHaveTheirWork() throws IOException {
        Path file = directory.resolve("log.txt");
        Engine engine = engine(Steps.COMMANDS);
        RecordedSetup setup = new RecordedSetup(Cluster.single(2, 10), POLICY, Steps.COMMANDS, 0, 1, 1);
        TraceBuilder works = new TraceBuilder(List.of("r0"));
        works.add(0, 7, new long[] {3});
        RequestStream stream = new TraceWorkload(works.build()).open(1);
        try (CommandRecorder recorder = new CommandRecorder(file, setup, engine, stream)) {
            recorder.arriveTogether(1, List.of(NewRequest.of(1, 3), NewRequest.of(2, 3)));
            recorder.end();
        }
        assertThat(Files.readAllLines(file).subList(2, 4)).containsExactly("work 7", "work 7");
        Recording recording = Recording.replay(file, new Policies(), Effects.NONE);
        assertThat(recording.requests().size()).isEqualTo(1);
        assertThat(recording.requests().durationNanos(0)).isEqualTo(7);
        assertThat(recording.estimated()).isZero();
    }

    @Test
    void theTimeOfTheEndIsALineOfItsOwn() throws IOException {
        Path file = directory.resolve("log.txt");
        Engine engine = engine(Steps.COMMANDS);
        RecordedSetup setup = new RecordedSetup(Cluster.single(2, 10), POLICY, Steps.COMMANDS, 0, 1, 1);
        try (CommandRecorder recorder = new CommandRecorder(file, setup, engine, null)) {
            Command.arrive(5, NewRequest.of(1, 3)).send(recorder);
            recorder.end(25);
        }
        List<String> lines = Files.readAllLines(file);
        assertThat(lines.subList(3, lines.size()))
                .containsExactly(String.format(Locale.ROOT, "end digest=%016x", engine.digest()), "ended at=25");
        Recording recording = Recording.replay(file, new Policies(), Effects.NONE);
        assertThat(recording.agrees()).isTrue();
        assertThat(recording.endNanos()).isEqualTo(25);
    }

    private void check(Steps steps, List<Command> commands, Engine plain) throws IOException {
        Path file = directory.resolve("log.txt");
        Engine engine = engine(steps);
        RecordedSetup setup = new RecordedSetup(Cluster.single(2, 10), POLICY, steps, 10, 1, 1);
        try (CommandRecorder recorder = new CommandRecorder(file, setup, engine, null)) {
            commands.forEach(command -> command.send(recorder));
            recorder.end();
        }
        assertThat(engine.digest()).isEqualTo(plain.digest());
        assertThat(engine.save()).isEqualTo(plain.save());
        List<String> lines = Files.readAllLines(file);
        assertThat(lines.subList(2, lines.size() - 1))
                .containsExactlyElementsOf(
                        commands.stream().map(Command::toString).toList());
        Recording recording = Recording.replay(file, new Policies(), Effects.NONE);
        assertThat(recording.agrees()).isTrue();
        assertThat(recording.digest()).isEqualTo(String.format(Locale.ROOT, "%016x", plain.digest()));
        assertThat(recording.commands()).isEqualTo(commands.size());
        assertThat(recording.endNanos())
                .isEqualTo(commands.get(commands.size() - 1).at());
    }

    /** Two servers of 10. */
    private static Engine engine(Steps steps) {
        return Engine.start(Cluster.single(2, 10), POLICY, new Policies(), steps, 1, 0, Effects.NONE);
    }
}
