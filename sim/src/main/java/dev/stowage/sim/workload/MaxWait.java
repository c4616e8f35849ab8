package dev.stowage.sim.workload;

import dev.stowage.core.random.KeyedRandom;

/**
 * How long requests are willing to wait: one that has not been placed by then leaves, a gang as a whole. With 0 it is
 * placed now or never.
 *
 * @param time how long, in units of {@code unitNanos}
 * @param unitNanos length of the unit: a second, or a slot
 */
public record MaxWait(Distribution time, long unitNanos) {
    /** Checks the unit. */
    public MaxWait {
        Parameters.check(unitNanos >= 1, "unit of the longest wait in nanoseconds", unitNanos, "at least 1");
    }

    /** Always the same time. */
    public static MaxWait of(long nanos) {
        return new MaxWait(Distribution.deterministic((double) nanos), 1);
    }

    /** The time of a request, nanoseconds, at least 0. */
    public long sample(KeyedRandom random) {
        return Math.max(0, Math.round(time.sample(random) * unitNanos));
    }

    /** The mean time, nanoseconds. */
    public long meanNanos() {
        return Math.round(time.mean() * unitNanos);
    }
}
