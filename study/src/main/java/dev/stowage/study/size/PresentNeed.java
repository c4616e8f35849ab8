package dev.stowage.study.size;

import java.util.function.Supplier;

/**
 * What the requests that are present at one moment need at least, when a number of them may be left out:
 *
 * <ul>
 *   <li>by resource, the sum of demands over the capacity of one level, without the largest requests;
 *   <li>for servers of one kind, the program of configurations ({@link Packing}) at the moments at which a resource is
 * at its greatest.
 * </ul>
 */
final class PresentNeed {
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
