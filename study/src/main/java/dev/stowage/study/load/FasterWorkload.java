package dev.stowage.study.load;

import dev.stowage.sim.workload.ForwardingWorkload;
import dev.stowage.sim.workload.RequestStream;
import dev.stowage.sim.workload.Workload;

/**
 * The same requests at shorter distances: arrival times are divided by a factor, durations stay (the "traffic scaling"
 * of Psychas and Ghaderi, Scheduling Jobs with Random Resource Requirements, section VII-B). A day's pattern becomes
 * shorter with it.
 */
final class FasterWorkload extends ForwardingWorkload {
    private final double factor;

    /** {@code factor} times as many requests per hour. */
    FasterWorkload(Workload workload, double factor) {
        super(workload);
        this.factor = factor;
    }

    private long faster(long nanos) {
        return nanos == Long.MAX_VALUE ? nanos : (long) Math.floor(nanos / factor);
    }

    @Override
    public long startNanos() {
        return NO_DATE;
    }

    @Override
    public long endNanos() {
        return faster(super.endNanos());
    }

    @Override
    public RequestStream open(long seed) {
        return new Stream(super.open(seed)) {
            @Override
            public long arrivalNanos() {
                return faster(super.arrivalNanos());
            }
        };
    }
}
