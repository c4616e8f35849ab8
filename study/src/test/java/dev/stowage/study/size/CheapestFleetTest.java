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
}
