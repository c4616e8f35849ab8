package dev.stowage.sim.workload;

import java.util.List;

/** The origins of a workload's requests: the same for one seed, whatever the policy does (common random numbers). */
public interface Origins {
    /** All origins; at least one. */
    List<RequestOrigin> all();

    /** The requests from the first on. */
    Cursor open(long seed);

    /** Whether any request may be limited to sites. */
    default boolean areLimited() {
        return all().stream().anyMatch(RequestOrigin::isLimited);
    }

    /** Gives the origins of requests one after the other. */
    @FunctionalInterface
    interface Cursor {
        /** RequestOrigin of the next request, an index into {@link #all()}; it arrives at {@code arrivalNanos}. */
        int next(long arrivalNanos);
    }
}
