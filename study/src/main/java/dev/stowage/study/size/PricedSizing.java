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
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The cheapest mix of servers of several kinds that meets a target in every replication, and a bound for any policy:
 * the linear program of configurations over the kinds at the worst moment of the first replication.
 */
public final class PricedSizing {
    /** In the program, servers that stay cost so many times the dearest: its mix is of the others alone. */
    private static final double KEPT = 1e4;
    /** Far more than the rounding of sums of prices. */
    private static final double ROUNDING = 1e-9;

    private static final double MOST_COMBINATIONS = 1e6;

    private final Experiment point;
    private final SizeQuestion question;
    private final PolicyFactory policies;
    /** By kind that is bought. */
    private final double[] price;
    /** Of all blocks. */
    private final double[] prices;
    /** Servers that are there and stay, by block; 0 for one of a kind that is bought. */
    private final long[] kept;

    private final ServerFleet fleet;
    private final List<Requests> requests;
    private final PricedBound bound;

    /**
     * For an experiment whose blocks of servers are the kinds; their numbers of servers are ignored.
     *
     * @param price of a server by block, in order of sites, above 0; or 0 for servers that are there and stay, in the
     *     number that the block has
     */
    public PricedSizing(Experiment point, SizeQuestion question, PolicyFactory policies, double[] price) {
        this.point = point;
        this.question = question;
        this.policies = policies;
        List<ServerBlock> blocks = blocks(point);
        this.price = Arrays.stream(price).filter(each -> each > 0).toArray();
        double dear = KEPT * Arrays.stream(price).max().orElse(1);
        prices = Arrays.stream(price).map(each -> each > 0 ? each : dear).toArray();
        kept = IntStream.range(0, price.length)
                .mapToLong(l -> price[l] > 0 ? 0 : blocks.get(l).count())
                .toArray();
        // One of each kind, so that every request that fits a kind counts.
        long[] one = new long[price.length];
        Arrays.fill(one, 1);
        fleet = ServerFleet.of(ServerFleet.with(point.cluster(), one), "");
        requests = IntStream.range(0, point.replications())
                .parallel()
                .mapToObj(r -> Requests.of(point, question, fleet, seed(r)))
                .toList();
        // Blocks that are alike are one kind of the fleet.
        double[] kinds = fleet.kinds().length == prices.length
                ? prices
                : new double[] {Arrays.stream(prices).min().orElse(1)};
        bound = PricedBound.of(point, question, fleet, kinds, seed(0));
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

    /**
     * No policy does with servers bought for less beside those that stay: the program's bound without the worth of
     * these, with that of the servers to spare, and up to the next cost that whole servers have.
     */
    public double leastToBuy() {
        Least least = bound.least();
        PeakBound.Rule rule = bound.rule();
        boolean moment = rule != null && bound.run() == null && rule.allowed() == 0;
        double cost = least.atLeast();
        double spare = 0;
        for (int l = 0; l < kept.length; l++) {
            double worth = least.worth().get(Math.min(l, least.worth().size() - 1));
            cost -= kept[l] * worth * (1 + ROUNDING);
            // Of each kind the fullest are lost, so what is left without any of them must be enough.
            if (point.workload().isInventory() && (kept[l] >= question.spareServers() || kept.length == 1)) {
                spare = Math.max(spare, question.spareServers() * worth * (1 - ROUNDING));
            }
        }
        boolean stay = Arrays.stream(kept).sum() > 0;
        double configurations = (stay && !moment) || cost + spare <= 0 ? 0 : cost + spare;
        double most = Math.max(configurations, stay ? beside() : 0);
        return most <= 0 ? 0 : whole(most);
    }

    /** The cost of what is missing of each resource, at moments at which all that is there must run. */
    private double beside() {
        List<ServerBlock> blocks = blocks(point);
        long[][] offered = IntStream.range(0, kept.length)
                .filter(l -> kept[l] == 0)
                .mapToObj(l -> blocks.get(l).capacity().toArray())
                .toArray(long[][]::new);
        LeastBeside program = new LeastBeside(offered, price);
        double cost = 0;
        for (double[] held : bound.held()) {
            double[] missing = held.clone();
            for (int l = 0; l < kept.length; l++) {
                for (int r = 0; r < missing.length; r++) {
                    missing[r] -= (double) kept[l] * blocks.get(l).capacity().get(r);
                }
            }
            cost = Math.max(cost, program.cost(missing));
            for (int l = 0; l < kept.length; l++) {
                // Of each kind the fullest are lost, so what is left without any of them must be enough.
                if (point.workload().isInventory() && kept[l] > 0 && kept[l] >= question.spareServers()) {
                    double[] less = missing.clone();
                    for (int r = 0; r < less.length; r++) {
                        less[r] += (double) question.spareServers()
                                * blocks.get(l).capacity().get(r);
                    }
                    cost = Math.max(cost, program.cost(less));
                }
            }
        }
        return cost;
    }

    /** The least cost of whole servers that is not below this one; the same where there are many kinds or servers. */
    private double whole(double cost) {
        double combinations = 1;
        for (double each : price) {
            combinations *= cost / each + 2;
        }
        return combinations > MOST_COMBINATIONS ? cost : whole(cost * (1 - ROUNDING), 0);
    }

    private double whole(double cost, int kind) {
        if (kind == price.length - 1) {
            return Math.max(0, Math.ceil(cost / price[kind])) * price[kind];
        }
        double least = Double.POSITIVE_INFINITY;
        for (long n = 0; n <= Math.max(0, Math.ceil(cost / price[kind])); n++) {
            least = Math.min(least, n * price[kind] + whole(cost - n * price[kind], kind + 1));
        }
        return least;
    }

    /** What it follows from, of the requests of the first replication; null where no server is needed. */
    public @Nullable BoundCertificate certificate() {
        return Certifier.of(point, fleet, prices, bound, seed(0));
    }

    /**
     * The result for a policy.
     *
     * @param servers to buy by kind, without those that stay; empty if no mix that was tried meets the target
     * @param cost of them
     * @param tried every mix that was run, and whether it met the target
     * @param ranOut whether the search ended because it had run as many mixes as it may
     */
    public record Cheapest(List<Long> servers, double cost, Map<List<Long>, Boolean> tried, boolean ranOut) {}

    /** The cheapest mix found. */
    public Cheapest cheapest(PolicySpec policy) {
        long[] most = new long[price.length];
        Arrays.fill(
                most,
                Math.max(
                        1,
                        question.spareServers()
                                + SizeSearch.AWAY
                                        * requests.stream()
                                                .mapToLong(each -> each.bound().requests())
                                                .max()
                                                .orElse(1)));
        List<Double> all = bound.least().mix();
        double[] mix = IntStream.range(0, kept.length)
                .filter(l -> kept[l] == 0)
                .mapToDouble(l -> all.get(Math.min(l, all.size() - 1)))
                .toArray();
        return found(
                policy,
                most,
                search -> search.search(
                        mix, point.workload().isInventory() ? leastToBuy() : Double.POSITIVE_INFINITY));
    }

    /** The cheapest mix found of at most so many of each kind. */
    public Cheapest cheapest(PolicySpec policy, List<Long> atMost) {
        return found(
                policy,
                atMost.stream().mapToLong(Long::longValue).toArray(),
                search -> search.within(CheapestFleet.MOST_TRIALS));
    }

    private Cheapest found(PolicySpec policy, long[] most, Function<CheapestFleet, CheapestFleet.Found> how) {
        if (requests.stream().anyMatch(each -> each.bound().hopeless())) {
            return new Cheapest(List.of(), 0, Map.of(), false);
        }
        Trial trial = new Trial(point, question, policies, policy);
        CheapestFleet.Found found = how.apply(new CheapestFleet(
                price,
                most,
                servers -> Arrays.stream(with(servers)).sum() > 0
                        && IntStream.range(0, point.replications())
                                .parallel()
                                .allMatch(r -> trial.meets(
                                        ServerFleet.with(point.cluster(), with(servers)),
                                        seed(r),
                                        () -> requests.get(r)))));
        return new Cheapest(
                Arrays.stream(found.servers()).boxed().toList(),
                found.cost(),
                new LinkedHashMap<>(found.tried()),
                found.ranOut());
    }

    /** So many of each kind that is bought, and those that stay. */
    private long[] with(long[] bought) {
        long[] all = kept.clone();
        int next = 0;
        for (int l = 0; l < all.length; l++) {
            all[l] = kept[l] == 0 ? bought[next++] : kept[l];
        }
        return all;
    }
}
