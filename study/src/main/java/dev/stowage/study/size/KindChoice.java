package dev.stowage.study.size;

import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.SizeQuestion;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** Which servers of several kinds an inventory at one site takes: of those that are there, or more of them. */
final class KindChoice {
    private static final double SMALLER = 1e-6;
    /** Which kinds to keep is sought in so many runs at least, and as many as place so many requests in all. */
    private static final int FEWEST_TRIALS = 40;

    private static final long TRIED = 4_000_000;

    private final ServerFleet given;
    /** Of equally many the larger ones are taken. */
    private final double[] price;

    KindChoice(ServerFleet given) {
        this.given = given;
        price = new double[given.kinds().length];
        int smaller = 0;
        for (int kind : given.bySize()) {
            price[kind] = 1 + SMALLER * smaller++;
        }
    }

    /** Whether the kinds of such servers are chosen. */
    static boolean applies(Experiment point, ServerFleet given) {
        return point.workload().isInventory()
                && point.cluster().sites().size() == 1
                && given.kinds().length > 1
                && given.kinds().length == given.blocks().size();
    }

    /**
     * How many of each kind to keep of those that are there; all of them if these are not enough.
     *
     * @param meets whether so many of each kind are enough
     */
    long[] kept(long requests, Predicate<long[]> meets) {
        long[] kept = new CheapestFleet(
                        price,
                        given.numbers(),
                        servers -> Arrays.stream(servers).sum() > 0 && meets.test(servers))
                .within((int)
                        Math.max(FEWEST_TRIALS, Math.min(CheapestFleet.MOST_TRIALS, TRIED / Math.max(1, requests))))
                .servers();
        return kept.length == 0 ? given.numbers() : kept;
    }

    /**
     * Those that are there and the fewest more that were found to be enough.
     *
     * @param most more of each kind
     * @param meets whether so many of each kind are enough
     * @param atLeast no fewer more are enough; asked for where some are needed
     */
    long[] withMore(long most, Predicate<long[]> meets, LongSupplier atLeast) {
        long[] there = given.numbers();
        long[] limits = new long[there.length];
        Arrays.fill(limits, most);
        return sum(
                there,
                new CheapestFleet(price, limits, added -> meets.test(sum(there, added)))
                        .search(
                                IntStream.range(0, there.length)
                                        .mapToObj(List::of)
                                        .toList(),
                                new double[there.length],
                                () -> (double) atLeast.getAsLong())
                        .servers());
    }

    private static long[] sum(long[] a, long[] b) {
        return IntStream.range(0, b.length).mapToLong(i -> a[i] + b[i]).toArray();
    }

    /** No policy does with fewer servers more of these kinds, beside all that are there. */
    static long leastMore(Experiment point, SizeQuestion question, PolicyFactory policies, Packing packing) {
        double[] price = new KindChoice(ServerFleet.of(point.cluster(), question)).price;
        Cluster cluster = point.cluster();
        Site site = cluster.sites().get(0);
        List<ServerBlock> all = new ArrayList<>(site.servers());
        site.servers().forEach(block -> all.add(new ServerBlock(1, block.capacity(), List.of(), block.labels())));
        double[] prices = new double[all.size()];
        System.arraycopy(price, 0, prices, price.length, price.length);
        Cluster beside = new Cluster(
                cluster.resources(),
                cluster.pooledResources(),
                List.of(new Site(site.name(), all, site.pooled())),
                cluster.types());
        double least = new PricedSizing(point.with(beside), question, policies, prices, packing).leastToBuy();
        return (long) Math.ceil(least / (1 + SMALLER * (price.length - 1)) - SMALLER);
    }

    /** The experiment with servers of each kind alone, the same number at every site. */
    static Map<String, Experiment> alone(Experiment point, ServerFleet fleet) {
        Map<String, Experiment> alone = new LinkedHashMap<>();
        List<String> names = SizeWords.kinds(point);
        Cluster all = point.cluster();
        boolean uneven = all.sites().stream()
                        .map(site -> site.servers().stream()
                                .mapToInt(ServerBlock::count)
                                .sum())
                        .distinct()
                        .count()
                > 1;
        if (point.workload().isInventory() && fleet.stay() == 0 && (uneven || new HashSet<>(names).size() > 1)) {
            for (int kind : fleet.bySize()) {
                ServerBlock block = fleet.blocks().get(kind);
                List<Site> sites = all.sites().stream()
                        .map(site -> new Site(
                                site.name(),
                                List.of(new ServerBlock(1, block.capacity(), List.of(), block.labels())),
                                site.pooled()))
                        .toList();
                alone.putIfAbsent(
                        names.get(kind),
                        point.with(new Cluster(all.resources(), all.pooledResources(), sites, all.types())));
            }
        }
        return alone;
    }
}
