package dev.stowage.study.size;

import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Resource;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.SizeTarget;
import dev.stowage.study.load.RequestPass;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;
import java.util.TreeMap;

/**
 * How many equal servers any policy needs at least to meet a target on given requests: a proven lower bound.
 *
 * <p>A request that begins at most <i>w</i> after its arrival <i>a</i> and runs for <i>d</i> is there from <i>a + w</i>
 * to
 * <i>a + d</i>, whatever the policy does. So at every moment all requests within these times, but the few that may miss
 * the
 * target, must fit beside each other. Their number of servers is bounded by the sum of each resource, and by the number
 * of
 * those that cannot share a server (L2 of S. Martello and P. Toth: Lower bounds and reduction procedures for the bin
 * packing
 * problem, Discrete Applied Mathematics 28, 1990, section 3), resource by resource. A target that lets requests wait
 * for ever
 * is bounded for policies that decide at once: <i>w</i> = 0.
 *
 * @param servers least number of servers; 0 where nothing is known
 * @param atNanos the moment that decides
 * @param resource the resource that decides; empty where no server is needed
 * @param requests requests of the run
 * @param fitNone of them, those that fit not even an empty server
 */
record PeakBound(long servers, long atNanos, String resource, long requests, long fitNone) {
    /** Thresholds of L2 tried at one moment, per resource. */
    private static final int MOST_THRESHOLDS = 32;
    /** L2 is tried at moments whose sum is within this part of the greatest so far. */
    private static final double NEAR_PEAK = 0.97;

    /** A request is there from one time to another, to be one of a kind. */
    private record Presence(long from, long until, int kind) {}

    /** Of the requests of a seed. O(n log n) for n requests, and O(kinds) at moments near the peak. */
    static PeakBound of(Experiment experiment, SizeTarget target, long seed) {
        RequestPass pass = new RequestPass(experiment, seed, experiment.end().atNanos());
        Amounts capacity = capacity(experiment);
        // In slotted time a request arrives at the next boundary.
        long delay = (target.waitsForEver() ? 0 : target.withinNanos()) + experiment.slotNanos();
        TreeMap<long[], Integer> kinds = new TreeMap<>(Arrays::compare);
        List<Presence> present = new ArrayList<>();
        long requests = 0;
        long fitNone = 0;
        long last = 0;
        while (pass.next()) {
            requests++;
            last = pass.arrivalNanos();
            long[] demand = pass.demand();
            if (!fits(demand, capacity)) {
                fitNone++;
                continue;
            }
            int kind = kinds.computeIfAbsent(demand, key -> kinds.size());
            long from = last + delay;
            if (from < pass.untilNanos()) {
                present.add(new Presence(from, pass.untilNanos(), kind));
            }
        }
        long[][] demands = new long[kinds.size()][];
        kinds.forEach((demand, kind) -> demands[kind] = demand);
        long end = Math.min(experiment.end().atNanos(), last);
        long allowed = Math.max(0, target.allowed(requests) - fitNone);
        return new Sweep(demands, capacity, allowed).over(present, end).bound(experiment, requests, fitNone);
    }

    /** Of every server. */
    static Amounts capacity(Experiment experiment) {
        return experiment.cluster().sites().get(0).servers().get(0).capacity();
    }

    private static boolean fits(long[] demand, Amounts capacity) {
        for (int r = 0; r < demand.length; r++) {
            if (demand[r] > capacity.get(r)) {
                return false;
            }
        }
        return true;
    }

    /** Goes through the moments at which a request comes. */
    private static final class Sweep {
        private final long[][] demands;
        private final Amounts capacity;
        private final long allowed;
        private final int resources;
        private final long[] count;
        private final long[] sum;
        /** By resource, the kinds in descending order of demand. */
        private final int[][] order;

        private long best;
        private long bestAt;
        private int bestResource = -1;
        private double peak;

        Sweep(long[][] demands, Amounts capacity, long allowed) {
            this.demands = demands;
            this.capacity = capacity;
            this.allowed = allowed;
            resources = capacity.size();
            count = new long[demands.length];
            sum = new long[resources];
            order = new int[resources][];
            for (int r = 0; r < resources; r++) {
                int resource = r;
                order[r] = java.util.stream.IntStream.range(0, demands.length)
                        .boxed()
                        .sorted((a, b) -> Long.compare(demands[b][resource], demands[a][resource]))
                        .mapToInt(Integer::intValue)
                        .toArray();
            }
        }

        Sweep over(List<Presence> present, long end) {
            PriorityQueue<Presence> leaving = new PriorityQueue<>((a, b) -> Long.compare(a.until(), b.until()));
            for (Presence next : present) {
                if (next.from() > end) {
                    break;
                }
                while (!leaving.isEmpty() && leaving.peek().until() <= next.from()) {
                    change(leaving.remove().kind(), -1);
                }
                leaving.add(next);
                change(next.kind(), 1);
                look(next.from());
            }
            return this;
        }

        private void change(int kind, int by) {
            count[kind] += by;
            for (int r = 0; r < resources; r++) {
                sum[r] += by * demands[kind][r];
            }
        }

        private void look(long at) {
            for (int r = 0; r < resources; r++) {
                long size = capacity.get(r);
                if (size == 0) {
                    continue;
                }
                double part = (double) sum[r] / size;
                if (part > best - 1) {
                    keep(ceil(sum[r] - largest(r), size), at, r);
                }
                if (part >= NEAR_PEAK * peak) {
                    peak = Math.max(peak, part);
                    keep(apart(r) - allowed, at, r);
                }
            }
        }

        private void keep(long servers, long at, int resource) {
            if (servers > best) {
                best = servers;
                bestAt = at;
                bestResource = resource;
            }
        }

        /** What the largest requests hold that may miss the target. */
        private long largest(int resource) {
            long left = allowed;
            long held = 0;
            for (int k = 0; k < order[resource].length && left > 0; k++) {
                int kind = order[resource][k];
                long taken = Math.min(left, count[kind]);
                held += taken * demands[kind][resource];
                left -= taken;
            }
            return held;
        }

        /**
         * L2: with a threshold, those above the size less it are alone, and those above the half share with none such.
         */
        private long apart(int r) {
            long size = capacity.get(r);
            long most = 0;
            int tried = 0;
            long last = -1;
            for (int k = order[r].length - 1; k >= 0 && tried < MOST_THRESHOLDS; k--) {
                long threshold = demands[order[r][k]][r];
                if (threshold * 2 > size) {
                    break;
                }
                if (count[order[r][k]] > 0 && threshold != last) {
                    most = Math.max(most, apart(r, size, threshold));
                    last = threshold;
                    tried++;
                }
            }
            return tried == 0 ? apart(r, size, 0) : most;
        }

        private long apart(int r, long size, long threshold) {
            long alone = 0;
            long halves = 0;
            long halvesHold = 0;
            long smallHold = 0;
            for (int kind : order[r]) {
                long demand = demands[kind][r];
                if (demand > size - threshold) {
                    alone += count[kind];
                } else if (2 * demand > size) {
                    halves += count[kind];
                    halvesHold += count[kind] * demand;
                } else if (demand >= threshold) {
                    smallHold += count[kind] * demand;
                } else {
                    break;
                }
            }
            long room = halves * size - halvesHold;
            return alone + halves + (smallHold > room ? ceil(smallHold - room, size) : 0);
        }

        PeakBound bound(Experiment experiment, long requests, long fitNone) {
            List<Resource> all = experiment.cluster().resources();
            return new PeakBound(
                    best, bestAt, bestResource < 0 ? "" : all.get(bestResource).name(), requests, fitNone);
        }

        private static long ceil(long amount, long size) {
            return amount <= 0 ? 0 : (amount + size - 1) / size;
        }
    }
}
