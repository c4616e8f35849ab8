package dev.stowage.study.size;

import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Servers whose number is sought. Growing blocks grow together, in the ratio that the experiment gives: at level k
 * there are k times the numbers of this ratio in lowest terms. All other blocks stay as they are.
 */
final class ServerFleet {
    private final Cluster cluster;
    /** By block in order of sites: servers per level; 0 for a block that does not grow. */
    private final long[] ratio;

    private final List<ServerBlock> blocks;

    private ServerFleet(Cluster cluster, long[] ratio) {
        this.cluster = cluster;
        this.ratio = ratio;
        blocks = blocks(cluster);
    }

    private static List<ServerBlock> blocks(Cluster cluster) {
        return cluster.sites().stream().flatMap(site -> site.servers().stream()).toList();
    }

    /** The fleet of a cluster; only {@code site} grows, or all sites if it is empty. */
    static ServerFleet of(Cluster cluster, String site) {
        List<ServerBlock> blocks = blocks(cluster);
        long[] ratio = new long[blocks.size()];
        int b = 0;
        long divisor = 0;
        for (Site each : cluster.sites()) {
            for (ServerBlock block : each.servers()) {
                boolean grows = site.isEmpty() || each.name().equals(site);
                ratio[b] = grows ? block.count() : 0;
                divisor = gcd(ratio[b], divisor);
                b++;
            }
        }
        long common = Math.max(1, divisor);
        boolean oneKind = Arrays.stream(ratio).filter(count -> count > 0).count() == 1
                || (cluster.sites().size() == 1 && alike(blocks));
        return oneKind
                ? oneByOne(cluster, ratio)
                : new ServerFleet(
                        cluster,
                        Arrays.stream(ratio).map(count -> count / common).toArray());
    }

    /** Merges equal blocks of one site: the first one takes all servers. */
    private static ServerFleet oneByOne(Cluster cluster, long[] ratio) {
        long[] one = new long[ratio.length];
        int first = 0;
        while (ratio[first] == 0) {
            first++;
        }
        one[first] = 1;
        List<Site> sites = new ArrayList<>();
        int b = 0;
        for (Site site : cluster.sites()) {
            List<ServerBlock> kept = new ArrayList<>();
            for (ServerBlock block : site.servers()) {
                kept.add(ratio[b] > 0 ? with(block, b == first ? 1 : 0) : block);
                b++;
            }
            sites.add(new Site(site.name(), kept, site.pooled()));
        }
        return new ServerFleet(
                new Cluster(cluster.resources(), cluster.pooledResources(), sites, cluster.types()), one);
    }

    private static boolean alike(List<ServerBlock> blocks) {
        return blocks.stream()
                .allMatch(block -> block.capacity().equals(blocks.get(0).capacity())
                        && block.labels().equals(blocks.get(0).labels()));
    }

    private static ServerBlock with(ServerBlock block, long count) {
        return new ServerBlock(Math.toIntExact(count), block.capacity(), List.of(), block.labels());
    }

    private static long gcd(long a, long b) {
        return b == 0 ? a : gcd(b, a % b);
    }

    /** The servers at a level. */
    Cluster at(long level) {
        long[] counts = new long[ratio.length];
        Arrays.setAll(
                counts, b -> ratio[b] > 0 ? ratio[b] * level : blocks.get(b).count());
        return with(cluster, counts);
    }

    /** A cluster with other numbers of servers, by block in order of sites. */
    static Cluster with(Cluster cluster, long[] counts) {
        List<Site> sites = new ArrayList<>();
        int b = 0;
        for (Site site : cluster.sites()) {
            List<ServerBlock> kept = new ArrayList<>();
            for (ServerBlock block : site.servers()) {
                kept.add(with(block, counts[b++]));
            }
            sites.add(new Site(site.name(), kept, site.pooled()));
        }
        return new Cluster(cluster.resources(), cluster.pooledResources(), sites, cluster.types());
    }

    /** How many servers a cluster has. */
    static int servers(Cluster cluster) {
        return blocks(cluster).stream().mapToInt(ServerBlock::count).sum();
    }

    /** Total number of servers at a level. */
    long servers(long level) {
        long servers = 0;
        for (int b = 0; b < ratio.length; b++) {
            servers += ratio[b] > 0 ? ratio[b] * level : blocks.get(b).count();
        }
        return servers;
    }

    /** Number of servers per level. */
    long perLevel() {
        return Arrays.stream(ratio).sum();
    }

    /** Whether all servers are of one kind, and a level is a server. */
    boolean isOneKind() {
        return perLevel() == 1
                && blocks.stream().filter(block -> block.count() > 0).count() == 1;
    }

    /** Capacity of one resource per level. */
    double perLevel(int resource) {
        double sum = 0;
        for (int b = 0; b < ratio.length; b++) {
            sum += (double) ratio[b] * blocks.get(b).capacity().get(resource);
        }
        return sum;
    }

    /** Capacity of one resource on the servers that do not grow in number. */
    double fixed(int resource) {
        double sum = 0;
        for (int b = 0; b < ratio.length; b++) {
            sum += ratio[b] > 0
                    ? 0
                    : (double) blocks.get(b).count() * blocks.get(b).capacity().get(resource);
        }
        return sum;
    }

    /** Largest capacity of one server. */
    long largest(int resource) {
        return blocks.stream()
                .mapToLong(block -> block.capacity().get(resource))
                .max()
                .orElse(0);
    }

    /** Whether a request fits some server. */
    boolean fits(long[] demand) {
        for (int b = 0; b < ratio.length; b++) {
            if ((ratio[b] > 0 || blocks.get(b).count() > 0) && fits(demand, blocks.get(b))) {
                return true;
            }
        }
        return false;
    }

    private static boolean fits(long[] demand, ServerBlock block) {
        for (int r = 0; r < demand.length; r++) {
            if (demand[r] > block.capacity().get(r)) {
                return false;
            }
        }
        return true;
    }

    /** Names of the resources. */
    List<String> resources() {
        return cluster.resources().stream().map(Resource::name).toList();
    }

    /** Of each resource at a level. */
    double[] capacity(long level) {
        double[] capacity = new double[cluster.resources().size()];
        Arrays.setAll(capacity, r -> level * perLevel(r) + fixed(r));
        return capacity;
    }

    /** In order of sites. */
    List<ServerBlock> blocks() {
        return blocks;
    }

    /** How many servers of a block come with a level; 0 for one that stays. */
    long ratio(int block) {
        return ratio[block];
    }

    /** Capacities of the kinds that grow, per kind and resource. */
    long[][] kinds() {
        List<long[]> kinds = new ArrayList<>();
        for (int b = 0; b < ratio.length; b++) {
            if (ratio[b] > 0) {
                kinds.add(blocks.get(b).capacity().toArray());
            }
        }
        return kinds.toArray(long[][]::new);
    }

    /** Number of servers of each of these kinds per level. */
    long[] numbers() {
        return Arrays.stream(ratio).filter(count -> count > 0).toArray();
    }
}
