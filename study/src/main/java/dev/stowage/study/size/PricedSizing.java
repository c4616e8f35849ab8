package dev.stowage.study.size;

import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.ExperimentRunner;
import dev.stowage.sim.experiment.SizeQuestion;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The cheapest mix of servers of several kinds that meets a target in every replication, and a bound for any policy:
 * the linear program of configurations over the kinds at the worst moment of the first replication.
 */
public final class PricedSizing {
    private final Experiment point;
    private final SizeQuestion question;
    private final PolicyFactory policies;
    private final double[] price;
    private final ServerFleet fleet;
    private final List<Requests> requests;
    private final PricedBound bound;

    /**
     * For an experiment whose blocks of servers are the kinds; their numbers of servers are ignored.
     *
     * @param price of a server by block, in order of sites, above 0
     */
    public PricedSizing(Experiment point, SizeQuestion question, PolicyFactory policies, double[] price) {
        this.point = point;
        this.question = question;
        this.policies = policies;
        this.price = price.clone();
        // One of each kind, so that every request that fits a kind counts.
        long[] one = new long[price.length];
        Arrays.fill(one, 1);
        fleet = ServerFleet.of(ServerFleet.with(point.cluster(), one), "");
        requests = IntStream.range(0, point.replications())
                .parallel()
                .mapToObj(r -> Requests.of(point, question, fleet, seed(r)))
                .toList();
        bound = PricedBound.of(point, question, fleet, price, seed(0));
    }

    /** How many kinds of servers an experiment has. */
    public static int kinds(Experiment point) {
        return blocks(point).size();
    }

    /** Amounts of a server of each kind in words. */
    public static List<String> names(Experiment point) {
        return SizeWords.kinds(point);
    }

    private static List<ServerBlock> blocks(Experiment point) {
        return point.cluster().sites().stream()
                .flatMap(site -> site.servers().stream())
                .toList();
    }

    private long seed(int replication) {
        return ExperimentRunner.seed(point.seed(), replication);
    }

    /**
     * A lower bound of the cost under any policy, and what its program says about the kinds.
     *
     * @param atLeast no servers cost less
     * @param mix the program's numbers of servers by kind, as fractions
     * @param worth value, at the program's prices, of what a server of the kind can hold: the kind pays only below this
     *     price
     */
    public record Least(double atLeast, List<Double> mix, List<Double> worth) {}

    /** The bound for any policy. */
    public Least least() {
        return bound.least();
    }

    /** What it follows from, of the requests of the first replication; null where no server is needed. */
    public @Nullable BoundCertificate certificate() {
        return Certifier.of(point, fleet, price, bound, seed(0));
    }

    /**
     * The result for a policy.
     *
     * @param servers by kind; empty if no mix that was tried meets the target
     * @param cost of them
     * @param tried every mix that was run, and whether it met the target
     * @param ranOut whether the search ended because it had run as many mixes as it may
     */
    public record Cheapest(List<Long> servers, double cost, Map<List<Long>, Boolean> tried, boolean ranOut) {}

    /** The cheapest mix found. */
    public Cheapest cheapest(PolicySpec policy) {
        if (requests.stream().anyMatch(each -> each.bound().hopeless())) {
            return new Cheapest(List.of(), 0, Map.of(), false);
        }
        Trial trial = new Trial(point, question, policies, policy);
        CheapestFleet search = new CheapestFleet(
                point.cluster(),
                price,
                servers -> IntStream.range(0, point.replications())
                        .parallel()
                        .allMatch(r -> trial.meets(servers, seed(r), () -> requests.get(r))));
        double[] mix =
                bound.least().mix().stream().mapToDouble(Double::doubleValue).toArray();
        long most = requests.stream()
                .mapToLong(each -> each.bound().requests())
                .max()
                .orElse(1);
        CheapestFleet.Found found = search.search(mix, Math.max(1, most));
        return new Cheapest(
                Arrays.stream(found.servers()).boxed().toList(),
                found.cost(),
                new LinkedHashMap<>(found.tried()),
                found.ranOut());
    }
}
