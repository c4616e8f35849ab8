package dev.stowage.sim.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.policies.Policies;
import dev.stowage.sim.result.ResultWriter;
import dev.stowage.sim.unit.UnitCollection;
import dev.stowage.sim.unit.UnitException;
import dev.stowage.sim.unit.UnitHeader;
import dev.stowage.sim.unit.UnitKey;
import dev.stowage.sim.unit.UnitStamp;
import dev.stowage.sim.unit.UnitStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows made from units are the same bytes as those made directly from measurements, wherever the units ran. */
final class UnitRowsTest {
    private static final String VERSION = "test";
    /** Types, gauges, sites, placements, rewards, changes of servers; the warm-up is chosen. */
    private static final String SITES = """
            name: sites
            cluster:
              sites:
                - {name: north, servers: [{count: 3, cpu: 10}]}
                - {name: south, servers: [{count: 2, cpu: 8}]}
            workload:
              types:
                - {name: small, rate: 3 / s, demand: {cpu: 2}, service: {exponential: 2 s}, reward: 1 / h}
                - {name: large, rate: 1 / s, demand: {cpu: 7}, service: {exponential: 2 s}}
            policies: [shadow, best-fit, {policy: first-fit, label: loss}]
            horizon: 300 s
            series: all
            replications: 2
            server-changes:
              - {at: 100 s, lose: {site: north, from: 0, count: 2}}
              - {at: 150 s, return: {site: north, from: 0, count: 2}}
            """;
    /** A given warm-up, no horizon, a sweep. */
    private static final String SWEEP = """
            name: sweep
            cluster: {servers: {count: 4, slots: 10}}
            workload:
              types:
                - {name: small, rate: 3 / s, demand: {slots: 2}, service: {exponential: 2 s}}
            policies: [fifo-ff, bf-js]
            requests: 900
            warm-up: 60 s
            sweep: [{path: cluster.servers.count, values: [1, 2]}]
            replications: 3
            """;
    /** A divisible resource: jobs of many tasks. */
    private static final String JOBS = """
            name: jobs
            cluster: {divisible: cpu, servers: {count: 4, cpu: 10}}
            workload: {parallel-jobs: {rate: 0.15 / s}}
            policies: [ontapra]
            horizon: 20 min
            replications: 2
            """;
    /** Replications are added. */
    private static final String PRECISE = """
            name: precise
            cluster: {servers: {count: 4, slots: 10}}
            workload:
              types:
                - {name: small, rate: 3 / s, demand: {slots: 5}, service: {exponential: 2 s}}
            policies: [fifo-ff]
            horizon: 300 s
            warm-up: none
            precision: 3 %
            max-replications: 30
            """;

    @TempDir
    private Path directory;

    private final AtomicInteger runs = new AtomicInteger();

    private ExperimentRunner runner() {
        return new ExperimentRunner(new Policies(), VERSION, 2, ProgressListener.NONE, (point, policy, replication) -> {
            runs.incrementAndGet();
            return RunObserver.NONE;
        });
    }

    private static List<Experiment> read(String yaml) {
        return ExperimentReader.read("test", yaml, Path.of("."), List.of(), new Policies())
                .points();
    }

    private UnitStore store(List<Experiment> points, String name) {
        return new UnitStore(
                directory.resolve(name), ExperimentUnits.stamps(points, VERSION), new UnitHeader.Dealing(3, "."), true);
    }

    private interface Maker {
        void make(ResultWriter rows) throws InterruptedException;
    }

    private byte[] rows(Maker maker) throws IOException, InterruptedException {
        Path file = Files.createTempDirectory(directory, "rows").resolve("results.jsonl");
        try (ResultWriter writer = ResultWriter.open(file)) {
            maker.make(writer);
        }
        return Files.readAllBytes(file);
    }

    @ParameterizedTest
    @ValueSource(strings = {SITES, SWEEP, JOBS, PRECISE})
    void rowsOfKeptUnitsAreTheSameBytes(String yaml) throws IOException, InterruptedException {
        List<Experiment> points = read(yaml);
        byte[] straight = rows(rows -> runner().run(points, rows::write));
        int all = runs.get();
        UnitStore store = store(points, "kept");
        List<String> notes = new ArrayList<>();
        assertThat(rows(rows -> runner().run(points, store, notes::add, RowAddition.NONE, rows::write)))
                .isEqualTo(straight);
        assertThat(runs).hasValue(2 * all);
        assertThat(UnitStore.files(directory.resolve("kept"))).hasSize(all);

        // Only damaged or missing units are run again.
        Files.delete(store.file(new UnitKey(0, 0, 1)));
        Path cut = store.file(new UnitKey(0, 0, 0));
        Files.write(cut, Arrays.copyOf(Files.readAllBytes(cut), 1000));
        assertThat(rows(rows -> runner().run(points, store, notes::add, RowAddition.NONE, rows::write)))
                .isEqualTo(straight);
        assertThat(runs).hasValue(2 * all + 2);
        assertThat(notes)
                .containsExactly(cut + ": is truncated or damaged: its checksum is wrong; its run is repeated");
        assertThat(rows(rows -> runner().run(points, store, notes::add, RowAddition.NONE, rows::write)))
                .isEqualTo(straight);
        assertThat(runs).hasValue(2 * all + 2);
    }

    @ParameterizedTest
    @ValueSource(strings = {SITES, SWEEP, JOBS})
    void rowsOfShardsAreTheSameBytes(String yaml) throws IOException, InterruptedException {
        List<Experiment> points = read(yaml);
        byte[] straight = rows(rows -> runner().run(points, rows::write));
        List<List<UnitKey>> dealt = ExperimentUnits.deal(points, 3);
        // In another order, and two of them in one directory.
        for (int shard : new int[] {2, 0, 1}) {
            runner().fill(points, dealt.get(shard), store(points, "shard-" + shard % 2), note -> {});
        }
        UnitCollection collection = new UnitCollection(
                List.of(directory.resolve("shard-0"), directory.resolve("shard-1")),
                ExperimentUnits.all(points),
                ExperimentUnits.stamps(points, VERSION));
        assertThat(collection.problems()).isEmpty();
        assertThat(collection.missing()).isEmpty();
        assertThat(collection.shards()).isEqualTo(3);
        assertThat(rows(rows -> new ExperimentRows(points, VERSION, ProgressListener.NONE)
                        .make(collection, RowAddition.NONE, rows::write)))
                .isEqualTo(straight);
    }

    @Test
    void everyUnitIsDealtOnceAndShardsAreEven() {
        List<Experiment> points = read(SWEEP.replace("[1, 2]", "[1, 2, 3, 4, 5]"));
        for (int shards = 1; shards <= 40; shards++) {
            List<List<UnitKey>> dealt = ExperimentUnits.deal(points, shards);
            assertThat(dealt).hasSize(shards);
            List<UnitKey> together = dealt.stream().flatMap(List::stream).toList();
            assertThat(together).hasSize(30);
            assertThat(new TreeSet<>(together)).hasSize(30);
            // All units are as long as one another: 900 requests.
            int least = dealt.stream().mapToInt(List::size).min().orElseThrow();
            int most = dealt.stream().mapToInt(List::size).max().orElseThrow();
            assertThat(most - least).as(shards + " shards").isLessThanOrEqualTo(1);
        }
    }

    /** A point of ten times the requests is as much work as ten others: shards are even in requests, not in units. */
    @Test
    void longUnitsAreDealtFirst() {
        List<Experiment> points =
                read(SWEEP.replace("cluster.servers.count, values: [1, 2]", "requests, values: [900, 9000]"));
        List<List<UnitKey>> dealt = ExperimentUnits.deal(points, 6);
        assertThat(dealt)
                .allSatisfy(
                        units -> assertThat(units).extracting(UnitKey::point).contains(1));
        assertThat(dealt).allSatisfy(units -> assertThat(units).hasSize(2));
    }

    @Test
    void aUnitOfSomethingElseIsRefused() throws InterruptedException {
        List<Experiment> points = read(JOBS);
        runner().fill(points, ExperimentUnits.all(points), store(points, "kept"), note -> {});
        List<UnitStamp> stamps = ExperimentUnits.stamps(points, VERSION);
        UnitStamp stamp = stamps.get(0);
        refused(
                new UnitStamp("0123456789abcdef", VERSION, stamp.inputs()),
                "of another experiment (hash " + stamp.experiment());
        refused(new UnitStamp(stamp.experiment(), "0.0", stamp.inputs()), "made by Stowage test, not 0.0");
        refused(new UnitStamp(stamp.experiment(), VERSION, "0123"), "made from another trace, server list or jar");
    }

    private void refused(UnitStamp stamp, String message) {
        UnitStore store =
                new UnitStore(directory.resolve("kept"), List.of(stamp), new UnitHeader.Dealing(0, ""), false);
        assertThatThrownBy(() -> store.holds(new UnitKey(0, 0, 0), note -> {}))
                .isInstanceOf(UnitException.class)
                .hasMessageContaining(message);
    }

    /** The same requests from a file of another name are the same inputs; another request is not. */
    @Test
    void theStampKnowsTheTrace() throws IOException {
        String rows = "arrival_s,duration_s,slots\n0,5,2\n1,7,3\n";
        String yaml = """
                cluster: {servers: {count: 1, slots: 10}}
                workload: {trace: {file: FILE}}
                policies: [fifo-ff]
                """;
        UnitStamp first = stamp(yaml, "a.csv", rows);
        assertThat(stamp(yaml, "b.csv", rows).inputs()).isEqualTo(first.inputs());
        assertThat(stamp(yaml, "c.csv", rows.replace("7,3", "8,3")).inputs()).isNotEqualTo(first.inputs());
        assertThat(stamp(yaml, "d.csv", rows.replace("7,3", "7,4")).inputs()).isNotEqualTo(first.inputs());
        assertThat(stamp(yaml.replace("count: 1", "count: 2"), "b.csv", rows).inputs())
                .isNotEqualTo(first.inputs());
    }

    private UnitStamp stamp(String yaml, String name, String rows) throws IOException {
        Path file = Files.writeString(directory.resolve(name), rows);
        return ExperimentUnits.stamps(read(yaml.replace("FILE", file.toString())), VERSION)
                .get(0);
    }

    @Test
    void whatMissesAndWhatDoesNotBelongIsTold() throws IOException, InterruptedException {
        List<Experiment> points = read(SWEEP);
        UnitStore one = store(points, "one");
        runner().fill(points, ExperimentUnits.all(points), one, note -> {});
        UnitStore other = store(points, "two");
        UnitKey key = new UnitKey(1, 0, 2);
        other.write(key, Files.readAllBytes(one.file(key)));
        List<Path> both = List.of(directory.resolve("one"), directory.resolve("two"));
        assertThat(collection(points, both).problems()).isEmpty();

        // Another measurement under the key of a run.
        List<Experiment> seeded = read(SWEEP + "seed: 9\n");
        UnitStore foreign = new UnitStore(
                directory.resolve("seeded"),
                ExperimentUnits.stamps(points, VERSION),
                new UnitHeader.Dealing(0, ""),
                false);
        runner().fill(seeded, List.of(key), foreign, note -> {});
        other.write(key, Files.readAllBytes(foreign.file(key)));
        assertThat(collection(points, both).problems())
                .containsExactly(other.file(key) + ": differs from " + one.file(key)
                        + " of the same run (point 1, policy 0, replication 2): one of the two machines is wrong."
                        + " Repeat the run on a third, and delete the wrong unit");
        Files.delete(other.file(key));

        // One is damaged, one is missing, one has the name of another.
        Path damaged = one.file(new UnitKey(0, 1, 0));
        byte[] bytes = Files.readAllBytes(damaged);
        bytes[bytes.length / 2] ^= 1;
        Files.write(damaged, bytes);
        Files.delete(one.file(new UnitKey(1, 1, 1)));
        Files.copy(one.file(new UnitKey(0, 0, 0)), one.file(new UnitKey(0, 0, 7)));
        UnitCollection found = collection(points, both);
        assertThat(found.missing()).containsExactly(new UnitKey(0, 1, 0), new UnitKey(1, 1, 1));
        assertThat(found.problems())
                .containsExactly(
                        damaged + ": is truncated or damaged: its checksum is wrong",
                        one.file(new UnitKey(0, 0, 7))
                                + ": is not a unit of this experiment, which has no unit of this name");
        assertThatThrownBy(() -> found.want(ExperimentUnits.all(points))).hasMessageContaining("2 units are missing");

        // A complete one in another directory is enough.
        other.write(new UnitKey(0, 1, 0), one.encode(new UnitKey(0, 1, 0), foreign.read(key)));
        assertThat(collection(points, both).notes())
                .containsExactly(damaged
                        + ": is truncated or damaged: its checksum is wrong; another directory has it complete");
    }

    private static UnitCollection collection(List<Experiment> points, List<Path> results) {
        return new UnitCollection(results, ExperimentUnits.all(points), ExperimentUnits.stamps(points, VERSION));
    }

    @Test
    void aFailedRunKeepsNoOtherFromBeingRun() throws InterruptedException {
        List<Experiment> points = read(SWEEP);
        ExperimentRunner failing = new ExperimentRunner(
                new Policies(), VERSION, 2, ProgressListener.NONE, (point, policy, replication) -> {
                    if (replication == 1 && policy.label().equals("bf-js")) {
                        throw new IllegalStateException("planted");
                    }
                    return RunObserver.NONE;
                });
        UnitStore store = store(points, "failing");
        assertThatThrownBy(() -> failing.fill(points, ExperimentUnits.all(points), store, note -> {}))
                .isInstanceOf(RunFailedException.class)
                .hasMessageContaining("bf-js")
                .hasMessageContaining("replication 1")
                .hasMessageContaining("planted");
        assertThat(UnitStore.files(directory.resolve("failing"))).hasSize(12 - 2);
    }

    @Test
    void nothingIsLeftOfAUnitThatWasNotWritten() throws IOException, InterruptedException {
        List<Experiment> points = read(JOBS);
        runner().fill(points, ExperimentUnits.all(points), store(points, "kept"), note -> {});
        try (Stream<Path> files = Files.walk(directory.resolve("kept"))) {
            assertThat(files.filter(Files::isRegularFile).sorted(Comparator.naturalOrder()))
                    .extracting(file -> file.getFileName().toString())
                    .containsExactly("policy-0-replication-0.unit", "policy-0-replication-1.unit");
        }
    }
}
