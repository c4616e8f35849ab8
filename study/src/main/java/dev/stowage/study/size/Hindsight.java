package dev.stowage.study.size;

import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.sim.driver.Hazards;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.ExperimentRunner;
import dev.stowage.sim.experiment.SizeQuestion;
import dev.stowage.sim.experiment.SizeRequirement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A schedule of given requests by one who knows them all, with few servers: how few is an upper bound on the least
 * possible, as {@link PeakBound} is a lower one. What lies between an online policy and the schedule is due to deciding
 * without knowing what comes; what lies between schedule and bound is not known.
 *
 * <p>The largest first (by the greatest part of a resource, of equal ones the longest), each on the server that it
 * leaves least full at the fullest moment of its whole time: with a given number of servers, requests that use
 * different resources so come together. For an inventory it is also tried to put each where it leaves the server
 * fullest, and of one of few requests where each could go. Requests start at their arrival or, if they may wait and
 * there is no room, as late as they may. As many requests as may miss the target are left out: those that find no
 * room, or those with the largest demand at the moment of greatest load, one after the other. Where servers, or a site
 * and servers, of an inventory may be lost there is a schedule for the rest, whichever are lost. Every schedule is
 * checked by a walk over its events. O(n x servers x requests of a server) for each number of servers.
 */
final class Hindsight {
    /** More requests take too long. */
    private static final int MOST_REQUESTS = 50_000;
    /** The same of requests of an inventory, times its servers. */
    private static final long MOST_PLACES = 5_000_000;
    /** The same, times the servers that it needs at least, where these are not given. */
    private static final long MOST_NEEDED = 10_000_000;
    /** Where servers may be lost in more ways, it would take too long to look at all. */
    private static final int MOST_WAYS = 200;

    private final RequestList requests;
    private final PeakBound.Rule rule;
    private final long delay;
    private final ServerFleet fleet;
    /** Of a server, by kind and resource. */
    private final long[][] kinds;
    /** The most that a server has of each resource. */
    private final long[] largest;

    private final SizeQuestion question;
    /** Block of each kind. */
    private final int[] blocks;
    /** Whether the other way round is tried, too. */
    private final boolean inventory;

    private final PackingSearch.SpreadRules apart;
    /** Requests that count and fit a server, the largest first, of these the longest. */
    private final int[] order;
    /** The same, and others in which to place them: first those of which a server has fewest. */
    private final List<int[]> orders;

    private final boolean[] leftOut;
    /** Whether there is a schedule for so many servers of each kind. */
    private final Map<List<Long>, Boolean> known = new ConcurrentHashMap<>();

    private Hindsight(
            RequestList requests,
            PeakBound.Rule rule,
            boolean[] fits,
            ServerFleet fleet,
            SizeQuestion question,
            boolean inventory,
            PackingSearch.SpreadRules apart) {
        this.requests = requests;
        this.apart = apart;
        this.rule = rule;
        this.fleet = fleet;
        this.question = question;
        this.inventory = inventory;
        kinds = fleet.kinds();
        blocks = IntStream.range(0, fleet.blocks().size())
                .filter(b -> fleet.listedOf(b) > 0)
                .toArray();
        largest = new long[kinds[0].length];
        Arrays.setAll(
                largest,
                r -> Arrays.stream(kinds).mapToLong(kind -> kind[r]).max().orElse(0));
        delay = rule.withinNanos();
        order = IntStream.range(0, requests.size())
                .filter(i -> fits[requests.kind()[i]] && rule.types().has(requests.type()[i]))
                .boxed()
                .sorted(Comparator.comparingDouble((Integer i) -> -part(i))
                        .thenComparingLong(i -> -length(i))
                        .thenComparingInt(i -> i))
                .mapToInt(i -> i)
                .toArray();
        orders = apart.number() == 0
                ? List.of(order)
                : List.of(
                        order,
                        Arrays.stream(order)
                                .boxed()
                                .sorted(Comparator.comparingInt(i -> apart.most(requests.type()[i])))
                                .mapToInt(i -> i)
                                .toArray());
        leftOut = leftOut();
    }

    /**
     * For the requests of a seed; empty where such a schedule is not sought: a target that is not about which requests
     * start in time, servers that stay or, of what is not an inventory, are lost, constraints other than those of an
     * inventory of which a server has at most so many ({@link PackingSearch.SpreadRules}), too many requests.
     */
    static Optional<Hindsight> of(Experiment point, SizeQuestion question, ServerFleet fleet, RequestList requests) {
        List<SizeRequirement> all = question.target().requirements();
        boolean inventory = point.workload().isInventory();
        boolean loses = question.spareServers() > 0 || question.spareSite();
        Optional<PackingSearch.SpreadRules> apart =
                PackingSearch.SpreadRules.of(point).filter(rules -> inventory || rules.number() == 0);
        boolean plain = question.site().isEmpty()
                && question.maintenance().equals(SizeQuestion.Maintenance.NONE)
                && (inventory || !loses)
                && all.size() == 1
                && all.get(0).kind() == SizeRequirement.Kind.MISSED
                && fleet.stay() == 0
                && point.slotNanos() == 0
                && point.hazards().equals(Hazards.NONE)
                && apart.isPresent();
        boolean many = inventory
                ? (long) requests.size() * fleet.listed() > MOST_PLACES
                        || requests.size() * atLeast(requests, fleet) > MOST_NEEDED
                : requests.size() > MOST_REQUESTS;
        if (!plain || requests.size() == 0 || many) {
            return Optional.empty();
        }
        boolean[] fits = Sweep.fitting(requests, fleet);
        PeakBound.Rule rule = PeakBound.rules(point, question, requests, fits).get(0);
        return Optional.of(new Hindsight(requests, rule, fits, fleet, question, inventory, apart.orElseThrow()));
    }

    /** So many servers the requests need at least, by the resource of which they take most. */
    private static double atLeast(RequestList requests, ServerFleet fleet) {
        double least = 0;
        for (int r = 0; r < fleet.kinds()[0].length; r++) {
            int resource = r;
            double most = Arrays.stream(fleet.kinds())
                    .mapToDouble(kind -> kind[resource])
                    .max()
                    .orElse(0);
            double sum = Arrays.stream(requests.kind())
                    .mapToDouble(kind -> requests.demands()[kind][resource])
                    .sum();
            least = most > 0 ? Math.max(least, sum / most) : least;
        }
        return least;
    }

    /** The plans that count, too, where everything of an inventory may be moved; null where they do not. */
    static @Nullable Hindsight ofMovable(Experiment point, SizeQuestion question, ServerFleet fleet) {
        return question.movable() && point.workload().isInventory()
                ? of(point, question, fleet, RequestList.of(point, ExperimentRunner.seed(point.seed(), 0)))
                        .filter(plan -> plan.rule.allowed() == 0)
                        .orElse(null)
                : null;
    }

    /** The least level, from one below another, for which a schedule is found by bisection; else that other. */
    long least(long from, long most) {
        long good = most;
        long bad = Math.max(0, from - 1);
        while (good - bad > 1) {
            long middle = (good + bad) / 2;
            if (found(fleet.ofKinds(middle))) {
                good = middle;
            } else {
                bad = middle;
            }
        }
        return good;
    }

    /** Whether there is a schedule for so many servers of each kind, whichever of them may be lost. */
    boolean found(long[] servers) {
        List<long[]> ways = (question.spareSite() ? withoutSite(servers).values() : List.of(servers))
                .stream()
                        .flatMap(rest -> without(rest, question.spareServers()).stream())
                        .toList();
        return Arrays.stream(servers).sum() > 0
                && ways.size() <= MOST_WAYS
                && ways.stream().allMatch(this::isScheduled);
    }

    private boolean isScheduled(long[] servers) {
        return known.computeIfAbsent(Arrays.stream(servers).boxed().toList(), any -> scheduled(servers));
    }

    /**
     * Whether servers of different kinds may be lost at once: a run of a policy loses those of one kind, or the
     * fullest, and shows nothing of the others.
     */
    boolean losesMixes() {
        return question.spareServers() > 1 && kinds.length > 1;
    }

    /** The same for a cluster. */
    boolean found(Cluster servers) {
        List<ServerBlock> all = servers.sites().stream()
                .flatMap(site -> site.servers().stream())
                .toList();
        long[] counts = new long[blocks.length];
        for (int b = 0, kind = -1; b < all.size(); b++) {
            kind += fleet.listedOf(b) > 0 ? 1 : 0;
            // Blocks of one kind are merged: the first of them has the list.
            counts[fleet.listedOf(b) > 0 ? kind : 0] += all.get(b).count();
        }
        return found(counts);
    }

    /**
     * What finds no room by any schedule that is tried if so many of the servers are lost: how many by type, in the way
     * to lose them that leaves most without, of the first ones where there are many.
     */
    Map<Integer, Integer> stops(long[] servers, int lost) {
        return without(servers, lost).stream()
                .limit(MOST_WAYS)
                .map(this::missing)
                .max(Comparator.comparingInt(Hindsight::sum))
                .orElse(Map.of());
    }

    /** The same for each site that has servers, if all of it is lost and so many of the others. */
    Map<String, Map<Integer, Integer>> stopsWithout(long[] servers, int also) {
        Map<String, Map<Integer, Integer>> stops = new LinkedHashMap<>();
        withoutSite(servers).forEach((site, rest) -> stops.put(site, stops(rest, also)));
        return stops;
    }

    private static int sum(Map<Integer, Integer> counts) {
        return counts.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** What is left in each way to lose so many; of what another way leaves more of, only the other. */
    private List<long[]> without(long[] servers, int lost) {
        List<Integer> largestFirst = IntStream.range(0, kinds.length)
                .boxed()
                .sorted(Comparator.comparingDouble(kind -> -IntStream.range(0, largest.length)
                        .mapToDouble(r -> largest[r] == 0 ? 0 : (double) kinds[kind][r] / largest[r])
                        .sum()))
                .toList();
        List<long[]> ways = new ArrayList<>();
        lose(
                servers.clone(),
                largestFirst,
                0,
                Math.min(lost, Arrays.stream(servers).sum()),
                ways);
        return ways;
    }

    private void lose(long[] rest, List<Integer> order, int next, long lost, List<long[]> ways) {
        if (lost == 0) {
            ways.add(rest.clone());
            return;
        }
        if (ways.size() > MOST_WAYS) {
            return;
        }
        for (int at = next; at < order.size(); at++) {
            int kind = order.get(at);
            // To lose a larger one, while one is there, is no easier.
            boolean larger = order.subList(0, at).stream()
                    .anyMatch(other -> rest[other] > 0
                            && IntStream.range(0, largest.length).allMatch(r -> kinds[other][r] >= kinds[kind][r]));
            if (rest[kind] > 0 && !larger) {
                rest[kind]--;
                lose(rest, order, at, lost - 1, ways);
                rest[kind]++;
            }
        }
    }

    private Map<String, long[]> withoutSite(long[] servers) {
        Map<String, long[]> ways = new LinkedHashMap<>();
        for (int kind = 0; kind < servers.length; kind++) {
            String site = fleet.site(blocks[kind]);
            if (servers[kind] > 0) {
                ways.computeIfAbsent(site, any -> servers.clone())[kind] = 0;
            }
        }
        return ways;
    }

    private boolean scheduled(long[] servers) {
        boolean[] none = new boolean[requests.size()];
        return orders.stream()
                        .anyMatch(its -> scheduled(servers, its, none, rule.allowed(), false)
                                || (inventory && scheduled(servers, its, none, rule.allowed(), true)))
                || (inventory && rule.allowed() == 0 && orders.stream().anyMatch(its -> tried(servers, its)))
                || (rule.allowed() > 0 && scheduled(servers, order, leftOut, 0, false));
    }

    private boolean tried(long[] servers, int[] its) {
        return new PackingSearch(
                        Arrays.stream(its).mapToObj(this::demand).toArray(long[][]::new),
                        Arrays.stream(its).map(i -> requests.type()[i]).toArray(),
                        apart,
                        Arrays.stream(profiles(servers))
                                .map(server -> server.capacity)
                                .toArray(long[][]::new))
                .found();
    }

    /** By type, after the schedule that leaves fewest without room; empty if there is one for all. */
    private Map<Integer, Integer> missing(long[] servers) {
        if (isScheduled(servers)) {
            return Map.of();
        }
        return Stream.of(false, true)
                .map(fullest -> {
                    long[] start = new long[requests.size()];
                    int[] server = new int[requests.size()];
                    Arrays.fill(server, -1);
                    Profile[] profiles = profiles(servers);
                    Map<Integer, Integer> without = new TreeMap<>();
                    for (int i : order) {
                        if (!placed(i, profiles, start, server, fullest)) {
                            without.merge(requests.type()[i], 1, Integer::sum);
                        }
                    }
                    return without;
                })
                .min(Comparator.comparingInt(Hindsight::sum))
                .orElseThrow();
    }

    private Profile[] profiles(long[] servers) {
        return IntStream.range(0, servers.length)
                .boxed()
                .flatMap(kind -> Stream.generate(() -> new Profile(kind)).limit(servers[kind]))
                .toArray(Profile[]::new);
    }

    private boolean scheduled(long[] servers, int[] its, boolean[] out, long misses, boolean fullest) {
        long[] start = new long[requests.size()];
        int[] server = new int[requests.size()];
        Arrays.fill(server, -1);
        long left = misses;
        Profile[] profiles = profiles(servers);
        for (int i : its) {
            if (!out[i] && !placed(i, profiles, start, server, fullest) && left-- == 0) {
                return false;
            }
        }
        check(start, server, profiles);
        return true;
    }

    /** On the server that it leaves least full, or fullest, at the fullest moment of its time. */
    private boolean placed(int i, Profile[] profiles, long[] start, int[] server, boolean fullest) {
        for (long begin = requests.arrival()[i]; ; begin += delay) {
            long end = length(i) > Long.MAX_VALUE - begin ? Long.MAX_VALUE : begin + length(i);
            double least = Double.POSITIVE_INFINITY;
            int emptyOf = -1;
            for (int s = 0; s < profiles.length; s++) {
                // Servers of a kind are together, and of empty ones the first is as good as the others.
                if (profiles[s].isEmpty() && profiles[s].kind == emptyOf) {
                    continue;
                }
                emptyOf = profiles[s].isEmpty() ? profiles[s].kind : emptyOf;
                double full =
                        profiles[s].held.admits(requests.type()[i]) ? profiles[s].fullest(begin, end, demand(i)) : 2;
                double rank = fullest ? -full : full;
                if (full <= 1 && rank < least) {
                    least = rank;
                    server[i] = s;
                }
            }
            if (server[i] >= 0) {
                start[i] = begin;
                profiles[server[i]].hold(begin, end, demand(i));
                profiles[server[i]].held.add(requests.type()[i], 1);
                return true;
            }
            if (delay == 0 || begin > requests.arrival()[i]) {
                return false;
            }
        }
    }

    /** Time in service as far as the run goes. */
    private long length(int i) {
        return requests.until()[i] == Long.MAX_VALUE ? Long.MAX_VALUE : requests.until()[i] - requests.arrival()[i];
    }

    private boolean isThere(int i, long moment) {
        return requests.arrival()[i] <= moment && moment < requests.until()[i];
    }

    private long[] demand(int i) {
        return requests.demands()[requests.kind()[i]];
    }

    /** The largest part that a request takes of the most that a server has. */
    private double part(int i) {
        double most = 0;
        for (int r = 0; r < largest.length; r++) {
            most = largest[r] == 0 ? most : Math.max(most, (double) demand(i)[r] / largest[r]);
        }
        return most;
    }

    /** As many as may miss: again and again the largest of those present at the moment of greatest load. */
    private boolean[] leftOut() {
        boolean[] out = new boolean[requests.size()];
        for (long k = 0; k < rule.allowed(); k++) {
            long peak = peak(out);
            Optional<Integer> largest = Arrays.stream(order)
                    .filter(i -> !out[i] && isThere(i, peak))
                    .boxed()
                    .max(Comparator.comparingDouble(this::part));
            if (largest.isEmpty()) {
                return out;
            }
            out[largest.get()] = true;
        }
        return out;
    }

    /** When the largest part of a server's capacity, over all resources, is asked for. */
    private long peak(boolean[] out) {
        PriorityQueue<Integer> ends = new PriorityQueue<>(Comparator.comparingLong(i -> requests.until()[i]));
        int[] byArrival = Arrays.stream(order).filter(i -> !out[i]).sorted().toArray();
        double[] used = new double[largest.length];
        double most = -1;
        long at = 0;
        for (int i : byArrival) {
            while (!ends.isEmpty() && requests.until()[ends.element()] <= requests.arrival()[i]) {
                add(used, ends.remove(), -1);
            }
            ends.add(i);
            add(used, i, 1);
            double now = Arrays.stream(used).max().orElse(0);
            if (now > most) {
                most = now;
                at = requests.arrival()[i];
            }
        }
        return at;
    }

    private void add(double[] used, int i, int sign) {
        for (int r = 0; r < used.length; r++) {
            used[r] += largest[r] == 0 ? 0 : sign * (double) demand(i)[r] / largest[r];
        }
    }

    /** Every start in time, no server over its capacity at any event, not more missing than may; else a bug. */
    private void check(long[] start, int[] server, Profile[] profiles) {
        int servers = profiles.length;
        int[] placed = Arrays.stream(order).filter(i -> server[i] >= 0).toArray();
        require(order.length - placed.length <= rule.allowed());
        TreeMap<Long, long[][]> changes = new TreeMap<>();
        for (int i : placed) {
            require(start[i] >= requests.arrival()[i] && start[i] <= requests.arrival()[i] + delay);
            change(changes, start[i], server[i], demand(i), 1, servers);
            if (length(i) != Long.MAX_VALUE) {
                change(changes, start[i] + length(i), server[i], demand(i), -1, servers);
            }
        }
        for (int i : placed) {
            // Each as the last one, so that its own limit holds beside the others.
            profiles[server[i]].held.add(requests.type()[i], -1);
            require(profiles[server[i]].held.admits(requests.type()[i]));
            profiles[server[i]].held.add(requests.type()[i], 1);
        }
        long[][] used = new long[servers][largest.length];
        for (long[][] change : changes.values()) {
            for (int s = 0; s < servers; s++) {
                for (int r = 0; change[s] != null && r < largest.length; r++) {
                    used[s][r] += change[s][r];
                    require(used[s][r] >= 0 && used[s][r] <= kinds[profiles[s].kind][r]);
                }
            }
        }
    }

    private void change(Map<Long, long[][]> changes, long at, int server, long[] demand, int sign, int servers) {
        long[][] there = changes.computeIfAbsent(at, any -> new long[servers][]);
        if (there[server] == null) {
            there[server] = new long[largest.length];
        }
        for (int r = 0; r < largest.length; r++) {
            there[server][r] += sign * demand[r];
        }
    }

    private static void require(boolean holds) {
        if (!holds) {
            throw new IllegalStateException("bug: a schedule that cannot be carried out");
        }
    }

    /** What a server holds over time: amounts from each moment on; of an inventory, at all times. */
    private final class Profile {
        private final long[] always = new long[largest.length];
        private boolean empty = true;
        private final PackingSearch.SpreadRules.Held held = apart.new Held();
        private final TreeMap<Long, long[]> from = new TreeMap<>(Map.of(Long.MIN_VALUE, new long[largest.length]));
        private final int kind;
        private final long[] capacity;

        Profile(int kind) {
            this.kind = kind;
            capacity = kinds[kind];
        }

        boolean isEmpty() {
            return empty;
        }

        /** The greatest part of a resource in use between two moments with a demand more; 2 if it does not fit. */
        double fullest(long begin, long end, long[] demand) {
            if (inventory) {
                return full(always, demand);
            }
            double most = 0;
            for (long[] held :
                    from.subMap(from.floorKey(begin), true, end, false).values()) {
                most = Math.max(most, full(held, demand));
            }
            return most;
        }

        private double full(long[] held, long[] demand) {
            double most = 0;
            for (int r = 0; r < demand.length; r++) {
                if (held[r] > capacity[r] - demand[r]) {
                    return 2;
                }
                most = capacity[r] == 0 ? most : Math.max(most, (double) (held[r] + demand[r]) / capacity[r]);
            }
            return most;
        }

        void hold(long begin, long end, long[] demand) {
            if (begin == end) {
                return;
            }
            empty = false;
            if (!inventory) {
                split(begin);
                split(end);
            }
            for (long[] held : inventory
                    ? List.of(always)
                    : from.subMap(begin, true, end, false).values()) {
                for (int r = 0; r < demand.length; r++) {
                    held[r] += demand[r];
                }
            }
        }

        private void split(long at) {
            from.computeIfAbsent(at, any -> from.floorEntry(at).getValue().clone());
        }
    }
}
