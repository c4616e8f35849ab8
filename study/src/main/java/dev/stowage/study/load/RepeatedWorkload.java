package dev.stowage.study.load;

import dev.stowage.sim.workload.ForwardingWorkload;
import dev.stowage.sim.workload.RequestStream;
import dev.stowage.sim.workload.Workload;
import java.util.HashMap;
import java.util.Map;

/**
 * A number of each request, at its own time: of n requests of types with one factor ceil(factor n) in all, and of each
 * type as many within one. Which ones come once more than others is fixed by their order within their type, so nothing
 * is drawn; with a slightly greater factor it may be others.
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
        return new Repeated(super.open(seed), before(seed));
    }

    /** By type: how many requests the types before it have that have the same factor. */
    private long[] before(long seed) {
        long[] count = new long[types().size()];
        RequestStream stream = super.open(seed);
        while (stream.next()) {
            count[stream.type()]++;
        }
        long[] before = new long[count.length];
        Map<Double, Long> alike = new HashMap<>();
        for (int type = 0; type < count.length; type++) {
            before[type] = alike.getOrDefault(factor[type], 0L);
            alike.merge(factor[type], count[type], Long::sum);
        }
        return before;
    }

    private final class Repeated extends Stream {
        /** By type: the place of its next request, if all with its factor were sorted by type. */
        private final long[] place;

        private long left;

        Repeated(RequestStream stream, long[] place) {
            super(stream);
            this.place = place;
        }

        @Override
        public boolean next() {
            while (left == 0) {
                if (!super.next()) {
                    return false;
                }
                long at = place[type()]++;
                left = upTo(at + 1, factor[type()]) - upTo(at, factor[type()]);
            }
            left--;
            return true;
        }

        private static long upTo(long requests, double times) {
            return (long) Math.ceil(requests * times - ROUNDING);
        }
    }
}
