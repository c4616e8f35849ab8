package dev.stowage.study.size;

import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.ExperimentRunner;
import dev.stowage.sim.experiment.SizeQuestion;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
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
    /** By block; 0 for what stays. */
    private final double[] given;
    /** Of all blocks. */
    private final double[] prices;
    /** Servers that are there and stay, by block; 0 for one of a kind that is bought. */
    private final long[] kept;

    private final ServerFleet fleet;
    private final Packing packing;
    private @Nullable List<Requests> requests;
    private final PricedBound bound;
    private final @Nullable Hindsight plan;
    /** What is bought costs so much at least; below 0 before that is asked for. */
    private double leastToBuy = -1;

    /**
     * For an experiment whose blocks of servers are the kinds; their numbers of servers are ignored.
     *
     * @param price of a server by block, in order of sites, above 0; or 0 for servers that are there and stay, in the
     *     number that the block has
     */
    public PricedSizing(Experiment point, SizeQuestion question, PolicyFactory policies, double[] price) {
        this(point, question, policies, price, Packing.ANEW);
    }

    PricedSizing(Experiment point, SizeQuestion question, PolicyFactory policies, double[] price, Packing packing) {
        this.point = point;
        this.packing = packing;
        this.question = question;
        this.policies = policies;
        given = price.clone();
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
        plan = Hindsight.ofMovable(point, question, fleet);
        // Blocks that are alike are one kind of the fleet.
        double[] kinds = fleet.kinds().length == prices.length
                ? prices
                : new double[] {Arrays.stream(prices).min().orElse(1)};
        bound = PricedBound.of(point, question, fleet, kinds, seed(0), packing);
    }

    /** A server on offer. */
    public record Offer(ServerBlock server, double price) {}

    /** An experiment whose servers are those that stay, and of each site one of each on offer for it, with prices. */
    public record Beside(Experiment point, double[] price) {
        /** For sites with servers that stay. */
        public static Beside of(Experiment point, List<Site> stay, Function<Site, Stream<Offer>> offers) {
            List<Site> sites = new ArrayList<>();
            List<Double> prices = new ArrayList<>();
            for (Site site : stay) {
                List<ServerBlock> all = new ArrayList<>(site.servers());
                all.forEach(block -> prices.add(0.0));
                offers.apply(site).forEach(offer -> {
                    all.add(offer.server());
                    prices.add(offer.price());
                });
                sites.add(new Site(site.name(), all, site.pooled()));
            }
            return new Beside(
                    point.with(point.cluster().withSites(sites)),
                    prices.stream().mapToDouble(Double::doubleValue).toArray());
        }
    }

    /** For such an experiment. */
    public PricedSizing(Beside beside, SizeQuestion question, PolicyFactory policies) {
        this(beside.point(), question, policies, beside.price());
    }

    /** By replication; computed where a mix is sought. */
    private List<Requests> requests() {
        List<Requests> known = requests;
        if (known == null) {
            known = packing.replications(point.replications())
                    .mapToObj(r -> Requests.of(point, question, fleet, seed(r), packing))
                    .toList();
            requests = known;
        }
        return known;
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
     * these, with that of the servers to spare, and up to the next cost that whole servers have. Where any site may be
     * lost, what is bought for the others is enough beside what stays there; summed over all sites, that counts each
     * server as often as there are other sites.
     */
    public double leastToBuy() {
        leastToBuy = leastToBuy < 0 ? least(question.spareSite()) : leastToBuy;
        return leastToBuy;
    }

    private double least(boolean anySite) {
        if (anySite && point.workload().isInventory()) {
            double[] without = point.cluster().sites().stream()
                    .mapToDouble(this::leastWithout)
                    .toArray();
            double part = Arrays.stream(without).sum() / (without.length - 1) * (1 - ROUNDING);
            double most = Math.max(part, Arrays.stream(without).max().orElse(0));
            return most <= 0 ? 0 : whole(most, Arrays.stream(price).distinct().toArray());
        }
        Least least = bound.least();
        PeakBound.Rule rule = bound.rule();
        boolean moment = rule != null && bound.run() == null && rule.allowed() == 0;
        double[] worth = IntStream.range(0, kept.length)
                .mapToDouble(l -> least.worth().get(Math.min(l, least.worth().size() - 1)))
                .toArray();
        double cost = least.atLeast();
        double spare = 0;
        double bought = Double.POSITIVE_INFINITY;
        for (int l = 0; l < kept.length; l++) {
            cost -= kept[l] * worth[l] * (1 + ROUNDING);
            // Of each kind the fullest are lost, so what is left without any of them must be enough.
            if (point.workload().isInventory() && (kept[l] >= question.spareServers() || kept.length == 1)) {
                spare = Math.max(spare, question.spareServers() * worth[l] * (1 - ROUNDING));
            }
            bought = kept[l] > 0 ? bought : Math.min(bought, worth[l] * (1 - ROUNDING));
        }
        boolean stay = Arrays.stream(kept).sum() > 0;
        double configurations = (stay && !moment) || cost + spare <= 0 ? 0 : cost + spare;
        double most = Math.max(configurations, stay || loses() ? beside() : 0);
        if (most > 0 && moment && loses()) {
            // Something is bought, so at least one of its kind is lost in some way.
            most = Math.max(most, cost + bought);
        }
        most = Math.max(most, apart() * Arrays.stream(price).min().orElse(0));
        return most <= 0 ? 0 : whole(most, price);
    }

    /** The same for what is bought for the other sites if one is lost: of these all kinds count as one place. */
    private double leastWithout(Site lost) {
        List<ServerBlock> stay = new ArrayList<>();
        Set<Offer> offers = new LinkedHashSet<>();
        int next = 0;
        for (Site site : point.cluster().sites()) {
            for (ServerBlock block : site.servers()) {
                double its = given[next++];
                if (!site.equals(lost) && its > 0) {
                    offers.add(new Offer(block, its));
                } else if (!site.equals(lost)) {
                    stay.add(block);
                }
            }
        }
        if (offers.isEmpty()) {
            return 0;
        }
        List<Site> all = List.of(new Site(lost.name(), stay, lost.pooled()));
        Beside beside = Beside.of(point, all, any -> offers.stream());
        return new PricedSizing(beside.point(), question.withSpareSite(false), policies, beside.price(), packing)
                .leastToBuy();
    }

    /** Which of the kinds that are bought are the same at several sites of which any may be lost; else each alone. */
    private Collection<List<Integer>> alike() {
        List<ServerBlock> blocks = blocks(point);
        int[] bought = IntStream.range(0, kept.length).filter(l -> kept[l] == 0).toArray();
        return IntStream.range(0, bought.length)
                .boxed()
                .collect(Collectors.groupingBy(
                        i -> question.spareSite()
                                ? List.of(blocks.get(bought[i]).capacity())
                                : List.of(i),
                        LinkedHashMap::new,
                        Collectors.toList()))
                .values();
    }

    /** How many servers must be bought because some requests are kept apart. */
    private long apart() {
        PeakBound.Rule rule = bound.rule();
        if (rule == null || !point.workload().isConstrained()) {
            return 0;
        }
        RequestList list = RequestList.of(point, seed(0));
        long left = PresentNeed.Apart.of(point, list, rule.types(), Sweep.fitting(list, fleet), rule.allowed())
                .servers();
        return left == 0
                ? 0
                : left + question.spareServers() - Arrays.stream(kept).sum();
    }

    /** Whether all that is there must run also without some of the servers of any one kind. */
    private boolean loses() {
        return point.workload().isInventory() && question.spareServers() > 0;
    }

    /**
     * The cost of what is missing at moments at which all that is there must run: for all of it, and for those requests
     * alone that fit some of the kinds only.
     */
    private double beside() {
        List<ServerBlock> blocks = blocks(point);
        double cost = 0;
        for (long[] present : bound.present()) {
            List<BitSet> fitting = Arrays.stream(bound.demands())
                    .map(demand -> fitting(demand, blocks))
                    .toList();
            Set<BitSet> some = new LinkedHashSet<>();
            IntStream.range(0, present.length)
                    .filter(k -> present[k] > 0 && !fitting.get(k).isEmpty())
                    .forEach(k -> some.add(fitting.get(k)));
            BitSet any = new BitSet();
            some.forEach(any::or);
            some.add(any);
            for (BitSet kinds : some) {
                double[] held = new double[blocks.get(0).capacity().size()];
                for (int k = 0; k < present.length; k++) {
                    BitSet others = (BitSet) fitting.get(k).clone();
                    others.andNot(kinds);
                    boolean counts = others.isEmpty() && !fitting.get(k).isEmpty();
                    held = counts ? more(held, (double) present[k], bound.demands()[k]) : held;
                }
                cost = Math.max(cost, beside(kinds, held, blocks));
            }
        }
        return cost;
    }

    private static BitSet fitting(long[] demand, List<ServerBlock> blocks) {
        BitSet kinds = new BitSet();
        IntStream.range(0, blocks.size())
                .filter(l -> ServerFleet.fits(demand, blocks.get(l)))
                .forEach(kinds::set);
        return kinds;
    }

    /** The cost of what is missing where requests that hold so much fit these kinds only. */
    private double beside(BitSet kinds, double[] held, List<ServerBlock> blocks) {
        int[] buy = IntStream.range(0, kept.length).filter(l -> kept[l] == 0).toArray();
        int[] some =
                IntStream.range(0, buy.length).filter(i -> kinds.get(buy[i])).toArray();
        if (some.length == 0) {
            return 0;
        }
        long[][] offered = Arrays.stream(some)
                .mapToObj(i -> blocks.get(buy[i]).capacity().toArray())
                .toArray(long[][]::new);
        double[] its = Arrays.stream(some).mapToDouble(i -> price[i]).toArray();
        int[] stay = kinds.stream().filter(l -> kept[l] > 0).toArray();
        double[] missing = held;
        for (int l : stay) {
            missing = more(missing, (double) -kept[l], blocks.get(l).capacity().toArray());
        }
        LeastBeside program = new LeastBeside(offered, its);
        double cost = Math.max(program.cost(missing), stay.length == 0 ? fewest(its) : 0);
        for (int l : loses() ? stay : new int[0]) {
            // Of each kind the fullest are lost, so what is left without any of them must be enough.
            if (kept[l] >= question.spareServers()) {
                cost = Math.max(
                        cost,
                        program.cost(more(
                                missing,
                                question.spareServers(),
                                blocks.get(l).capacity().toArray())));
            }
        }
        return whole(loses() && cost > 0 ? Math.max(cost, losingBought(offered, its, missing)) : cost, its);
    }

    /** What a request that fits no server that stays costs: a server, and so many more of its kind, or another kind. */
    private double fewest(double[] its) {
        double[] cheapest = Arrays.stream(its).sorted().toArray();
        double another = cheapest.length > 1 ? cheapest[1] : Double.POSITIVE_INFINITY;
        return cheapest[0] + (loses() ? Math.min(question.spareServers() * cheapest[0], another) : 0);
    }

    /**
     * The same where something is bought: the least over which kind is the dearest of it. Without all the spare servers
     * of that kind, or without all of them if they are fewer, what is left must be enough.
     */
    private double losingBought(long[][] offered, double[] its, double[] missing) {
        int[] cheapestFirst = IntStream.range(0, its.length)
                .boxed()
                .sorted(Comparator.comparingDouble(l -> its[l]))
                .mapToInt(Integer::intValue)
                .toArray();
        double least = Double.POSITIVE_INFINITY;
        for (int kinds = 1; kinds <= its.length; kinds++) {
            int dearest = cheapestFirst[kinds - 1];
            double[] all = more(missing, question.spareServers(), offered[dearest]);
            least = Math.min(least, costOf(offered, its, cheapestFirst, kinds, all));
            if (question.spareServers() > 1) {
                least = Math.min(least, its[dearest] + costOf(offered, its, cheapestFirst, kinds - 1, missing));
            }
        }
        return least;
    }

    /** What is missing costs so much with the first kinds of an order; infinite if there are none. */
    private static double costOf(long[][] offered, double[] its, int[] order, int kinds, double[] missing) {
        int[] some = Arrays.copyOf(order, kinds);
        boolean enough = Arrays.stream(missing).allMatch(each -> each <= 0);
        return kinds == 0
                ? enough ? 0 : Double.POSITIVE_INFINITY
                : new LeastBeside(
                                Arrays.stream(some).mapToObj(l -> offered[l]).toArray(long[][]::new),
                                Arrays.stream(some).mapToDouble(l -> its[l]).toArray())
                        .cost(missing);
    }

    private static double[] more(double[] amounts, double times, long[] capacity) {
        return IntStream.range(0, amounts.length)
                .mapToDouble(r -> amounts[r] + times * capacity[r])
                .toArray();
    }

    /** The least cost of whole servers that is not below this one; the same where there are many kinds or servers. */
    private static double whole(double cost, double[] its) {
        double combinations = 1;
        for (double each : its) {
            combinations *= cost / each + 2;
        }
        return combinations > MOST_COMBINATIONS ? cost : whole(cost * (1 - ROUNDING), its, 0);
    }

    private static double whole(double cost, double[] its, int kind) {
        if (kind == its.length - 1) {
            return Math.max(0, Math.ceil(cost / its[kind])) * its[kind];
        }
        double least = Double.POSITIVE_INFINITY;
        for (long n = 0; n <= Math.max(0, Math.ceil(cost / its[kind])); n++) {
            least = Math.min(least, n * its[kind] + whole(cost - n * its[kind], its, kind + 1));
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
                                        * requests().stream()
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
                        alike(), mix, () -> point.workload().isInventory() ? leastToBuy() : Double.POSITIVE_INFINITY));
    }

    /** The cheapest mix found of at most so many of each kind. */
    public Cheapest cheapest(PolicySpec policy, List<Long> atMost) {
        return found(
                policy,
                atMost.stream().mapToLong(Long::longValue).toArray(),
                search -> search.within(CheapestFleet.MOST_TRIALS));
    }

    private Cheapest found(PolicySpec policy, long[] most, Function<CheapestFleet, CheapestFleet.Found> how) {
        List<Requests> all = requests();
        if (all.stream().anyMatch(each -> each.bound().hopeless())) {
            return new Cheapest(List.of(), 0, Map.of(), false);
        }
        Trial trial = new Trial(point, question, policies, policy, plan);
        CheapestFleet.Found found = how.apply(new CheapestFleet(
                price,
                most,
                servers -> Arrays.stream(with(servers)).sum() > 0
                        && IntStream.range(0, point.replications())
                                .parallel()
                                .allMatch(r -> trial.meets(
                                        ServerFleet.with(point.cluster(), with(servers)), seed(r), () -> all.get(r)))));
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
