package dev.stowage.sim.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.policies.Policies;
import dev.stowage.sim.remote.Machines;
import dev.stowage.sim.remote.MachinesException;
import dev.stowage.sim.remote.MachinesRefusedException;
import dev.stowage.sim.result.ResultWriter;
import dev.stowage.sim.unit.UnitHeader;
import dev.stowage.sim.unit.UnitKey;
import dev.stowage.sim.unit.UnitStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Units that come from other machines; here from one that answers in a different order. */
final class RemoteUnitsTest {
    private static final String VERSION = "test";
    private static final String SWEEP = """
            name: sweep
            cluster: {servers: {count: 4, slots: 10}}
            workload:
              types:
                - {name: small, rate: 3 / s, demand: {slots: 2}, service: {exponential: 2 s}}
            policies: [fifo-ff, bf-js]
            requests: 900
            sweep: [{path: requests, values: [300, 900]}]
            replications: 3
            """;

    @TempDir
    private Path directory;

    /** A machine that starts with the last task, and records what it was asked. */
    private static final class Backwards implements Machines.Session {
        private final Function<String, byte[]> worker;
        private final List<String> asked = new ArrayList<>();
        private final List<Thread> threads = new ArrayList<>();

        Backwards(Function<String, byte[]> worker) {
            this.worker = worker;
        }

        @Override
        public List<String> warnings() {
            return List.of();
        }

        @Override
        public void start(List<String> tasks, Machines.Listener listener) {
            asked.addAll(tasks);
            Thread thread = new Thread(() -> {
                for (int i = tasks.size() - 1; i >= 0; i--) {
                    byte[] answer = worker.apply(tasks.get(i));
                    listener.done(tasks.get(i), answer);
                    // An engine may answer like this if it lost a machine that then came back.
                    listener.done(tasks.get(i), answer);
                }
            });
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }

        /** Waits for running tasks, which write into the test's directory. */
        @Override
        public void close() {
            try {
                for (Thread thread : threads) {
                    thread.join();
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private static ReadExperiment read(String yaml) {
        return ExperimentReader.read("test", yaml, Path.of("."), List.of(), new Policies());
    }

    private static RemoteRuns runs(String yaml, String version) {
        return new RemoteRuns(
                "far",
                () -> read(yaml),
                version,
                ".",
                new Policies(),
                (point, policy, replication) -> RunObserver.NONE);
    }

    private UnitStore store(List<Experiment> points) {
        return new UnitStore(
                directory.resolve("out"),
                ExperimentUnits.stamps(points, VERSION),
                new UnitHeader.Dealing(0, "."),
                false);
    }

    private byte[] rows(List<Experiment> points, Machines.Session machines) throws IOException, InterruptedException {
        return rows(points, machines, ProgressListener.NONE);
    }

    private byte[] rows(List<Experiment> points, Machines.Session machines, ProgressListener progress)
            throws IOException, InterruptedException {
        Path file = Files.createTempFile(directory, "rows", ".jsonl");
        Files.delete(file);
        RemoteUnits units = new RemoteUnits(
                points,
                machines,
                (point, policy, replication) -> RunObserver.NONE,
                progress,
                store(points),
                note -> {});
        try (machines;
                ResultWriter writer = ResultWriter.open(file)) {
            new ExperimentRows(points, VERSION, ProgressListener.NONE).make(units, RowAddition.NONE, writer::write);
        }
        return Files.readAllBytes(file);
    }

    @Test
    void rowsAreTheSameBytesAndWhatIsKeptIsNotAskedFor() throws IOException, InterruptedException {
        List<Experiment> points = read(SWEEP).points();
        Path straight = directory.resolve("straight.jsonl");
        try (ResultWriter writer = ResultWriter.open(straight)) {
            new ExperimentRunner(
                            new Policies(),
                            VERSION,
                            2,
                            ProgressListener.NONE,
                            (point, policy, replication) -> RunObserver.NONE)
                    .run(points, writer::write);
        }
        Backwards machines = new Backwards(runs(SWEEP, VERSION)::run);
        assertThat(rows(points, machines)).isEqualTo(Files.readAllBytes(straight));
        // The long ones first: those of the second point.
        assertThat(machines.asked).hasSize(12).startsWith("1 0 0", "1 0 1", "1 0 2", "1 1 0");

        Files.delete(store(points).file(new UnitKey(0, 1, 2)));
        Backwards again = new Backwards(runs(SWEEP, VERSION)::run);
        assertThat(rows(points, again)).isEqualTo(Files.readAllBytes(straight));
        assertThat(again.asked).containsExactly("0 1 2");
    }

    /** The trace of another machine is another one: none of its runs is taken. */
    @Test
    void unitsOfOtherFilesAndVersionsAreRefused() {
        List<Experiment> points = read(SWEEP).points();
        assertThatThrownBy(() -> rows(points, new Backwards(runs(SWEEP.replace("count: 4", "count: 5"), VERSION)::run)))
                .isInstanceOf(MachinesRefusedException.class)
                .hasMessageContaining("machine far: ran a unit of another experiment");
        assertThatThrownBy(() -> rows(points, new Backwards(runs(SWEEP, "0.0")::run)))
                .isInstanceOf(MachinesRefusedException.class)
                .hasMessageContaining("made by Stowage 0.0, not test");
        assertThat(UnitStore.files(directory.resolve("out"))).isEmpty();
    }

    @Test
    void aTraceThatCannotBeReadThereIsSaid() throws IOException {
        Path trace = Files.writeString(directory.resolve("a.csv"), "arrival_s,duration_s,slots\n0,5,2\n1,7,3\n");
        String yaml = """
                cluster: {servers: {count: 1, slots: 10}}
                workload: {trace: {file: FILE}}
                policies: [fifo-ff]
                """.replace("FILE", trace.toString());
        List<Experiment> points = read(yaml).points();
        assertThat(read(yaml).files()).containsEntry(trace.toString(), trace);
        Files.delete(trace);
        assertThatThrownBy(() -> rows(points, new Backwards(runs(yaml, VERSION)::run)))
                .isInstanceOf(MachinesRefusedException.class)
                .hasMessageContaining("machine far: ")
                .hasMessageContaining(trace.toString());
    }

    /** The answer is a value: it is not retried, and the other runs go on. */
    @Test
    void aRunThatFailsIsToldAsHereAndOthersAreKept() {
        List<Experiment> points = read(SWEEP).points();
        Function<String, byte[]> worker = runs(SWEEP, VERSION)::run;
        Backwards machines = new Backwards(task -> task.equals("0 1 1")
                ? RemoteAnswer.failure("far", new IllegalStateException("overfilled"), false)
                        .bytes()
                : worker.apply(task));
        assertThatThrownBy(() -> rows(points, machines))
                .isInstanceOf(RunFailedException.class)
                .hasMessageContaining("policy bf-js at {requests=300}, replication 1, seed ")
                .hasMessageContaining("overfilled (machine far)");
        assertThat(machines.asked).hasSize(12);
        assertThat(UnitStore.files(directory.resolve("out"))).hasSize(11);
    }

    /** An exception may have no message: it is a failure nevertheless, and not an empty unit. */
    @ParameterizedTest
    @ValueSource(strings = {"", " "})
    void aRunThatFailsWithoutAWord(String message) {
        List<Experiment> points = read(SWEEP).points();
        byte[] failure = RemoteAnswer.failure("far", new IllegalStateException(message), false)
                .bytes();
        assertThat(RemoteAnswer.read(failure).unit()).isNull();
        assertThatThrownBy(() -> rows(points, new Backwards(task -> failure)))
                .isInstanceOf(RunFailedException.class)
                .hasMessageContaining("IllegalStateException");
    }

    /** Nothing else would wake the waiting threads. */
    @Test
    void anAnswerThatCannotBeReadEndsTheWait() {
        List<Experiment> points = read(SWEEP).points();
        assertThatThrownBy(() -> rows(points, new Backwards(task -> new byte[] {5, 1})))
                .isInstanceOf(MachinesException.class)
                .hasMessageContaining("task 0 1 2: its answer cannot be read: ");
    }

    @Test
    void anErrorEndsTheWait() {
        List<Experiment> points = read(SWEEP).points();
        ProgressListener full = (finished, all, requests) -> {
            if (finished > 0) {
                throw new OutOfMemoryError("planted");
            }
        };
        assertThatThrownBy(() -> rows(points, new Backwards(runs(SWEEP, VERSION)::run), full))
                .isInstanceOf(MachinesException.class)
                .hasMessageContaining("could not be received: java.lang.OutOfMemoryError: planted");
    }

    @Test
    void machinesThatGiveUpEndTheWait() {
        List<Experiment> points = read(SWEEP).points();
        Machines.Session machines = new Machines.Session() {
            @Override
            public List<String> warnings() {
                return List.of();
            }

            @Override
            public void start(List<String> tasks, Machines.Listener listener) {
                listener.failed(new MachinesException("all went away", null));
            }

            @Override
            public void close() {}
        };
        assertThatThrownBy(() -> rows(points, machines))
                .isInstanceOf(MachinesException.class)
                .hasMessage("all went away");
    }

    /** Before anything is written here one machine says whether it reads the same. */
    @Test
    void aMachineThatReadsAnotherExperimentOrNoneIsRefusedAtOnce() throws IOException, InterruptedException {
        Files.writeString(directory.resolve("t.csv"), "arrival_s,duration_s,cpu_milli\n0,50,2000\n");
        String traced = """
                name: traced
                cluster: {servers: {count: 3, cpu: 4}}
                workload: {trace: {file: t.csv}}
                policies: [bf-js]
                """;
        List<Experiment> points = ExperimentReader.read("test", traced, directory, List.of(), new Policies())
                .points();
        Path elsewhere = Files.createDirectories(directory.resolve("elsewhere"));
        RemoteLook.at(looking(traced, directory), points, VERSION);
        assertThatThrownBy(() -> RemoteLook.at(looking(traced, elsewhere), points, VERSION))
                .isInstanceOf(MachinesRefusedException.class)
                .hasMessageStartingWith("machine far: ")
                .hasMessageContaining("t.csv: no such file");
        Files.writeString(elsewhere.resolve("t.csv"), "arrival_s,duration_s,cpu_milli\n0,51,2000\n");
        assertThatThrownBy(() -> RemoteLook.at(looking(traced, elsewhere), points, VERSION))
                .isInstanceOf(MachinesRefusedException.class)
                .hasMessageContaining("made from another trace")
                .hasMessageContaining("the same files under the same names");
        assertThatThrownBy(() -> RemoteLook.at(looking(traced, directory), points, "another"))
                .isInstanceOf(MachinesRefusedException.class)
                .hasMessageContaining("made by Stowage test, not another");
        assertThatThrownBy(() -> RemoteLook.at(new Backwards(task -> new byte[3]), points, VERSION))
                .isInstanceOf(MachinesException.class)
                .hasMessageContaining("cannot be read");
    }

    private static Machines.Session looking(String yaml, Path base) {
        return new Backwards(new RemoteRuns(
                "far",
                () -> ExperimentReader.read("test", yaml, base, List.of(), new Policies()),
                VERSION,
                ".",
                new Policies(),
                (point, policy, replication) -> RunObserver.NONE)::run);
    }
}
