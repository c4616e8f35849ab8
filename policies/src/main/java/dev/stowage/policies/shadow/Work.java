package dev.stowage.policies.shadow;

import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.policies.learn.ServiceTimes;
import java.util.function.DoubleSupplier;

/**
 * By how much an arrival lengthens the queues, in whole numbers of which {@link VirtualSystem#WORK} are c. c is 1.01
 * times the greatest increment (section III-C), set when the first request is routed and then kept, also when servers
 * or service times change (one arrival may add at most {@link #MOST} times c; beyond that the superserver could not
 * keep up, and c is set anew).
 *
 * <p>If mean service times are not declared, c follows the estimates: it is set anew with the first observed end of a
 * service, and whenever the number of ends doubles ({@link ServiceTimes#stage}). The queues keep their lengths in
 * multiples of c, so decisions do not depend on the unit of time.
 */
final class Work {
    /** Largest increment, in multiples of c. */
    static final double MOST = 16;

    private static final double FACTOR = 1.01;
    /** Stands in for a mean service time while none is known; cancels out. */
    private static final double UNKNOWN_NANOS = 1e9;

    private static final int NEVER = -1;

    private final ServiceTimes times;
    private final DoubleSupplier greatest;
    private double c;
    private int stage = NEVER;
    private double otherwise;

    /**
     * c not set yet.
     *
     * @param greatest the right-hand side of (10) at this moment, nanoseconds, of means as {@link #mean} gives them
     */
    Work(ServiceTimes times, DoubleSupplier greatest) {
        this.times = times;
        this.greatest = greatest;
    }

    /** Mean service time of a type, nanoseconds: declared, or observed, or the mean of the known ones. */
    double mean(int type) {
        if (stage != times.stage()) {
            stage = times.stage();
            otherwise = times.knownMeanNanos(UNKNOWN_NANOS);
            c = 0;
        }
        return times.meanNanos(type, otherwise);
    }

    /** An increment in the unit of the queues; at least 1, because every arrival counts. */
    long units(double nanos) {
        if (nanos > MOST * c) {
            c = FACTOR * greatest.getAsDouble();
        }
        return Math.max(1, (long) StrictMath.rint(nanos / c * VirtualSystem.WORK));
    }

    void save(StateWriter out) {
        out.putDouble(c);
        out.putInt(stage);
        out.putDouble(otherwise);
    }

    void restore(StateReader in) {
        c = in.getDouble();
        stage = in.getInt();
        otherwise = in.getDouble();
    }
}
