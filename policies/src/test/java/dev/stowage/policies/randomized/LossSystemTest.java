package dev.stowage.policies.randomized;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.stowage.core.engine.Effects;
import dev.stowage.core.engine.Engine;
import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.policy.View;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Without arrivals all queues stay empty, every tick brings a dummy, and the dummies are the loss system of Definition
 * 1 with w_j = f(0): its configurations have the distribution of Lemma 1, equation (4), and with local queues the
 * product form (8).
 */
class LossSystemTest {
    private static final long SECOND = 1_000_000_000L;
    /** Mean service times between two looks: long enough that what is seen is nearly independent. */
    private static final int APART = 12;

    private static final int LOOKS = 6000;

    private final long[] demand = {2, 3};
    private final double[] means = {1, 0.5};

    /** Known values: capacity 10, sizes 2 and 3, clock rates 2 and 3, mean service 1. */
    @Test
    void closedFormOfTheExample() {
        double[] one = mean(law(new long[] {10}, new double[] {2, 3}, new double[] {1, 1}), 1);
        assertThat(one).containsExactly(new double[] {1.33292, 1.45494}, within(5e-6));
        double[] two = mean(law(new long[] {10, 10}, new double[] {1, 1.5}, new double[] {1, 1}), 2);
        assertThat(two).containsExactly(new double[] {1.72585, 2.24195}, within(5e-6));
    }

    @Test
    void centralOnOneServer() {
        check(RandomizedPolicies.central(options(3, Configuration.ANY)), 3, Configuration.ANY, 10);
    }

    /** Each of two servers is chosen at half of the clock's rate. */
    @Test
    void centralOnUnequalServers() {
        check(RandomizedPolicies.central(options(3, Configuration.ANY)), 1.5, Configuration.ANY, 7, 5);
    }

    /** Each server has clocks of its own: independent servers. */
    @Test
    void distributedOnUnequalServers() {
        check(RandomizedPolicies.distributed(options(1.5, Configuration.ANY), 0, false), 1.5, Configuration.ANY, 7, 5);
    }

    /** Feasible sets that are no sums of demands: two types never meet. */
    @Test
    void nonAdditiveConfigurations() {
        Configuration apart = Configuration.atMostTypes(1);
        check(RandomizedPolicies.central(options(2, apart)), 2, apart, 8);
        check(RandomizedPolicies.distributed(options(2, apart), 0, false), 2, apart, 8);
    }

    private static ClockOptions options(double rate, Configuration configuration) {
        return new ClockOptions(rate, 1, SECOND, Dummies.ALWAYS, configuration);
    }

    /** Looks at the configuration again and again and compares with the law by a chi-square test. */
    private void check(Policy policy, double ratePerServer, Configuration configuration, long... capacities) {
        Map<String, Double> law = law(capacities, new double[] {ratePerServer, ratePerServer}, means, configuration);
        Engine engine = Engine.start(
                cluster(capacities), PolicySpec.of("loss"), spec -> policy, Steps.COMMANDS, 4711, 0, Effects.NONE);
        Map<String, Integer> seen = new TreeMap<>();
        for (int look = 1; look <= LOOKS; look++) {
            engine.tick((long) look * APART * SECOND);
            seen.merge(key(engine.view(), capacities.length), 1, Integer::sum);
        }
        assertThat(law.keySet()).containsAll(seen.keySet());
        double chi = 0;
        int cells = 0;
        double restExpected = 0;
        double restSeen = 0;
        for (Map.Entry<String, Double> state : law.entrySet()) {
            double expected = LOOKS * state.getValue();
            double observed = seen.getOrDefault(state.getKey(), 0);
            if (expected < 5) {
                restExpected += expected;
                restSeen += observed;
            } else {
                chi += (observed - expected) * (observed - expected) / expected;
                cells++;
            }
        }
        if (restExpected > 0) {
            chi += (restSeen - restExpected) * (restSeen - restExpected) / Math.max(restExpected, 1);
            cells++;
        }
        assertThat(cells).isGreaterThan(5);
        assertThat(chi).as("chi-square of %d cells", cells).isLessThan(GoodnessOfFit.chiSquare999(cells - 1));
    }

    private Cluster cluster(long[] capacities) {
        List<ServerBlock> servers = Arrays.stream(capacities)
                .mapToObj(capacity -> new ServerBlock(1, Amounts.of(capacity)))
                .toList();
        return new Cluster(
                List.of(Resource.of("r")),
                List.of(),
                List.of(Site.of("site", servers.toArray(ServerBlock[]::new))),
                List.of(
                        RequestType.of("two", demand[0]).withMeanService((long) (means[0] * SECOND)),
                        RequestType.of("three", demand[1]).withMeanService((long) (means[1] * SECOND))));
    }

    private static String key(View view, int servers) {
        int[] counts = new int[2 * servers];
        for (int server = 0; server < servers; server++) {
            for (int job = view.firstOn(server); job != View.NONE; job = view.next(job)) {
                counts[2 * server + view.type(job)]++;
            }
        }
        return Arrays.toString(counts);
    }

    private Map<String, Double> law(long[] capacities, double[] rates, double[] serviceMeans) {
        return law(capacities, rates, serviceMeans, Configuration.ANY);
    }

    /** Every configuration k with its probability, in proportion to the product of (rate mean)^k / k!. */
    private Map<String, Double> law(
            long[] capacities, double[] rates, double[] serviceMeans, Configuration configuration) {
        Map<String, Double> weights = new TreeMap<>();
        add(weights, new int[2 * capacities.length], 0, 1, capacities, rates, serviceMeans, configuration);
        double sum = weights.values().stream().mapToDouble(Double::doubleValue).sum();
        weights.replaceAll((state, weight) -> weight / sum);
        return weights;
    }

    private void add(
            Map<String, Double> weights,
            int[] counts,
            int at,
            double weight,
            long[] capacities,
            double[] rates,
            double[] serviceMeans,
            Configuration configuration) {
        if (at == counts.length) {
            weights.put(Arrays.toString(counts), weight);
            return;
        }
        int server = at / 2;
        int type = at % 2;
        double product = weight;
        for (int k = 0; ; k++) {
            counts[at] = k;
            long used = 0;
            for (int j = 0; j <= type; j++) {
                used += counts[2 * server + j] * demand[j];
            }
            counts[at] = Math.max(0, k - 1);
            boolean allowed = k == 0 || configuration.allows(counts, 2 * server, 2, type);
            counts[at] = k;
            if (used > capacities[server] || !allowed) {
                break;
            }
            add(weights, counts, at + 1, product, capacities, rates, serviceMeans, configuration);
            product *= rates[type] * serviceMeans[type] / (k + 1);
        }
        counts[at] = 0;
    }

    private static double[] mean(Map<String, Double> law, int servers) {
        double[] mean = new double[2];
        law.forEach((state, probability) -> {
            String[] counts = state.substring(1, state.length() - 1).split(", ", -1);
            for (int i = 0; i < 2 * servers; i++) {
                mean[i % 2] += probability * Integer.parseInt(counts[i]);
            }
        });
        return mean;
    }
}
