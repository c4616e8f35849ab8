package dev.stowage.study.size;

import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.sim.experiment.SizeQuestion;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Servers whose number is sought, at level n the first n of a list: those of the experiment, of several kinds the
 * largest first. A list that is not enough comes again. Of the first n servers each site has its part (of
 * {@link #first}: first of those, then of the others); of servers that are alike any site may get more where one may
 * be lost ({@link EvenSites}). Blocks that do not grow stay as they are, beside the list.
 */
final class ServerFleet {
    private static final long MOST = Integer.MAX_VALUE;

    private final Cluster cluster;
    /** By block in order of sites: how many the list has; 0 for a block that does not grow. */
    private final long[] list;
    /** Block of each server of the list. */
    private final int[] order;

    private final List<ServerBlock> blocks;
    /** Site of each block. */
    private final int[] site;

    /** How many of each kind that grows the list has. */
    private final long[] numbers;
    /** Which of these kinds have the same capacity. */
    private final Collection<List<Integer>> alike;

    private final @Nullable EvenSites even;

    private ServerFleet(Cluster cluster, long[] list, int[] order) {
        this(cluster, list, order, false);
    }

    private ServerFleet(Cluster cluster, long[] list, int[] order, boolean anySite) {
        this.cluster = cluster;
        this.list = list;
        this.order = order;
        blocks = blocks(cluster);
        numbers = Arrays.stream(list).filter(count -> count > 0).toArray();
        List<List<Long>> kinds = Arrays.stream(kinds())
                .map(kind -> Arrays.stream(kind).boxed().toList())
                .toList();
        alike = IntStream.range(0, numbers.length)
                .boxed()
                .collect(Collectors.groupingBy(kinds::get, LinkedHashMap::new, Collectors.toList()))
                .values();
        site = IntStream.range(0, cluster.sites().size())
                .flatMap(s -> cluster.sites().get(s).servers().stream().mapToInt(block -> s))
                .toArray();
        even = anySite ? new EvenSites(list, order, site) : null;
    }

    private static List<ServerBlock> blocks(Cluster cluster) {
        return cluster.sites().stream().flatMap(site -> site.servers().stream()).toList();
    }

    /** The fleet of a cluster; only {@code site} grows, or all sites if it is empty. */
    static ServerFleet of(Cluster cluster, String site) {
        List<ServerBlock> blocks = blocks(cluster);
        long[] list = new long[blocks.size()];
        int b = 0;
        for (Site each : cluster.sites()) {
            for (ServerBlock block : each.servers()) {
                boolean grows = site.isEmpty() || each.name().equals(site);
                list[b++] = grows ? block.count() : 0;
            }
        }
        boolean oneKind = Arrays.stream(list).filter(count -> count > 0).count() == 1
                || (cluster.sites().size() == 1 && alike(blocks));
        return oneKind ? oneByOne(cluster, list) : new ServerFleet(cluster, list, order(cluster, list));
    }

    /** The fleet of a question about a cluster. */
    static ServerFleet of(Cluster cluster, SizeQuestion question) {
        ServerFleet fleet = of(cluster, question.site());
        return question.spareSite()
                        && fleet.alike.size() == 1
                        && fleet.stay() == 0
                        && cluster.sites().size() > 1
                ? new ServerFleet(cluster, fleet.list, fleet.order, true)
                : fleet;
    }

    /** The same servers, so many of each block before the others. */
    ServerFleet first(long[] first) {
        List<Integer> bySize = bySize(blocks, list);
        long[] others = IntStream.range(0, list.length)
                .mapToLong(b -> list[b] - first[b])
                .toArray();
        return new ServerFleet(
                cluster,
                list,
                Stream.of(first, others)
                        .flatMapToInt(some -> Arrays.stream(EvenSites.inRatio(cluster.sites(), bySize, some)))
                        .toArray());
    }

    private static int[] order(Cluster cluster, long[] list) {
        return EvenSites.inRatio(cluster.sites(), bySize(blocks(cluster), list), list);
    }

    /** The kinds that grow, the largest first. */
    List<Integer> bySize() {
        List<Integer> grow =
                IntStream.range(0, list.length).filter(b -> list[b] > 0).boxed().toList();
        return bySize(blocks, list).stream()
                .filter(grow::contains)
                .map(grow::indexOf)
                .toList();
    }

    private static List<Integer> bySize(List<ServerBlock> blocks, long[] list) {
        return IntStream.range(0, list.length)
                .boxed()
                .sorted(Comparator.comparingDouble((Integer b) -> -size(blocks, list, b)))
                .toList();
    }

    /** A server's part of each resource of the list, summed. */
    private static double size(List<ServerBlock> blocks, long[] list, int block) {
        double size = 0;
        for (int r = 0; r < blocks.get(block).capacity().size(); r++) {
            double all = 0;
            for (int b = 0; b < list.length; b++) {
                all += (double) list[b] * blocks.get(b).capacity().get(r);
            }
            size += all == 0 ? 0 : blocks.get(block).capacity().get(r) / all;
        }
        return size;
    }

    /** Merges equal blocks of one site: the first one takes all servers. */
    private static ServerFleet oneByOne(Cluster cluster, long[] list) {
        long[] one = new long[list.length];
        int first = 0;
        while (list[first] == 0) {
            first++;
        }
        one[first] = 1;
        return new ServerFleet(with(cluster, (b, block) -> list[b] > 0 ? with(block, one[b]) : block), one, new int[] {
            first
        });
    }

    private static boolean alike(List<ServerBlock> blocks) {
        return blocks.stream()
                .allMatch(block -> block.capacity().equals(blocks.get(0).capacity())
                        && block.labels().equals(blocks.get(0).labels()));
    }

    private static ServerBlock with(ServerBlock block, long count) {
        return new ServerBlock(Math.toIntExact(count), block.capacity(), List.of(), block.labels());
    }

    /** Numbers of servers at a level, by block. */
    long[] counts(long level) {
        if (even != null) {
            return even.counts(level);
        }
        long[] counts = new long[list.length];
        Arrays.setAll(
                counts,
                b -> list[b] > 0
                        ? list[b] * (level / order.length)
                        : blocks.get(b).count());
        for (int n = 0; n < level % order.length; n++) {
            counts[order[n]]++;
        }
        return counts;
    }

    /** The same of the {@link #kinds} alone. */
    long[] ofKinds(long level) {
        long[] counts = counts(level);
        return IntStream.range(0, list.length)
                .filter(b -> list[b] > 0)
                .mapToLong(b -> counts[b])
                .toArray();
    }

    /** The servers at a level. */
    Cluster at(long level) {
        return with(cluster, counts(level));
    }

    /** A cluster with other numbers of servers, by block in order of sites. */
    static Cluster with(Cluster cluster, long[] counts) {
        return with(cluster, (b, block) -> with(block, counts[b]));
    }

    /** A cluster with another block for each, which has its number in order of sites. */
    private static Cluster with(Cluster cluster, BiFunction<Integer, ServerBlock, ServerBlock> other) {
        List<Site> sites = new ArrayList<>();
        int b = 0;
        for (Site site : cluster.sites()) {
            List<ServerBlock> kept = new ArrayList<>();
            for (ServerBlock block : site.servers()) {
                kept.add(other.apply(b++, block));
            }
            sites.add(new Site(site.name(), kept, site.pooled()));
        }
        return cluster.withSites(sites);
    }

    /** How many servers a cluster has. */
    static int servers(Cluster cluster) {
        return blocks(cluster).stream().mapToInt(ServerBlock::count).sum();
    }

    /** Total number of servers at a level. */
    long servers(long level) {
        return level + stay();
    }

    /** Number of servers that do not grow. */
    long stay() {
        long stay = 0;
        for (int b = 0; b < list.length; b++) {
            stay += list[b] > 0 ? 0 : blocks.get(b).count();
        }
        return stay;
    }

    /** How many servers the list has. */
    int listed() {
        return order.length;
    }

    /** Whether all are alike and may be at any site. */
    boolean isEven() {
        return even != null;
    }

    /** Whether all servers are of one kind. */
    boolean isOneKind() {
        return order.length == 1 && stay() == 0;
    }

    /** Capacity of one resource of all the list. */
    double listed(int resource) {
        double sum = 0;
        for (int b = 0; b < list.length; b++) {
            sum += (double) list[b] * blocks.get(b).capacity().get(resource);
        }
        return sum;
    }

    /** Capacity of one resource on the servers that do not grow in number. */
    long fixed(int resource) {
        long sum = 0;
        for (int b = 0; b < list.length; b++) {
            sum += list[b] > 0
                    ? 0
                    : blocks.get(b).count() * blocks.get(b).capacity().get(resource);
        }
        return sum;
    }

    /**
     * What may be lost at a moment, whichever it is.
     *
     * @param servers so many of all, or of each kind
     * @param site all of any site, and so many servers of the others
     */
    record Loss(int servers, boolean site) {
        static final Loss NONE = new Loss(0, false);
    }

    /**
     * The fewest servers of the list, whichever they are, that can hold so much; 0 if nothing is to be held, or no
     * server holds any of it.
     *
     * @param each what a server holds, by kind that grows
     * @param tooFew so many are known not to hold it; 0 if nothing is known
     */
    long least(BigInteger need, List<BigInteger> each, Loss loss, long tooFew) {
        if (need.signum() <= 0 || each.stream().noneMatch(worth -> worth.signum() > 0)) {
            return 0;
        }
        long fails = tooFew;
        long holds = fails + 1;
        while (holds < MOST && !holds(holds, need, each, loss)) {
            long step = 2 * (holds - fails);
            fails = holds;
            holds += step;
        }
        while (holds - fails > 1) {
            long middle = (fails + holds) / 2;
            if (holds(middle, need, each, loss)) {
                holds = middle;
            } else {
                fails = middle;
            }
        }
        return holds;
    }

    /** Whether so many servers of the list, whichever of it and wherever, may hold so much after a loss. */
    boolean holds(long level, BigInteger need, List<BigInteger> each, Loss loss) {
        return most(level, each, loss.servers()).compareTo(need) >= 0
                && (!loss.site() || holdWithoutSite(level, need, each, loss.servers()));
    }

    /** Whether they can be divided over the sites so that the others may hold it without any one of these. */
    private boolean holdWithoutSite(long level, BigInteger need, List<BigInteger> each, int spare) {
        long[] ofSite = new long[cluster.sites().size()];
        long[] counts = even == null ? list : even.counts(level);
        for (int b = 0; b < counts.length; b++) {
            ofSite[site[b]] += counts[b];
        }
        if (even != null) {
            long most = Arrays.stream(ofSite).max().orElse(0);
            return held(level, each, b -> true, level - most, spare).compareTo(need) >= 0;
        }
        long all = 0;
        for (int s = 0; s < ofSite.length; s++) {
            int lost = s;
            long most = level - level / order.length * ofSite[s];
            LeastLevel others = LeastLevel.of(
                    most,
                    most - Math.min(level % order.length, ofSite[s]),
                    most,
                    1,
                    number -> held(level, each, b -> site[b] != lost, number, spare)
                                    .compareTo(need)
                            >= 0);
            if (!others.found()) {
                return false;
            }
            all += level - others.level();
        }
        return all >= level;
    }

    /** The most that so many servers of the list can hold without some, whichever of the list they are. */
    BigInteger most(long level, List<BigInteger> each, int lost) {
        BigInteger most = held(level, each, b -> true, level, lost);
        if (lost > 0 && alike.size() > 1) {
            List<LostKind.Alike> kinds = alike.stream()
                    .map(some -> new LostKind.Alike(
                            each.get(some.get(0)),
                            some.stream().mapToLong(l -> numbers[l]).sum()))
                    .toList();
            most = most.min(LostKind.of(kinds, order.length).most(level, lost));
        }
        return most;
    }

    /** What so many servers of some blocks hold at most: whole lists and the best of the next, without some. */
    private BigInteger held(long level, List<BigInteger> each, IntPredicate blocks, long servers, long lost) {
        if (even != null) {
            return each.get(0).multiply(BigInteger.valueOf(Math.max(0, servers - lost)));
        }
        long lists = level / order.length;
        int[] grow = IntStream.range(0, list.length).filter(b -> list[b] > 0).toArray();
        List<Integer> kinds = IntStream.range(0, grow.length)
                .filter(l -> blocks.test(grow[l]))
                .boxed()
                .sorted(Comparator.comparing(each::get))
                .toList();
        long rest = servers - kinds.stream().mapToLong(l -> lists * numbers[l]).sum();
        long[] many = new long[kinds.size()];
        for (int i = many.length - 1; i >= 0; i--) {
            long listed = numbers[kinds.get(i)];
            long further = Math.min(rest, listed);
            rest -= further;
            many[i] = listed * lists + further;
        }
        long away = lost;
        BigInteger held = BigInteger.ZERO;
        for (int i = 0; i < many.length; i++) {
            long less = Math.min(away, many[i]);
            away -= less;
            held = held.add(each.get(kinds.get(i)).multiply(BigInteger.valueOf(many[i] - less)));
        }
        return held;
    }

    /** What a server of each kind that grows has of a resource. */
    List<BigInteger> each(int resource) {
        return Arrays.stream(kinds())
                .map(kind -> BigInteger.valueOf(kind[resource]))
                .toList();
    }

    /** Whether a request fits some server. */
    boolean fits(long[] demand) {
        for (int b = 0; b < list.length; b++) {
            if ((list[b] > 0 || blocks.get(b).count() > 0) && fits(demand, blocks.get(b))) {
                return true;
            }
        }
        return false;
    }

    /** Whether it fits a server of a block. */
    static boolean fits(long[] demand, ServerBlock block) {
        return IntStream.range(0, demand.length)
                .allMatch(r -> demand[r] <= block.capacity().get(r));
    }

    /** Names of the resources. */
    List<String> resources() {
        return cluster.resources().stream().map(Resource::name).toList();
    }

    /** Of each resource at a level. */
    double[] capacity(long level) {
        long[] counts = counts(level);
        double[] capacity = new double[cluster.resources().size()];
        for (int b = 0; b < counts.length; b++) {
            for (int r = 0; r < capacity.length; r++) {
                capacity[r] += (double) counts[b] * blocks.get(b).capacity().get(r);
            }
        }
        return capacity;
    }

    /** In order of sites. */
    List<ServerBlock> blocks() {
        return blocks;
    }

    /** Name of a block's site. */
    String site(int block) {
        return cluster.sites().get(site[block]).name();
    }

    /** Numbers of servers of some blocks, by the name of their kind. */
    Map<String, Long> named(long[] counts, List<String> names, IntPredicate some) {
        Map<String, Long> named = new LinkedHashMap<>();
        IntStream.range(0, counts.length)
                .filter(b -> counts[b] > 0 && some.test(b))
                .forEach(b -> named.merge(names.get(b), counts[b], Long::sum));
        return named;
    }

    /** The same by name of the site; empty where there is one. */
    Map<String, Map<String, Long>> bySite(long[] counts, List<String> names) {
        Map<String, Map<String, Long>> sites = new LinkedHashMap<>();
        IntStream.range(0, cluster.sites().size())
                .forEach(s -> sites.put(cluster.sites().get(s).name(), named(counts, names, b -> site[b] == s)));
        return sites.size() > 1 ? sites : Map.of();
    }

    /** How many servers of a block the list has; 0 for one that stays. */
    long listedOf(int block) {
        return list[block];
    }

    /** Capacities of the kinds that grow, per kind and resource. */
    long[][] kinds() {
        List<long[]> kinds = new ArrayList<>();
        for (int b = 0; b < list.length; b++) {
            if (list[b] > 0) {
                kinds.add(blocks.get(b).capacity().toArray());
            }
        }
        return kinds.toArray(long[][]::new);
    }

    /** How many of each of these kinds the list has. */
    long[] numbers() {
        return numbers.clone();
    }
}
