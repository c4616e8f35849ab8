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

/**
 * A schedule of given requests by one who knows them all, with few servers of one kind: how few is an upper bound on
 * the least possible, as {@link PeakBound} is a lower one. What lies between an online policy and the schedule is due
 * to
 * deciding without knowing what comes; what lies between schedule and bound is not known.
 *
 * <p>The largest first (by the greatest part of a resource, of equal ones the longest), each on the server that it
 * leaves
 * least full at the fullest moment of its whole time: with a given number of servers, requests that use different
 * resources so come together. They start at their arrival or, if they may wait and there is no room, as late as they
 * may.
 * As many requests as may miss the target are left out: those that find no room, or those with the largest demand at
 * the
 * moment of greatest load, one after the other. Every schedule is checked by a walk over its events. O(n x servers x
 * requests of a server) for each number of servers.
 */
final class Hindsight {
    /** More requests take too long. */
    static final int MOST_REQUESTS = 50_000;

    private final RequestList requests;
    private final PeakBound.Rule rule;
    private final long delay;
    private final long[] capacity;
    /** Requests that count and fit a server, the largest first, of these the longest. */
    private final int[] order;

    private final boolean[] leftOut;

    private Hindsight(RequestList requests, PeakBound.Rule rule, boolean[] fits, long[] capacity) {
        this.requests = requests;
        this.rule = rule;
        this.capacity = capacity;
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
     * For the requests of a seed; empty where such a schedule is not sought: several kinds of servers, a target that is
     * not about which requests start in time, servers that are lost, requests with constraints, too many requests.
     */
    static Optional<Hindsight> of(Experiment point, SizeQuestion question, ServerFleet fleet, RequestList requests) {
        List<SizeRequirement> all = question.target().requirements();
        boolean plain = question.equals(new SizeQuestion(question.target()))
                && all.size() == 1
                && all.get(0).kind() == SizeRequirement.Kind.MISSED
                && fleet.isOneKind()
                && point.slotNanos() == 0
                && point.hazards().equals(Hazards.NONE)
                && PolicyNeeds.of(point.cluster(), point.workload(), point.origins(), point.hazards())
                        .isEmpty();
        if (!plain || requests.size() == 0 || requests.size() > MOST_REQUESTS) {
            return Optional.empty();
        }
        boolean[] fits = Sweep.fitting(requests, fleet);
        PeakBound.Rule rule = PeakBound.rules(point, question, requests, fits).get(0);
        return Optional.of(new Hindsight(requests, rule, fits, fleet.kinds()[0]));
    }

    /**
     * The least number of servers, from one below another, for which a schedule is found by bisection; else that
     * other.
     */
    long least(long from, long most) {
        long good = most;
        long bad = Math.max(0, from - 1);
        while (good - bad > 1) {
            long middle = (good + bad) / 2;
            if (found(middle)) {
                good = middle;
            } else {
                bad = middle;
            }
        }
        return good;
    }

    private boolean found(long servers) {
        boolean[] none = new boolean[requests.size()];
        return found(servers, none, rule.allowed()) || (rule.allowed() > 0 && found(servers, leftOut, 0));
    }

    private boolean found(long servers, boolean[] out, long misses) {
        long[] start = new long[requests.size()];
        int[] server = new int[requests.size()];
        Arrays.fill(server, -1);
        long left = misses;
        Profile[] profiles = new Profile[Math.toIntExact(servers)];
        Arrays.setAll(profiles, s -> new Profile());
        for (int i : order) {
            if (!out[i] && !placed(i, profiles, start, server) && left-- == 0) {
                return false;
            }
        }
        check(start, server, profiles.length);
        return true;
    }

    /** On the server that it leaves least full at the fullest moment of its time. */
    private boolean placed(int i, Profile[] profiles, long[] start, int[] server) {
        for (long begin = requests.arrival()[i]; ; begin += delay) {
            long end = length(i) > Long.MAX_VALUE - begin ? Long.MAX_VALUE : begin + length(i);
            double least = Double.POSITIVE_INFINITY;
            for (int s = 0; s < profiles.length; s++) {
                double full = profiles[s].fullest(begin, end, demand(i));
                if (full <= 1 && full < least) {
                    least = full;
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

    /** The largest part of a server that a request takes. */
    private double part(int i) {
        double most = 0;
        for (int r = 0; r < capacity.length; r++) {
            most = capacity[r] == 0 ? most : Math.max(most, (double) demand(i)[r] / capacity[r]);
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
        double[] used = new double[capacity.length];
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
            used[r] += capacity[r] == 0 ? 0 : sign * (double) demand(i)[r] / capacity[r];
        }
    }

    /** Every start in time, no server over its capacity at any event, not more missing than may; else a bug. */
    private void check(long[] start, int[] server, int servers) {
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
        long[][] used = new long[servers][capacity.length];
        for (long[][] change : changes.values()) {
            for (int s = 0; s < servers; s++) {
                for (int r = 0; change[s] != null && r < capacity.length; r++) {
                    used[s][r] += change[s][r];
                    require(used[s][r] >= 0 && used[s][r] <= capacity[r]);
                }
            }
        }
    }

    private void change(Map<Long, long[][]> changes, long at, int server, long[] demand, int sign, int servers) {
        long[][] there = changes.computeIfAbsent(at, any -> new long[servers][]);
        if (there[server] == null) {
            there[server] = new long[capacity.length];
        }
        for (int r = 0; r < capacity.length; r++) {
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
        private final TreeMap<Long, long[]> from = new TreeMap<>(Map.of(Long.MIN_VALUE, new long[capacity.length]));

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
