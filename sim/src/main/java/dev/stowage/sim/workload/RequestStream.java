package dev.stowage.sim.workload;

/**
 * A cursor over requests in order of arrival. It is reused from request to request and allocates nothing per request.
 * The accessors read the current request and may be called only after {@link #next()} returned true.
 */
public interface RequestStream {
    /** Work of a request that does not leave before the run ends (still there when the trace ended). */
    long ENDLESS = Long.MAX_VALUE;

    /** Moves to the next request; false when there is none. */
    boolean next();

    /** Arrival, nanoseconds from the start of the run; never decreases. */
    long arrivalNanos();

    /** Type number, an index into {@link Workload#types()}. */
    int type();

    /** Demand in whole units of resource {@code resource}, at least 0. */
    long demand(int resource);

    /** Service time in nanoseconds at speed one, at least 1, or {@link #ENDLESS}. */
    long workNanos();

    /** The source's own name of the request; empty where it has none. */
    default String id() {
        return "";
    }

    /** How long the request expects to run, nanoseconds, which may be wrong; 0 where it does not say. */
    default long expectedNanos() {
        return 0;
    }

    /** Reward per hour of service, in micro-units; 0 where nothing is paid. */
    default long rewardMicros() {
        return 0;
    }
}
