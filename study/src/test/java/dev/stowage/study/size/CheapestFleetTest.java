package dev.stowage.study.size;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.model.Cluster;
import dev.stowage.study.TestExperiments;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A search reports that it has reached its limit of mixes. */
final class CheapestFleetTest {
    private static CheapestFleet.Found search(int kinds, Predicate<Cluster> meets) {
        StringBuilder blocks = new StringBuilder();
        for (int l = 1; l <= kinds; l++) {
            blocks.append(l == 1 ? "" : ", ").append("{count: 1, slots: " + l + "}");
        }
        Cluster cluster = TestExperiments.of("cluster: {servers: [" + blocks + "]}\n"
                        + "workload: {types: [{name: a, rate: 1 / s, service: {exponential: 1 s}, demand: {slots: 1}}]}\n"
                        + "policies: [first-fit]\nhorizon: 1 min\n")
                .cluster();
        double[] price = new double[kinds];
        Arrays.setAll(price, l -> 1 + 0.01 * l);
        double[] mix = new double[kinds];
        mix[0] = 1;
        long[] most = new long[kinds];
        Arrays.fill(most, 10_000);
        return new CheapestFleet(price, most, servers -> meets.test(ServerFleet.with(cluster, servers)))
                .search(
                        IntStream.range(0, price.length).mapToObj(List::of).toList(),
                        mix,
                        () -> Double.POSITIVE_INFINITY);
    }

    @Test
    void enough() {
        CheapestFleet.Found found = search(2, cluster -> ServerFleet.servers(cluster) >= 30);
        assertThat(found.ranOut()).isFalse();
        assertThat(found.servers()).containsExactly(30, 0);
        CheapestFleet.Found none = search(2, cluster -> false);
        assertThat(none.servers()).isEmpty();
        assertThat(none.ranOut()).isFalse();
    }

    /** Each kind alone takes some twenty runs: forty kinds are too many. */
    @Test
    void tooMany() {
        CheapestFleet.Found found = search(40, cluster -> ServerFleet.servers(cluster) >= 1000);
        assertThat(found.ranOut()).isTrue();
        assertThat(Arrays.stream(found.servers()).sum()).isEqualTo(1000);
        assertThat(found.tried()).hasSize(400);
        CheapestFleet.Found none = search(40, cluster -> false);
        assertThat(none.servers()).isEmpty();
        assertThat(none.ranOut()).isTrue();
    }

    /** Two sites, of which the other must be enough without its largest server: none has what is cheaper at both. */
    @Test
    void whatOneSiteHasIsTriedAtEach() {
        double[] price = {26_500, 19_000, 14_000, 26_500, 19_000, 14_000};
        long[] holds = {128, 96, 64};
        for (long load = 200; load < 500; load += 8) {
            long need = load;
            Predicate<long[]> enough = servers -> IntStream.range(0, 2).allMatch(site -> {
                int[] its = IntStream.range(0, 3)
                        .filter(k -> servers[3 * site + k] > 0)
                        .toArray();
                long all = Arrays.stream(its)
                        .mapToLong(k -> servers[3 * site + k] * holds[k])
                        .sum();
                return its.length > 0 && all - holds[its[0]] >= need;
            });
            CheapestFleet.Found found = new CheapestFleet(price, new long[] {99, 99, 99, 99, 99, 99}, enough)
                    .search(
                            List.of(List.of(0, 3), List.of(1, 4), List.of(2, 5)),
                            new double[] {0, need / 96.0, 0, 0, need / 96.0, 0},
                            () -> 0);
            for (int site = 0; site < 2; site++) {
                long[] same = new long[6];
                for (int l = 0; l < 6; l++) {
                    same[l] = found.servers()[3 * site + l % 3];
                }
                double cost = IntStream.range(0, 6)
                        .mapToDouble(l -> price[l] * same[l])
                        .sum();
                assertThat(cost)
                        .as("%d: %s", need, Arrays.toString(found.servers()))
                        .isGreaterThanOrEqualTo(found.cost());
            }
        }
    }
}
