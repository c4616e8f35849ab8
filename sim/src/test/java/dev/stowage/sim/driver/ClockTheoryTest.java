package dev.stowage.sim.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.Policies;
import dev.stowage.sim.workload.ArrivalProcess;
import dev.stowage.sim.workload.Demand;
import dev.stowage.sim.workload.Distribution;
import dev.stowage.sim.workload.SyntheticType;
import dev.stowage.sim.workload.SyntheticWorkload;
import dev.stowage.sim.workload.Workload;
import dev.stowage.testkit.MarkovChain;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The policies {@code randomized-central} and {@code randomized-distributed} in the simulator against the stationary
 * distribution of the paper's Markov chain, on systems small enough to compute it exactly.
 */
@Tag("once")
class ClockTheoryTest {
    /** Greatest fraction of time at the cut, so that the error of the means is far below any interval. */
    private static final double CUT = 1e-7;

    private static final int ROOM = 30;
    private static final long REQUESTS = 2_000;
    private static final double PRECISION = 0.17;

    /** One server of capacity 2, one type: states (Q, k). */
    @ParameterizedTest
    @CsvSource({"10, 1, always", "10, 1, never", "2, 1, always", "2, 1, never", "2, 1, keep", "3, 0.5, always"})
    void oneServerOneType(double scale, double exponent, String dummies) {
        check(model(new int[] {2}, scale, exponent, dummies, 0, false));
    }

    /** One server of capacity 3, types of 1 and 2 with different services: (3, 0) and (1, 1) are maximal. */
    @ParameterizedTest
    @CsvSource({"always", "never"})
    void oneServerTwoTypes(String dummies) {
        check(new ClockModel(
                new int[] {3},
                new int[] {1, 2},
                new double[] {0.6, 0.3},
                new double[] {1, 1.5},
                4,
                1,
                dummies,
                0,
                false,
                ROOM));
    }

    /** Central queue, unequal servers: a tick that chooses the full server is lost. */
    @ParameterizedTest
    @CsvSource({"always", "never"})
    void twoServersCentral(String dummies) {
        check(model(new int[] {2, 1}, 3, 1, dummies, 0, false));
    }

    /** Local queues: join the shorter; any of the two; the shorter of two drawn with replacement. */
    @ParameterizedTest
    @CsvSource({"2, false, always", "2, false, never", "1, false, always", "2, true, always"})
    void twoServersDistributed(int choices, boolean withReplacement, String dummies) {
        check(model(new int[] {2, 1}, 3, 1, dummies, choices, withReplacement));
    }

    /** One type of size 1, an arrival per second, mean service 0.9 s. */
    private static ClockModel model(
            int[] capacities, double scale, double exponent, String dummies, int choices, boolean withReplacement) {
        return new ClockModel(
                capacities,
                new int[] {1},
                new double[] {1},
                new double[] {0.9},
                scale,
                exponent,
                dummies,
                choices,
                withReplacement,
                ROOM);
    }

    private static void check(ClockModel model) {
        MarkovChain<ClockModel.State> chain = model.chain();

        assertThat(chain.probability(state -> state.waits() == ROOM)).isLessThan(CUT);
        Cluster cluster = cluster(model);
        SeededRuns runs =
                SeededRuns.of(cluster, workload(model), policy(model), new Policies(), REQUESTS, Steps.COMMANDS, 0);
        double waiting = 0;
        double requestsUse = 0;
        for (int type = 0; type < model.sizes().length; type++) {
            double ofType = model.meanWaiting(chain, type);
            waiting += ofType;
            requestsUse += model.sizes()[type] * model.arrivals()[type] * model.means()[type];
            if (model.sizes().length > 1) {
                // Little: waiting = rate x wait.
                runs.match("wait_mean_s{type=t" + type + "}", ofType / model.arrivals()[type], PRECISION);
            }
        }
        runs.match("queue_length_mean", waiting, PRECISION);
        if (!model.dummies().equals("never")) {
            double use = model.meanUse(chain);
            double dummies =
                    use - requestsUse / Arrays.stream(model.capacities()).sum();
            runs.match("dummy_share{resource=r}", dummies, PRECISION);
        }
    }

    private static Cluster cluster(ClockModel model) {
        ServerBlock[] servers = Arrays.stream(model.capacities())
                .mapToObj(capacity -> new ServerBlock(1, Amounts.of(capacity)))
                .toArray(ServerBlock[]::new);
        return new Cluster(List.of(Resource.of("r")), List.of(), List.of(Site.of("site", servers)), List.of());
    }

    private static Workload workload(ClockModel model) {
        List<SyntheticType> types = new ArrayList<>();
        for (int type = 0; type < model.sizes().length; type++) {
            types.add(SyntheticType.inSeconds(
                    "t" + type,
                    model.arrivals()[type],
                    Demand.fixed(model.sizes()[type]),
                    Distribution.exponential(model.means()[type])));
        }
        return SyntheticWorkload.of(List.of("r"), ArrivalProcess.poisson(), types);
    }

    private static PolicySpec policy(ClockModel model) {
        Map<String, String> parameters = new TreeMap<>(Map.of(
                "scale",
                "" + model.scale(),
                "exponent",
                "" + model.exponent(),
                "dummies",
                model.dummies(),
                "clock-unit-s",
                "1"));
        if (model.choices() == 0) {
            return PolicySpec.of("randomized-central", parameters);
        }
        parameters.put("choices", "" + model.choices());
        parameters.put("sampling", model.withReplacement() ? "with-replacement" : "distinct");
        return PolicySpec.of("randomized-distributed", parameters);
    }
}
