package dev.stowage.study.size;

import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.SizeQuestion;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Which servers of several kinds an inventory takes at one site, or at several of which any may be lost: of those that
 * are there, or more of their kinds, which may come to any site.
 */
final class KindChoice {
    private static final double SMALLER = 1e-6;
    /** Which kinds to keep is sought in so many runs at least, and as many as place so many requests in all. */
    private static final int FEWEST_TRIALS = 40;

    private static final long TRIED = 4_000_000;

    private final ServerFleet given;
    /** By block; of equally many servers the larger ones are taken. */
    private final double[] price;

    KindChoice(ServerFleet given) {
        this.given = given;
        price = new double[given.blocks().size()];
        Map<Amounts, Double> kinds = new LinkedHashMap<>();
        for (int block : given.bySize()) {
            Amounts capacity = given.blocks().get(block).capacity();
            kinds.putIfAbsent(capacity, 1 + SMALLER * kinds.size());
            price[block] = Objects.requireNonNull(kinds.get(capacity));
        }
    }

    /** Whether the kinds of such servers are chosen. */
    static boolean applies(Experiment point, SizeQuestion question, ServerFleet given) {
        return point.workload().isInventory()
                && (point.cluster().sites().size() == 1 || (question.spareSite() && !given.isEven()))
                && given.kinds().length > 1
                && given.kinds().length == given.blocks().size();
    }

    /**
     * How many of each block to keep of those that are there; all of them if these are not enough.
     *
     * @param meets whether so many of each block are enough
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

    /** No policy does with fewer servers more of these kinds, beside all that are there. */
    static long leastMore(Experiment point, SizeQuestion question, PolicyFactory policies, Packing packing) {
        KindChoice choice = new KindChoice(ServerFleet.of(point.cluster(), question));
        return choice.atLeast(choice.more(point, question, policies, packing));
    }

    /** More servers beside all that are there: of each of their kinds, at each of their sites. */
    private PricedSizing more(Experiment point, SizeQuestion question, PolicyFactory policies, Packing packing) {
        List<PricedSizing.Offer> offers = IntStream.range(0, price.length)
                .mapToObj(b -> new PricedSizing.Offer(with(given.blocks().get(b), 1), price[b]))
                .distinct()
                .toList();
        PricedSizing.Beside beside =
                PricedSizing.Beside.of(point, point.cluster().sites(), site -> offers.stream());
        return new PricedSizing(beside.point(), question, policies, beside.price(), packing);
    }

    private long atLeast(PricedSizing more) {
        return (long) Math.ceil(more.leastToBuy() / Arrays.stream(price).max().orElse(1) - SMALLER);
    }

    /**
     * Servers that are there, and more.
     *
     * @param there how many of each block are there
     * @param least no fewer are enough in all
     */
    record Extended(Cluster all, long[] there, long least) {
        /** Whether it is proven that those that are there are not enough. */
        boolean needsMore() {
            return least > Arrays.stream(there).sum();
        }
    }

    /** Those that are there with the fewest more of their kinds that were found; null if none were found. */
    @Nullable
    Extended extended(Experiment point, SizeQuestion question, PolicyFactory policies, Packing packing) {
        PricedSizing more = more(point, question, policies, packing);
        Iterator<Long> bought =
                more.cheapest(point.policies().get(0).spec()).servers().iterator();
        List<ServerBlock> kinds =
                given.blocks().stream().map(block -> with(block, 1)).distinct().toList();
        Cluster there = point.cluster();
        List<Site> sites = new ArrayList<>();
        List<Integer> had = new ArrayList<>();
        for (Site site : there.sites()) {
            List<ServerBlock> all = new ArrayList<>(site.servers());
            all.forEach(block -> had.add(block.count()));
            for (ServerBlock kind : kinds) {
                if (!bought.hasNext()) {
                    return null;
                }
                int count = Math.toIntExact(bought.next());
                int same = all.stream().map(block -> with(block, 1)).toList().indexOf(kind);
                if (same >= 0) {
                    all.set(same, with(kind, all.get(same).count() + count));
                } else if (count > 0) {
                    all.add(with(kind, count));
                    had.add(0);
                }
            }
            sites.add(new Site(site.name(), all, site.pooled()));
        }
        return new Extended(
                there.withSites(sites),
                had.stream().mapToLong(Integer::longValue).toArray(),
                ServerFleet.servers(there) + atLeast(more));
    }

    private static ServerBlock with(ServerBlock block, int count) {
        return new ServerBlock(count, block.capacity(), List.of(), block.labels());
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
                List<ServerBlock> one = List.of(with(fleet.blocks().get(kind), 1));
                List<Site> sites = all.sites().stream()
                        .map(site -> new Site(site.name(), one, site.pooled()))
                        .toList();
                alone.putIfAbsent(names.get(kind), point.with(all.withSites(sites)));
            }
        }
        return alone;
    }
}
