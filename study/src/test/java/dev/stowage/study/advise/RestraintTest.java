package dev.stowage.study.advise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which servers are emptied under a restraint, by hand. */
final class RestraintTest {
    private static OptionalDouble price(ClusterServer server) {
        String price = server.labels().get("price");
        return price == null ? OptionalDouble.empty() : OptionalDouble.of(Double.parseDouble(price));
    }

    /** Servers of 10 units with prices (null for none), and on each jobs of one unit. */
    private static ClusterState cluster(@Nullable String[] prices, int... jobs) {
        List<ClusterServer> servers = new ArrayList<>();
        List<ClusterJob> all = new ArrayList<>();
        for (int s = 0; s < prices.length; s++) {
            TreeMap<String, String> labels = new TreeMap<>();
            if (prices[s] != null) {
                labels.put("price", prices[s]);
            }
            servers.add(new ClusterServer("s" + s, new long[] {10}, labels, ""));
            for (int j = 0; j < jobs[s]; j++) {
                all.add(ClusterJob.movable(
                        "j" + s + "-" + j, new long[] {1}, s, ServerAdmission.everywhere(prices.length)));
            }
        }
        return new ClusterState(List.of("cpu"), servers, all, List.of(), List.of());
    }

    private static Restraint restraint(double least, int spare, long room) {
        return new Restraint(
                server -> "",
                RestraintTest::price,
                job -> job.name().startsWith("j1") ? 4 : 1,
                least,
                spare,
                state -> room == 0
                        ? null
                        : new ClusterAdvice.Addition(
                                room,
                                new long[] {2},
                                ServerAdmission.everywhere(state.servers().size())));
    }

    @Test
    void theScoreIsThePartOfThePriceByThePartOfTheDisruption() {
        // Prices 4 in all. Disruption 1 + 2, 1 + 2 * 4, 1 + 5: 18 in all.
        ClusterState state = cluster(new String[] {"1", "1", "2"}, 2, 2, 5);
        Restraint.Scores scores = restraint(0, 0, 0).new Scores(state);
        assertThat(scores.best(0)).isCloseTo(.25 / (3 / 18.), within(1e-12));
        assertThat(scores.best(1)).isCloseTo(.25 / (9 / 18.), within(1e-12));
        assertThat(scores.best(2)).isCloseTo(.5 / (6 / 18.), within(1e-12));
        // A single server has score 1, as in the RFC.
        assertThat(restraint(0, 0, 0).new Scores(cluster(new String[] {"3"}, 7)).best(0))
                .isEqualTo(1);
    }

    @Test
    void whatDoesNotPayStays() {
        ClusterState state = cluster(new String[] {"1", "1", "2"}, 2, 2, 5);
        assertThat(NextServers.of(state, Map.of(), restraint(0, 0, 0), 9).next())
                .hasSize(2);
        NextServers found = NextServers.of(state, Map.of(), restraint(.6, 0, 0), 9);
        assertThat(found.next()).containsOnlyKeys("s0", "s2");
        assertThat(found.kept())
                .containsEntry("s1", "its price does not pay for the disruption: score 0.50, below 0.60");
        assertThat(NextServers.of(state, Map.of("s0", "x", "s2", "y"), restraint(.6, 0, 0), 9)
                        .next())
                .isEmpty();
    }

    @Test
    void aServerWithoutAPriceStays() {
        NextServers found =
                NextServers.of(cluster(new String[] {"1", null, "1"}, 1, 1, 1), Map.of(), restraint(.5, 0, 0), 9);
        assertThat(found.next()).hasSize(2).doesNotContainKey("s1");
        assertThat(found.kept()).containsEntry("s1", "its price is not known");
    }

    @Test
    void roomRemains() {
        // 12 jobs on 4 servers. On two there would be 9 and 3: room for 3 of 2 units. Emptied ones are closed.
        ClusterState state = cluster(new String[] {"1", "1", "1", "1"}, 3, 3, 3, 3);
        assertThat(NextServers.of(state, Map.of(), restraint(0, 0, 3), 9).next())
                .hasSize(2);
        NextServers found = NextServers.of(state, Map.of(), restraint(0, 0, 4), 9);
        assertThat(found.next()).hasSize(1);
        assertThat(found.limit()).isEqualTo("there would be room for 3 of the 4 jobs for which it must remain");
        assertThat(NextServers.of(state, Map.of(), restraint(0, 0, 99), 9).next())
                .isEmpty();
    }

    @Test
    void theFullestMayBeLost() {
        // 12 of 40. On three servers 18 are free wherever they are; with one of them lost its jobs need a place.
        ClusterState state = cluster(new String[] {"1", "1", "1", "1"}, 3, 3, 3, 3);
        NextServers found = NextServers.of(state, Map.of(), restraint(0, 1, 0), 9);
        assertThat(found.next()).hasSize(1);
        assertThat(found.limit()).startsWith("with the 1 fullest lost, ").endsWith(" jobs would have no place");
        // With two lost, 20 units hold the 12 now; after one is emptied there would be 10.
        assertThat(NextServers.of(state, Map.of(), restraint(0, 2, 0), 9).next())
                .isEmpty();
        assertThat(ServerLoss.withoutFullest(state, 2)).isZero();
    }
}
