package dev.stowage.optimize.bound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The least cost of servers against every packing of small cases. */
final class CheapestServersTest {
    private static final double TOLERANCE = 1e-9;

    private static CheapestServers.LeastCost solve(
            long[][] capacity, double[] price, long[][] demand, double[] number, double leftOut) {
        return new CheapestServers(capacity, price, demand).solve(number, leftOut, TOLERANCE, 1000);
    }

    /** Ten of 5 by 3 to servers of 10 by 10: two to a server; of 20 by 12 at 1.9: four. */
    @Test
    void byHand() {
        CheapestServers.LeastCost answer = solve(
                new long[][] {{10, 10}, {20, 12}}, new double[] {1, 1.9}, new long[][] {{5, 3}}, new double[] {10}, 0);
        assertThat(answer.atLeast()).isEqualTo(4.75, within(1e-6));
        assertThat(answer.atMost()).isEqualTo(4.75, within(1e-6));
        assertThat(answer.servers()[0]).isZero();
        assertThat(answer.servers()[1]).isEqualTo(2.5, within(1e-6));
        // A server of 10 by 10 would have to cost less than half of what one of four costs.
        assertThat(answer.worth()[0]).isEqualTo(0.95, within(1e-6));
        assertThat(answer.prices()[0]).isEqualTo(0.475, within(1e-6));
        assertThat(solve(new long[][] {{10, 10}}, new double[] {1}, new long[][] {{5, 3}}, new double[] {10}, 4)
                        .atLeast())
                .isEqualTo(3, within(1e-6));
    }

    /** Alone a server holds one of 6 or two of 4: 1.5. The second round knows that it holds one of each. */
    @Test
    void roundsAreLimited() {
        CheapestServers servers = new CheapestServers(new long[][] {{10}}, new double[] {1}, new long[][] {{6}, {4}});
        double[] number = {1, 1};
        assertThat(servers.solve(number, 0, TOLERANCE, 1).atMost()).isEqualTo(1.5, within(1e-6));
        assertThat(servers.solve(number, 0, TOLERANCE, 2).atMost()).isEqualTo(1, within(1e-6));
    }

    /** Of kinds that are alike one was sought; at another price and for other numbers it is of use, too. */
    @Test
    void beginsWithWhatWasFound() {
        long[][] demand = {{6}, {4}};
        CheapestServers before = new CheapestServers(new long[][] {{7}, {10}, {10}}, new double[] {1, 1, 1}, demand);
        before.solve(new double[] {1, 1}, 0, TOLERANCE, 2);
        assertThat(before.found(2)).containsExactly(new int[] {1, 1});
        CheapestServers servers = new CheapestServers(new long[][] {{10}}, new double[] {2}, demand);
        servers.startWith(0, before.found(2));
        assertThat(servers.solve(new double[] {3, 3}, 0, TOLERANCE, 1).atMost()).isEqualTo(6, within(1e-6));
    }

    @Test
    void neverAboveTheOptimum() {
        Random random = new Random(3);
        int near = 0;
        for (int round = 0; round < 300; round++) {
            long[][] capacity = {{4 + random.nextInt(5), 4 + random.nextInt(5)}, {9 + random.nextInt(5), 9}};
            double[] price = {1, 1 + random.nextInt(20) / 10.0};
            int n = 1 + random.nextInt(6);
            long[][] each = new long[n][];
            for (int i = 0; i < n; i++) {
                each[i] = new long[] {1 + random.nextInt(4), 1 + random.nextInt(4)};
            }
            int leftOut = random.nextInt(2);
            double[] number = new double[n];
            Arrays.fill(number, 1);
            double atLeast = solve(capacity, price, each, number, leftOut).atLeast();
            double optimum = optimum(capacity, price, each, leftOut);
            assertThat(atLeast).as("round %d", round).isLessThanOrEqualTo(optimum + 1e-9);
            near += atLeast > 0.7 * optimum ? 1 : 0;
        }
        assertThat(near).isGreaterThan(100);
    }

    /** Tries every set of requests on every kind of server: the cheapest partition. */
    private static double optimum(long[][] capacity, double[] price, long[][] each, int leftOut) {
        int all = 1 << each.length;
        double[] one = new double[all];
        double[] cost = new double[all];
        for (int set = 1; set < all; set++) {
            one[set] = Double.POSITIVE_INFINITY;
            for (int l = 0; l < capacity.length; l++) {
                one[set] = fits(capacity[l], each, set) ? Math.min(one[set], price[l]) : one[set];
            }
            cost[set] = one[set];
            for (int part = (set - 1) & set; part > 0; part = (part - 1) & set) {
                cost[set] = Math.min(cost[set], one[part] + cost[set ^ part]);
            }
        }
        double least = Double.POSITIVE_INFINITY;
        for (int set = 0; set < all; set++) {
            if (Integer.bitCount(set) >= each.length - leftOut) {
                least = Math.min(least, cost[set]);
            }
        }
        return least;
    }

    private static boolean fits(long[] capacity, long[][] each, int set) {
        long[] sum = new long[capacity.length];
        for (int i = 0; i < each.length; i++) {
            for (int r = 0; r < sum.length; r++) {
                sum[r] += (set >> i & 1) == 1 ? each[i][r] : 0;
            }
        }
        return sum[0] <= capacity[0] && sum[1] <= capacity[1];
    }

    @Test
    void badInput() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new CheapestServers(new long[][] {{1}}, new double[] {0}, new long[][] {{1}}));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new CheapestServers(new long[0][], new double[0], new long[][] {{1}}));
    }
}
