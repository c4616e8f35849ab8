package dev.stowage.study.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.stowage.optimize.bound.LoadCell;
import dev.stowage.optimize.bound.ServerClass;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.workload.RequestStream;
import dev.stowage.sim.workload.Workload;
import dev.stowage.study.TestExperiments;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Loads of small experiments, by hand. */
final class LoadTest {
    private static final long SECOND = 1_000_000_000L;
    private static final double ROUNDING = 1e-12;
    private static final String SERVERS = """
            cluster:
              sites:
                - name: east
                  servers:
                    - {count: 2, cpu: 4}
                    - {count: 1, cpu: 8}
                - {name: west, servers: {count: 3, cpu: 4}}
            policies: [first-fit]
            """;

    @TempDir
    private Path directory;

    /**
     * Rate times mean service time: 24 / h x 10 min = 4, and 2 / min x 30 s = 1; 0 for a resource of the cluster that
     * nobody demands.
     */
    @Test
    void ofTypesItIsRateTimesMeanServiceTime() {
        Experiment experiment = TestExperiments.of(SERVERS + """
                workload:
                  types:
                    - {name: a, rate: 24 / h, demand: {cpu: 1}, service: {exponential: 10 min}}
                    - {name: b, rate: 2 / min, demand: {cpu: 2}, service: {deterministic: 30 s}}
                horizon: 1 h
                warm-up: none
                """);
        OfferedLoad load = OfferedLoad.of(experiment).get(0);
        assertThat(load.requests()).isCloseTo(5, within(ROUNDING));
        assertThat(load.cells().get(0).load()).isCloseTo(4, within(ROUNDING));
        assertThat(load.cells().get(1).load()).isCloseTo(1, within(ROUNDING));
        assertThat(load.cells().get(1).least()).containsExactly(2000);
        assertThat(TypeLoads.of(experiment, 0).get(0).byType()).containsExactly(new double[] {4, 1}, within(ROUNDING));
    }

    /**
     * Requests of 10, 30 and 100 s at 0, 10 and 20 s, cut at 40 s: 10 + 30 + 20 = 60 s of work in 40 s. In the first
     * half the first and 10 s of the second, in the other half 20 s of the second and of the third. The last arrives
     * when the run ends.
     */
    @Test
    void ofATraceItIsTheWorkWithinTheRun() throws IOException {
        Files.writeString(directory.resolve("trace.csv"), """
                arrival_s,duration_s,cpu_milli
                0,10,1000
                10,30,2000
                20,100,1000
                40,10,1000
                """);
        Experiment experiment = TestExperiments.of(SERVERS + """
                workload:
                  trace: {file: trace.csv}
                horizon: 40 s
                warm-up: none
                """, directory);
        OfferedLoad load = OfferedLoad.of(experiment).get(0);
        assertThat(load.requests()).isCloseTo(1.5, within(ROUNDING));
        // By demand: 1 core 30 s, 2 cores 30 s.
        assertThat(load.cells()).extracting(LoadCell::load).containsExactly(0.75, 0.75);

        long[] halves = {0, 20 * SECOND, 40 * SECOND};
        PresentLoad present =
                PresentLoad.of(experiment, experiment.seed(), halves).orElseThrow();
        assertThat(present.mean()[0]).containsExactly(0.5, 0.5);
        assertThat(present.mean()[1]).containsExactly(1.0, 1.0);

        List<TypeLoads> byType = TypeLoads.of(experiment, 2);
        assertThat(byType).extracting(TypeLoads::fromNanos).containsExactly(0L, 20 * SECOND);
        assertThat(byType.get(0).byType()).containsExactlyInAnyOrder(0.5, 0.5);
        assertThat(byType.get(1).byType()).containsExactlyInAnyOrder(1.0, 1.0);
    }

    /**
     * Of 36 small requests and 4 that have most of the memory: half as many again are 18 and 2, a quarter 9 and 1. For
     * a little more memory two small ones are enough.
     */
    @Test
    void amountsGrowNotNumbers() throws IOException {
        Files.writeString(
                directory.resolve("few.csv"),
                "arrival_s,duration_s,cpu_milli,mem_mib\n" + "0,,2,8\n".repeat(36) + "0,,16,512\n".repeat(4));
        Workload today = TestExperiments.of("""
                cluster: {servers: {count: 9, cpu_milli: 99, mem_mib: 999}}
                policies: [first-fit]
                workload:
                  trace: {file: few.csv}
                """, directory).workload();
        assertThat(memory(today, 1.5)).containsExactly(60, 54 * 8 + 6 * 512);
        assertThat(memory(today, 1.25)).containsExactly(50, 45 * 8 + 5 * 512);
        assertThat(memory(today, 1.254)).containsExactly(52, 47 * 8 + 5 * 512);
    }

    /** 400 requests of as many sizes, 1 to 400: a tenth more is 40 of them, neither the largest nor the smallest. */
    @Test
    void ofManySizesNoneIsPreferred() throws IOException {
        Files.writeString(
                directory.resolve("many.csv"),
                IntStream.rangeClosed(1, 400)
                        .mapToObj(size -> "0,,4," + size + "\n")
                        .collect(Collectors.joining("", "arrival_s,duration_s,cpu_milli,mem_mib\n", "")));
        Workload today = TestExperiments.of("""
                cluster: {servers: {count: 9, cpu_milli: 999, mem_mib: 9999}}
                policies: [first-fit]
                workload:
                  trace: {file: many.csv}
                """, directory).workload();
        for (double times : new double[] {1.1, 1.2, 1.5, 1.9}) {
            long[] found = memory(today, times);
            assertThat((double) found[0]).isBetween(times * 400 - ROUNDING, times * 400 + 1);
            assertThat((double) found[1]).isBetween(times * 80_200 - ROUNDING, times * 80_200 + 400);
        }
    }

    /** Those of one rate are one group, whether they have it by their name or not. */
    @Test
    void typesOfOneRateGrowTogether() {
        LoadGrowth growth =
                new LoadGrowth(0.1, List.of(new LoadGrowth.OfTypes("db", 0.1), new LoadGrowth.OfTypes("web", 0.2)));
        assertThat(growth.groups(1, List.of("db", "web", "other")))
                .extracting(LoadGrowth.Alike::types)
                .containsExactly(List.of(0, 2), List.of(1));
    }

    /** How many requests there are then, and what they demand of the second resource. */
    private static long[] memory(Workload today, double times) {
        long[] found = new long[2];
        RequestStream stream = MoreLoad.of(today).times(times, today).open(0);
        while (stream.next()) {
            found[0]++;
            found[1] += stream.demand(1);
        }
        return found;
    }

    @Test
    void serversAlikeAreAClassOfASiteOrOfAll() {
        var experiment = TestExperiments.of(SERVERS + """
                workload:
                  types: [{name: a, rate: 1 / h, demand: {cpu: 1}, service: {exponential: 10 min}}]
                horizon: 1 h
                """);
        var cluster = experiment.cluster();
        List<ServerClass> classes = new RequestKinds(experiment.workload()).classes(cluster);
        assertThat(ServersUp.bySite(cluster)).extracting(ServerClass::servers).containsExactly(2, 1, 3);
        assertThat(classes).extracting(ServerClass::servers).containsExactly(5, 1);
        assertThat(classes.get(1).capacity()).containsExactly(8000);
    }
}
