package dev.stowage.study.size;

import java.util.function.Supplier;

/**
 * What the requests that are present at one moment need at least, when a number of them may be left out:
 *
 * <ul>
 *   <li>by resource, the sum of demands over the capacity of one level, without the largest requests;
 *   <li>for servers of one kind by resource, a bound on requests that cannot share a server: L2 of S. Martello and P.
 * Toth, Lower bounds and reduction procedures for the bin packing problem, Discrete Applied Mathematics 28, 1990,
 * section 3;
 *   <li>for servers of one kind, the program of configurations ({@link Packing}) at the moments at which a resource is
 * at its greatest.
 * </ul>
 */
final class PresentNeed {
    /** Thresholds of L2 tried at one moment, per resource. */
    private static final int MOST_THRESHOLDS = 32;
    /** L2 is tried at moments whose sum is within this part of the greatest so far. */
    private static final double NEAR_PEAK = 0.97;
    /** Subtracted from the program's bound before rounding up: far more than the rounding errors of its sums. */
    private static final double MARGIN = 1e-7;

    private final ServerFleet fleet;
    private final RequestList requests;
    private final long allowed;
    private final int resources;
    private final int[][] order;
    private final double[] perLevel;
    private final double[] fixed;
    /** Largest capacity of one server. */
    private final long[] size;

    private long peakNanos;

    PresentNeed(ServerFleet fleet, RequestList requests, long allowed) {
        this.fleet = fleet;
        this.requests = requests;
        this.allowed = allowed;
        resources = requests.demands().length == 0 ? 0 : requests.demands()[0].length;
        order = Sweep.orders(requests, resources);
        perLevel = new double[resources];
        fixed = new double[resources];
        size = new long[resources];
        for (int r = 0; r < resources; r++) {
            perLevel[r] = fleet.perLevel(r);
            fixed[r] = fleet.fixed(r);
            size[r] = fleet.largest(r);
        }
    }

    /** The moment of the greatest need; the first of several. */
    PeakBound.Moment greatest(Supplier<Sweep> sweeps) {
        PeakBound.Moment best = PeakBound.Moment.NONE;
        double[] peak = new double[resources];
        double greatest = 0;
        Sweep sweep = sweeps.get();
        while (sweep.next()) {
            for (int r = 0; r < resources; r++) {
                if (perLevel[r] == 0) {
                    continue;
                }
                double part = (sweep.sum(r) - fixed[r]) / perLevel[r];
                if (part > best.level() - 1) {
                    best = best.or(new PeakBound.Moment(bySum(sweep, r), sweep.now(), r));
                }
                if (fleet.isOneKind() && part >= NEAR_PEAK * peak[r]) {
                    best = best.or(new PeakBound.Moment(apart(sweep, r) - allowed, sweep.now(), r));
                }
                peak[r] = Math.max(peak[r], part);
                if (part > greatest) {
                    greatest = part;
                    peakNanos = sweep.now();
                }
            }
        }
        return fleet.isOneKind() ? best.or(byPacking(sweeps)) : best;
    }

    /** When most is needed of some resource, after {@link #greatest}. */
    long peakNanos() {
        return peakNanos;
    }

    private long bySum(Sweep sweep, int r) {
        double need = sweep.sum(r) - (double) largest(sweep, r) - fixed[r];
        if (need <= 0) {
            return 0;
        }
        return fleet.isOneKind()
                ? ceil(sweep.sum(r) - largest(sweep, r), size[r])
                : (long) Math.ceil(need / perLevel[r] * (1 - 1e-12));
    }

    /** The amount held by the largest requests, which may be left out. */
    private long largest(Sweep sweep, int r) {
        long left = allowed;
        long held = 0;
        for (int k = 0; k < order[r].length && left > 0; k++) {
            int kind = order[r][k];
            long taken = Math.min(left, sweep.count(kind));
            held += taken * requests.demands()[kind][r];
            left -= taken;
        }
        return held;
    }

    /**
     * L2: for a threshold, requests larger than the server's size less the threshold are alone on a server, and no two
     * requests larger than half of it share one.
     */
    private long apart(Sweep sweep, int r) {
        long whole = size[r];
        long most = 0;
        int tried = 0;
        long last = -1;
        for (int k = order[r].length - 1; k >= 0 && tried < MOST_THRESHOLDS; k--) {
            long threshold = requests.demands()[order[r][k]][r];
            if (threshold * 2 > whole) {
                break;
            }
            if (sweep.count(order[r][k]) > 0 && threshold != last) {
                most = Math.max(most, apart(sweep, r, whole, threshold));
                last = threshold;
                tried++;
            }
        }
        return tried == 0 ? apart(sweep, r, whole, 0) : most;
    }

    private long apart(Sweep sweep, int r, long whole, long threshold) {
        long alone = 0;
        long halves = 0;
        long halvesHold = 0;
        long smallHold = 0;
        for (int kind : order[r]) {
            long demand = requests.demands()[kind][r];
            long count = sweep.count(kind);
            if (demand > whole - threshold) {
                alone += count;
            } else if (2 * demand > whole) {
                halves += count;
                halvesHold += count * demand;
            } else if (demand >= threshold) {
                smallHold += count * demand;
            } else {
                break;
            }
        }
        long room = halves * whole - halvesHold;
        return alone + halves + (smallHold > room ? ceil(smallHold - room, whole) : 0);
    }

    private static long ceil(long amount, long size) {
        return amount <= 0 ? 0 : (amount + size - 1) / size;
    }

    private PeakBound.Moment byPacking(Supplier<Sweep> sweeps) {
        PeakBound.Moment best = PeakBound.Moment.NONE;
        for (Packing.PeakMoment at : Packing.peaks(sweeps)) {
            double atLeast = Packing.least(requests, at, fleet.kinds(), new double[] {1}, allowed)
                    .cost()
                    .atLeast();
            best = best.or(new PeakBound.Moment(
                    (long) Math.ceil(atLeast * (1 - MARGIN) - MARGIN), at.nanos(), PeakBound.Moment.PACKING));
        }
        return best;
    }
}
