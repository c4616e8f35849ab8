package dev.stowage.sim.driver;

/**
 * How a run ended.
 *
 * @param endNanos when
 * @param digest of the engine
 * @param arrived requests accepted
 * @param left requests that left
 * @param rejected requests rejected
 * @param refused commands refused, e.g. requests that fit no server
 */
public record RunEnd(long endNanos, long digest, long arrived, long left, long rejected, long refused) {}
