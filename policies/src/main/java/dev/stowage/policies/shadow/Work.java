package dev.stowage.policies.shadow;

import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import java.util.function.DoubleSupplier;

/**
 * How long the queues get by an arrival, in whole numbers of which {@link VirtualSystem#WORK} are c. c is 1.01 times the
 * greatest increment (section III-C), set when the first request is routed and then kept, also when servers or service times change
 * ({@link #MOST} times c is what one arrival may add; beyond that the superserver could not keep up, and c is set anew).
 */
final class Work {
    /** How many times c an increment may be. */
    static final double MOST = 16;

    private static final double FACTOR = 1.01;

    private final DoubleSupplier greatest;
    private double c;

    /**
     * c not set yet.
     *
     * @param greatest the right-hand side of (10) at this moment, nanoseconds
     */
    Work(DoubleSupplier greatest) {
        this.greatest = greatest;
    }

    /** An increment in the unit of the queues; at least 1, because nothing that arrives is nothing. */
    long units(double nanos) {
        if (nanos > MOST * c) {
            c = FACTOR * greatest.getAsDouble();
        }
        return Math.max(1, (long) StrictMath.rint(nanos / c * VirtualSystem.WORK));
    }

    void save(StateWriter out) {
        out.putDouble(c);
    }

    void restore(StateReader in) {
        c = in.getDouble();
    }
}
