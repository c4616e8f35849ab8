package dev.stowage.sim.driver;

/**
 * When a run ends: at a time, after a number of requests, or when the workload has no more requests; whichever is
 * first.
 *
 * @param atNanos end time, {@link Long#MAX_VALUE} if not given
 * @param requests greatest number of requests, {@link Long#MAX_VALUE} if not given
 * @param drain whether to go on after the last arrival until no request waits
 */
public record End(long atNanos, long requests, boolean drain) {}
