package dev.stowage.policies.shadow;

import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.Capability;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import dev.stowage.optimize.configuration.Configurations;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntPredicate;

/**
 * The reference implementation of {@link RoutedPolicy}: the pseudo-code of Algorithms A to D, word for word, over all
 * configurations and types, with every sum computed anew; lengths of virtual queues in whole numbers as there. All
 * types declare their mean service time. One long file, to be read beside the paper.
 */
final class SlowShadow implements Policy {
    private static final long C = VirtualSystem.WORK;

    private final boolean simplified;
    private final boolean literal;
    /** Most migrations per hour; negative for none ever. */
    private final double movesPerHour;

    private final double gamma;
    private final double theta;
    private final boolean bestFit;
    /** Migrations saved up, and when that was. */
    private double moves;

    private long movesAt;

    /** Algorithm A, or the D of each site by number, or -1 for the C of all sites. */
    private final Map<Integer, Virtual> systems = new TreeMap<>();

    private final Map<Integer, List<int[]>> configurations = new TreeMap<>();
    private final Map<Integer, int[]> designation = new TreeMap<>();
    private final Set<Integer> touched = new TreeSet<>();

    SlowShadow(boolean simplified, boolean literal, boolean migrates, double gamma, double theta) {
        this(simplified, literal, migrates ? Double.POSITIVE_INFINITY : -1, gamma, theta, false);
    }

    private SlowShadow(
            boolean simplified, boolean literal, double movesPerHour, double gamma, double theta, boolean bestFit) {
        this.simplified = simplified;
        this.literal = literal;
        this.movesPerHour = movesPerHour;
        this.gamma = gamma;
        this.theta = theta;
        this.bestFit = bestFit;
        moves = movesPerHour;
    }

    /** The reference of {@code shadow-consolidating}. */
    static SlowShadow consolidating(double movesPerHour, double gamma) {
        return new SlowShadow(false, false, movesPerHour, gamma, 0.01, false);
    }

    /** The reference of {@code shadow-bfjs}. */
    static SlowShadow bestFit(double gamma) {
        return new SlowShadow(false, false, -1, gamma, 0.01, true);
    }

    /** Virtual queues with names, and usage fractions by block. */
    static final class Virtual {
        final Map<String, Long> lengths = new TreeMap<>();
        final Map<Integer, double[]> phi = new TreeMap<>();
        double c;

        long length(String queue) {
            return lengths.getOrDefault(queue, 0L);
        }

        void add(String queue, double nanos, double greatest) {
            if (nanos > 16 * c) {
                c = 1.01 * greatest;
            }
            lengths.merge(queue, Math.max(1, (long) StrictMath.rint(nanos / c * C)), Long::sum);
        }
    }

    @Override
    public int queues(View view) {
        return 1 + view.capacityClasses() * view.types();
    }

    private List<int[]> configurations(View view, int block) {
        return configurations.computeIfAbsent(block, b -> {
            List<Integer> types = new ArrayList<>();
            for (int i = 0; i < view.types(); i++) {
                if (couldHold(view, b, i)) {
                    types.add(i);
                }
            }
            long[] capacity = new long[view.resources()];
            Arrays.setAll(capacity, r -> view.classCapacity(b, r));
            long[][] demand = new long[types.size()][capacity.length];
            for (int t = 0; t < demand.length; t++) {
                int type = types.get(t);
                Arrays.setAll(demand[t], r -> view.typeDemand(type, r));
            }
            List<int[]> all = new ArrayList<>();
            for (int[] each : Configurations.undominated(Configurations.maximal(capacity, demand, 10_000))) {
                int[] spread = new int[view.types()];
                for (int t = 0; t < each.length; t++) {
                    spread[types.get(t)] = each[t];
                }
                all.add(spread);
            }
            return all;
        });
    }

    static boolean couldHold(View view, int block, int type) {
        boolean demandsSomething = false;
        for (int r = 0; r < view.resources(); r++) {
            demandsSomething |= view.typeDemand(type, r) > 0;
            if (view.typeDemand(type, r) > view.classCapacity(block, r)) {
                return false;
            }
        }
        for (int p = 0; p < view.pooledResources(); p++) {
            if (view.typePooledDemand(type, p) > view.pooledCapacity(view.classSite(block), p)) {
                return false;
            }
        }
        return demandsSomething;
    }

    static int up(View view, int block) {
        int up = 0;
        for (int server = 0; server < view.servers(); server++) {
            up += view.capacityClass(server) == block && view.status(server) == ServerStatus.UP ? 1 : 0;
        }
        return up;
    }

    /** beta_jk, of the pools first, then of the resources of all servers that are up. */
    private static double beta(View view, int site, int k) {
        if (k < view.pooledResources()) {
            return view.pooledCapacity(site, k);
        }
        long sum = 0;
        for (int block = 0; block < view.capacityClasses(); block++) {
            if (view.classSite(block) == site) {
                sum += up(view, block) * view.classCapacity(block, k - view.pooledResources());
            }
        }
        return sum;
    }

    private static long demand(View view, int type, int k) {
        return k < view.pooledResources()
                ? view.typePooledDemand(type, k)
                : view.typeDemand(type, k - view.pooledResources());
    }

    static double part(View view, int type, int site, int k) {
        return demand(view, type, k) == 0 ? 0 : demand(view, type, k) / beta(view, site, k);
    }

    private static boolean isOpen(View view, int block, int type) {
        return couldHold(view, block, type) && up(view, block) > 0;
    }

    @Override
    public Set<Capability> capabilities() {
        return Set.of(Capability.SITE_LIMITS);
    }

    private int route(View view, int job) {
        return simplified ? routeSimplified(view, job) : algorithmA(view, job);
    }

    private int algorithmA(View view, int job) {
        int type = view.type(job);
        Virtual system = systems.computeIfAbsent(0, s -> new Virtual());
        int chosen = -1;
        double least = Double.POSITIVE_INFINITY;
        for (int j = 0; j < view.capacityClasses(); j++) {
            if (isOpen(view, j, type) && view.mayRunAt(job, view.classSite(j))) {
                double cost = (double) system.length("j" + j + " i" + type) / up(view, j);
                for (int k = 0; k < view.pooledResources(); k++) {
                    int site = view.classSite(j);
                    cost += system.length("j" + site + " k" + k) * part(view, type, site, k);
                }
                if (cost < least) {
                    least = cost;
                    chosen = j;
                }
            }
        }
        if (chosen < 0) {
            return -1;
        }
        int site = view.classSite(chosen);
        double greatest = greatest(view, -1, true, view.pooledResources());
        for (int k = 0; k < view.pooledResources(); k++) {
            if (demand(view, type, k) > 0) {
                system.add("j" + site + " k" + k, part(view, type, site, k) * view.typeMeanService(type), greatest);
            }
        }
        system.add("j" + chosen + " i" + type, (double) view.typeMeanService(type) / up(view, chosen), greatest);
        serve(view, system, -1, true, view.pooledResources());
        return chosen;
    }

    private int routeSimplified(View view, int job) {
        int type = view.type(job);
        int all = view.pooledResources() + view.resources();
        Virtual routing = systems.computeIfAbsent(-1, s -> new Virtual());
        int chosen = -1;
        double least = Double.POSITIVE_INFINITY;
        for (int site = 0; site < view.sites(); site++) {
            boolean open = false;
            for (int j = 0; j < view.capacityClasses(); j++) {
                open |= view.classSite(j) == site && isOpen(view, j, type);
            }
            if (open && view.mayRunAt(job, site)) {
                double cost = 0;
                for (int k = 0; k < all; k++) {
                    cost += routing.length("j" + site + " k" + k) * part(view, type, site, k);
                }
                if (cost < least) {
                    least = cost;
                    chosen = site;
                }
            }
        }
        if (chosen < 0) {
            return -1;
        }
        double greatest = greatest(view, -1, false, all);
        for (int k = 0; k < all; k++) {
            if (demand(view, type, k) > 0) {
                routing.add(
                        "j" + chosen + " k" + k, part(view, type, chosen, k) * view.typeMeanService(type), greatest);
            }
        }
        serve(view, routing, -1, false, all);
        return algorithmD(view, chosen, type);
    }

    private int algorithmD(View view, int site, int type) {
        Virtual system = systems.computeIfAbsent(site, s -> new Virtual());
        int chosen = -1;
        double least = Double.POSITIVE_INFINITY;
        for (int j = 0; j < view.capacityClasses(); j++) {
            if (view.classSite(j) == site && isOpen(view, j, type)) {
                double cost = (double) system.length("j" + j + " i" + type) / up(view, j);
                if (cost < least) {
                    least = cost;
                    chosen = j;
                }
            }
        }
        system.add(
                "j" + chosen + " i" + type,
                (double) view.typeMeanService(type) / up(view, chosen),
                greatest(view, site, true, 0));
        serve(view, system, site, true, 0);
        return chosen;
    }

    /** max(H1, H2) over the blocks of a site, or of all for -1. */
    private static double greatest(View view, int site, boolean blocks, int kinds) {
        double greatest = 0;
        for (int type = 0; type < view.types(); type++) {
            for (int j = 0; j < view.capacityClasses(); j++) {
                if ((site < 0 || view.classSite(j) == site) && isOpen(view, j, type)) {
                    double largest = blocks ? 1.0 / up(view, j) : 0;
                    for (int k = 0; k < kinds; k++) {
                        largest = Math.max(largest, part(view, type, view.classSite(j), k));
                    }
                    greatest = Math.max(greatest, largest * view.typeMeanService(type));
                }
            }
        }
        return greatest;
    }

    /** Steps 2 and 3. */
    void serve(View view, Virtual system, int site, boolean withBlocks, int kinds) {
        List<Integer> blocks = new ArrayList<>();
        int sites = 0;
        for (int j = 0; j < view.capacityClasses(); j++) {
            sites = Math.max(sites, 1 + view.classSite(j));
            if (withBlocks && (site < 0 || view.classSite(j) == site)) {
                blocks.add(j);
            }
        }
        long sum = 0;
        for (int j = 0; j < sites; j++) {
            for (int k = 0; k < kinds; k++) {
                sum += system.length("j" + j + " k" + k);
            }
        }
        Map<Integer, Integer> sigma = new TreeMap<>();
        for (int j : blocks) {
            int heaviest = 0;
            for (int s = 1; s < configurations(view, j).size(); s++) {
                if (weight(view, system, j, s) > weight(view, system, j, heaviest)) {
                    heaviest = s;
                }
            }
            sigma.put(j, heaviest);
            sum += weight(view, system, j, heaviest);
        }
        double queues = (double) sites * kinds + blocks.size() * view.types();
        boolean active = sum >= (long) StrictMath.rint(gamma * queues * C);
        if (active) {
            for (int j = 0; j < sites; j++) {
                for (int k = 0; k < kinds; k++) {
                    String queue = "j" + j + " k" + k;
                    system.lengths.put(queue, Math.max(system.length(queue) - C, 0));
                }
            }
        }
        for (int j : blocks) {
            List<int[]> all = configurations(view, j);
            double[] phi = system.phi.computeIfAbsent(j, b -> {
                double[] start = new double[all.size()];
                Arrays.fill(start, literal ? 1.0 / all.size() : 0);
                return start;
            });
            for (int s = 0; s < all.size(); s++) {
                phi[s] = (active && s == sigma.get(j) ? theta : 0) + (1 - theta) * phi[s];
            }
            for (int i = 0; active && i < view.types(); i++) {
                String queue = "j" + j + " i" + i;
                system.lengths.put(queue, Math.max(system.length(queue) - C * all.get(sigma.get(j))[i], 0));
            }
        }
    }

    private long weight(View view, Virtual system, int block, int configuration) {
        long weight = 0;
        for (int i = 0; i < view.types(); i++) {
            weight += configurations(view, block).get(configuration)[i] * system.length("j" + block + " i" + i);
        }
        return weight;
    }

    /** Algorithm B; steps 4 and 5 of D. */
    private int server(View view, int block, int type) {
        if (bestFit) {
            return bestFit(view, block, type);
        }
        List<int[]> all = configurations(view, block);
        double[] phi = systems.get(simplified ? view.classSite(block) : 0).phi.get(block);
        boolean unused = true;
        for (int s = 0; s < all.size(); s++) {
            unused &= all.get(s)[type] == 0 || phi[s] == 0;
        }
        double[] weights = phi.clone();
        if (unused) {
            Arrays.fill(weights, 1);
        }
        int server = tryConfiguration(view, block, type, best(view, block, type, weights, false));
        if (server >= 0) {
            return server;
        }
        int other = best(view, block, type, weights, true);
        if (other < 0 && !unused) {
            Arrays.fill(weights, 1);
            other = best(view, block, type, weights, true);
        }
        return other < 0 ? -1 : fullest(view, block, type, other);
    }

    /** The largest inner product of demand and occupied parts, ties to the lowest. */
    private static int bestFit(View view, int block, int type) {
        int best = -1;
        double most = -1;
        for (int server = 0; server < view.servers(); server++) {
            boolean fits = view.capacityClass(server) == block && view.status(server) == ServerStatus.UP;
            double score = 0;
            for (int r = 0; fits && r < view.resources(); r++) {
                double capacity = view.capacity(server, r);
                fits = view.typeDemand(type, r) <= view.free(server, r);
                score += view.typeDemand(type, r) / capacity / capacity * (capacity - view.free(server, r));
            }
            if (fits && score > most) {
                most = score;
                best = server;
            }
        }
        return best;
    }

    private static double size(View view, int block, int type) {
        double size = 0;
        for (int r = 0; r < view.resources(); r++) {
            size += (double) view.typeDemand(type, r) / view.classCapacity(block, r);
        }
        return size;
    }

    private int tryConfiguration(View view, int block, int type, int configuration) {
        int fullest = fullest(view, block, type, configuration);
        for (int server = 0; fullest < 0 && server < view.servers(); server++) {
            if (view.capacityClass(server) == block
                    && view.status(server) == ServerStatus.UP
                    && view.firstOn(server) < 0) {
                designation.put(server, configurations(view, block).get(configuration));
                return server;
            }
        }
        return fullest;
    }

    private int best(View view, int block, int type, double[] phi, boolean withRoom) {
        List<int[]> all = configurations(view, block);
        int best = -1;
        double least = Double.POSITIVE_INFINITY;
        for (int s = 0; s < all.size(); s++) {
            int slots = all.get(s)[type];
            if (slots > 0 && phi[s] > 0 && !(withRoom && fullest(view, block, type, s) < 0)) {
                int z = 0;
                for (int server : those(view, block, all.get(s))) {
                    z += count(view, server, type);
                }
                double ratio = (z + (literal ? 0.0 : 1.0)) / (slots * phi[s]);
                if (ratio < least) {
                    least = ratio;
                    best = s;
                }
            }
        }
        return best;
    }

    private int fullest(View view, int block, int type, int configuration) {
        int[] slots = configurations(view, block).get(configuration);
        return those(view, block, slots).stream()
                .filter(server -> count(view, server, type) < slots[type])
                .max(Comparator.comparingInt(view::running).thenComparing(Comparator.reverseOrder()))
                .orElse(-1);
    }

    /** The s-PMs: servers that are up, not empty, and designated so. */
    private List<Integer> those(View view, int block, int[] slots) {
        List<Integer> servers = new ArrayList<>();
        for (int server = 0; server < view.servers(); server++) {
            if (view.capacityClass(server) == block
                    && view.status(server) == ServerStatus.UP
                    && view.firstOn(server) >= 0
                    && Arrays.equals(designation.get(server), slots)) {
                servers.add(server);
            }
        }
        return servers;
    }

    private static int count(View view, int server, int type) {
        int count = 0;
        for (int job = view.firstOn(server); job >= 0; job = view.next(job)) {
            count += view.type(job) == type ? 1 : 0;
        }
        return count;
    }

    @Override
    public void arrived(int job, View view, Actions actions) {
        int type = view.type(job);
        int block = route(view, job);
        if (block < 0) {
            actions.enqueue(job, 0, "slow");
            return;
        }
        int queue = 1 + block * view.types() + type;
        if (view.queueLength(queue) > 0 || !place(job, block, view, actions)) {
            actions.enqueue(job, queue, "slow");
        }
    }

    private boolean place(int job, int block, View view, Actions actions) {
        for (int p = 0; p < view.pooledResources(); p++) {
            if (view.pooledDemand(job, p) > view.pooledFree(view.classSite(block), p)) {
                return false;
            }
        }
        int server = server(view, block, view.type(job));
        if (server >= 0) {
            actions.place(job, server, "slow");
        }
        return server >= 0;
    }

    @Override
    public void left(int job, int server, View view, Actions actions) {
        if (server >= 0) {
            consolidate(view, actions, server);
            touch(view, server);
        }
    }

    private void touch(View view, int server) {
        for (int block = 0; block < view.capacityClasses(); block++) {
            boolean sharesPools = view.pooledResources() > 0 && view.classSite(block) == view.site(server);
            if (block == view.capacityClass(server) || sharesPools) {
                touched.add(block);
            }
        }
    }

    /** Remark 2, for the configuration of a server where something has changed. */
    private void consolidate(View view, Actions actions, int changed) {
        int block = view.capacityClass(changed);
        int[] slots = designation.get(changed);
        while (movesPerHour >= 0 && slots != null && those(view, block, slots).size() > needed(view, block, slots)) {
            int from = those(view, block, slots).stream()
                    .min(Comparator.comparingInt(view::running).thenComparing(Comparator.naturalOrder()))
                    .orElseThrow();
            if (!mayMove(view.running(from), view.now())) {
                return;
            }
            designation.remove(from);
            while (view.firstOn(from) >= 0) {
                int job = view.firstOn(from);
                int configuration = indexOf(configurations(view, block), slots);
                actions.migrate(job, fullest(view, block, view.type(job), configuration), "slow");
            }
        }
    }

    private static int indexOf(List<int[]> all, int[] slots) {
        int at = 0;
        while (!Arrays.equals(all.get(at), slots)) {
            at++;
        }
        return at;
    }

    private boolean mayMove(int requests, long now) {
        if (movesPerHour != Double.POSITIVE_INFINITY) {
            moves = Math.min(movesPerHour, moves + (now - movesAt) / 3600e9 * movesPerHour);
            movesAt = now;
        }
        boolean may = moves >= requests;
        moves -= may ? requests : 0;
        return may;
    }

    private int needed(View view, int block, int[] slots) {
        int needed = 0;
        for (int type = 0; type < slots.length; type++) {
            int z = 0;
            for (int server : those(view, block, slots)) {
                z += count(view, server, type);
            }
            needed = slots[type] == 0 ? needed : Math.max(needed, (z + slots[type] - 1) / slots[type]);
        }
        return needed;
    }

    @Override
    public void serverChanged(int server, View view, Actions actions) {
        if (view.firstOn(server) < 0) {
            designation.remove(server);
        }
        consolidate(view, actions, server);
        touch(view, server);
        int block = view.capacityClass(server);
        if (up(view, block) > 0) {
            again(0, view, actions);
        } else {
            for (int type = 0; type < view.types(); type++) {
                again(1 + block * view.types() + type, view, actions);
            }
        }
    }

    private void again(int queue, View view, Actions actions) {
        for (int left = view.queueLength(queue); left > 0; left--) {
            arrived(view.queueHead(queue), view, actions);
        }
    }

    @Override
    public void round(View view, Actions actions) {
        for (int block : touched) {
            serve(view, block, bestFit, job -> place(job, block, view, actions));
        }
        touched.clear();
    }

    /** Serves what waits for a destination, the type whose first arrived first, until all are stuck. */
    static void serve(View view, int destination, IntPredicate place) {
        serve(view, destination, false, place);
    }

    private static void serve(View view, int destination, boolean largest, IntPredicate place) {
        Set<Integer> stuck = new TreeSet<>();
        int type = first(view, destination, largest, stuck);
        while (type >= 0) {
            if (!place.test(view.queueHead(1 + destination * view.types() + type))) {
                stuck.add(type);
            }
            type = first(view, destination, largest, stuck);
        }
    }

    private static int first(View view, int block, boolean largest, Set<Integer> stuck) {
        int first = -1;
        for (int type = 0; type < view.types(); type++) {
            int head = view.queueHead(1 + block * view.types() + type);
            if (head >= 0 && !stuck.contains(type)) {
                int best = first < 0 ? -1 : view.queueHead(1 + block * view.types() + first);
                double larger = largest && best >= 0 ? size(view, block, type) - size(view, block, first) : 0;
                boolean before = best < 0 || larger > 0 || (larger == 0 && view.order(head) < view.order(best));
                first = before ? type : first;
            }
        }
        return first;
    }
}
