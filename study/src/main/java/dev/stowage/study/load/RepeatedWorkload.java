package dev.stowage.study.load;

import dev.stowage.sim.workload.ForwardingWorkload;
import dev.stowage.sim.workload.RequestStream;
import dev.stowage.sim.workload.Workload;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * A number of each request, at its own time: of n requests of types with one factor ceil(factor n) in all. Which ones
 * come once more than others is fixed by their order, by type and then by time, spread over it as a van der Corput
 * sequence (J. G. van der Corput, Verteilungsfunktionen, 1935); so with a greater factor the same come, and more.
 */
final class RepeatedWorkload extends ForwardingWorkload {
    /** Keeps what only a rounding error takes above a whole number from being rounded up. */
    private static final double ROUNDING = 1e-9;

    /** By type. */
    private final double[] factor;

    RepeatedWorkload(Workload workload, double[] factor) {
        super(workload);
        this.factor = factor;
    }

    @Override
    public RequestStream open(long seed) {
        return new Repeated(super.open(seed), counts(seed));
    }

    /** Requests by type. */
    private long[] counts(long seed) {
        long[] counts = new long[types().size()];
        RequestStream stream = super.open(seed);
        while (stream.next()) {
            counts[stream.type()]++;
        }
        return counts;
    }

    /** Requests of types with one factor, in the order of types. */
    private static final class Alike {
        private long requests;
        private int bits;
        /** Those come once more whose place, its bits reversed, is below this. */
        private long below;

        /** @param times the factor */
        void spread(double times) {
            bits = Long.SIZE - Long.numberOfLeadingZeros(Math.max(1, requests - 1));
            long more = (long) Math.ceil(requests * times - ROUNDING) - requests * (long) Math.floor(times);
            for (below = 0; more > 0; below++) {
                more -= reversed(below) < requests ? 1 : 0;
            }
        }

        private long reversed(long place) {
            return Long.reverse(place) >>> (Long.SIZE - bits);
        }

        boolean oneMore(long place) {
            return reversed(place) < below;
        }
    }

    private final class Repeated extends Stream {
        private final Map<Double, Alike> alike = new LinkedHashMap<>();
        /** By type: the place of its next request among those with its factor. */
        private final long[] place = new long[factor.length];

        private long left;

        Repeated(RequestStream stream, long[] counts) {
            super(stream);
            for (int type = 0; type < factor.length; type++) {
                Alike its = alike.computeIfAbsent(factor[type], times -> new Alike());
                place[type] = its.requests;
                its.requests += counts[type];
            }
            alike.forEach((times, its) -> its.spread(times));
        }

        @Override
        public boolean next() {
            while (left == 0) {
                if (!super.next()) {
                    return false;
                }
                double times = factor[type()];
                Alike its = Objects.requireNonNull(alike.get(times));
                left = (long) Math.floor(times) + (its.oneMore(place[type()]++) ? 1 : 0);
            }
            left--;
            return true;
        }
    }
}
