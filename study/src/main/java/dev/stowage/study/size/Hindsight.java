package dev.stowage.study.size;

import dev.stowage.sim.driver.Hazards;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.PolicyNeeds;
import dev.stowage.sim.experiment.SizeQuestion;
import dev.stowage.sim.experiment.SizeRequirement;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A schedule of given requests by one who knows them all, with few servers: how few is an upper bound on the least
 * possible, as {@link PeakBound} is a lower one. What lies between an online policy and the schedule is due to deciding
 * without knowing what comes; what lies between schedule and bound is not known.
 *
 * <p>The largest first (by the greatest part of a resource, of equal ones the longest), each on the server that it
 * leaves least full at the fullest moment of its whole time: with a given number of servers, requests that use
 * different resources so come together. For an inventory it is also tried to put each where it leaves the server
 * fullest. Requests start at their arrival or, if they may wait and there is no room, as late as they may. As many
 * requests as may miss the target are left out: those that find no room, or those with the largest demand at the moment
 * of greatest load, one after the other. Where servers of an inventory may be lost there is a schedule for the rest,
 * whichever are lost. Every schedule is checked by a walk over its events. O(n x servers x requests of a server) for
 * each number of servers.
 */
final class Hindsight {
    /** More requests take too long. */
    static final int MOST_REQUESTS = 50_000;
    /** More servers that may be lost, of several kinds, have too many ways to be lost. */
    private static final int MOST_LOST = 3;

    private final RequestList requests;
    private final PeakBound.Rule rule;
    private final long delay;
    private final ServerFleet fleet;
    /** Of a server, by kind and resource. */
    private final long[][] kinds;
    /** The most that a server has of each resource. */
    private final long[] largest;

    private final int spare;
    /** Whether the other way round is tried, too. */
    private final boolean inventory;
    /** Requests that count and fit a server, the largest first, of these the longest. */
    private final int[] order;

    private final boolean[] leftOut;

    private Hindsight(
            RequestList requests,
            PeakBound.Rule rule,
            boolean[] fits,
            ServerFleet fleet,
            int spare,
            boolean inventory) {
        this.requests = requests;
        this.rule = rule;
        this.fleet = fleet;
        this.spare = spare;
        this.inventory = inventory;
        kinds = fleet.kinds();
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
        leftOut = leftOut();
    }

    /**
     * For the requests of a seed; empty where such a schedule is not sought: a target that is not about which requests
     * start in time, servers that stay or, of what is not an inventory, are lost, requests with constraints, too many
     * requests.
     */
    static Optional<Hindsight> of(Experiment point, SizeQuestion question, ServerFleet fleet, RequestList requests) {
        List<SizeRequirement> all = question.target().requirements();
        boolean inventory = point.workload().isInventory();
        boolean plain = question.withSpare(0).equals(new SizeQuestion(question.target()))
                && question.spareServers() <= (inventory ? MOST_LOST : 0)
                && all.size() == 1
                && all.get(0).kind() == SizeRequirement.Kind.MISSED
                && fleet.stay() == 0
                && point.slotNanos() == 0
                && point.hazards().equals(Hazards.NONE)
                && PolicyNeeds.of(point.cluster(), point.workload(), point.origins(), point.hazards())
                        .isEmpty();
        if (!plain || requests.size() == 0 || requests.size() > MOST_REQUESTS) {
            return Optional.empty();
        }
        boolean[] fits = Sweep.fitting(requests, fleet);
        PeakBound.Rule rule = PeakBound.rules(point, question, requests, fits).get(0);
        return Optional.of(new Hindsight(requests, rule, fits, fleet, question.spareServers(), inventory));
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
        return holds(servers.clone(), 0, spare);
    }

    /** Whether there is one without so many of the servers of a kind and those after it. */
    private boolean holds(long[] servers, int kind, long lost) {
        if (kind == servers.length || lost == 0) {
            // To lose fewer is no harder.
            return Arrays.stream(servers).sum() > 0 && (lost > 0 || scheduled(servers));
        }
        for (long less = Math.min(lost, servers[kind]); less >= 0; less--) {
            long[] rest = servers.clone();
            rest[kind] -= less;
            if (!holds(rest, kind + 1, lost - less)) {
                return false;
            }
        }
        return true;
    }

    private boolean scheduled(long[] servers) {
        boolean[] none = new boolean[requests.size()];
        return scheduled(servers, none, rule.allowed(), false)
                || (inventory && scheduled(servers, none, rule.allowed(), true))
                || (rule.allowed() > 0 && scheduled(servers, leftOut, 0, false));
    }

    private boolean scheduled(long[] servers, boolean[] out, long misses, boolean fullest) {
        long[] start = new long[requests.size()];
        int[] server = new int[requests.size()];
        Arrays.fill(server, -1);
        long left = misses;
        Profile[] profiles = IntStream.range(0, servers.length)
                .boxed()
                .flatMap(kind -> Stream.generate(() -> new Profile(kind)).limit(servers[kind]))
                .toArray(Profile[]::new);
        for (int i : order) {
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
                double full = profiles[s].fullest(begin, end, demand(i));
                double rank = fullest ? -full : full;
                if (full <= 1 && rank < least) {
                    least = rank;
                    server[i] = s;
                }
            }
            if (server[i] >= 0) {
                start[i] = begin;
                profiles[server[i]].hold(begin, end, demand(i));
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

    /** What a server holds over time: amounts from each moment on. */
    private final class Profile {
        private final TreeMap<Long, long[]> from = new TreeMap<>(Map.of(Long.MIN_VALUE, new long[largest.length]));
        private final int kind;
        private final long[] capacity;

        Profile(int kind) {
            this.kind = kind;
            capacity = kinds[kind];
        }

        boolean isEmpty() {
            return from.size() == 1;
        }

        /** The greatest part of a resource in use between two moments with a demand more; 2 if it does not fit. */
        double fullest(long begin, long end, long[] demand) {
            double most = 0;
            for (long[] held :
                    from.subMap(from.floorKey(begin), true, end, false).values()) {
                for (int r = 0; r < demand.length; r++) {
                    if (held[r] > capacity[r] - demand[r]) {
                        return 2;
                    }
                    most = capacity[r] == 0 ? most : Math.max(most, (double) (held[r] + demand[r]) / capacity[r]);
                }
            }
            return most;
        }

        void hold(long begin, long end, long[] demand) {
            if (begin == end) {
                return;
            }
            split(begin);
            split(end);
            for (long[] held : from.subMap(begin, true, end, false).values()) {
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
