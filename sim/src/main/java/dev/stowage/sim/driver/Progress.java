package dev.stowage.sim.driver;

/** Hears how far a run is, every few thousand requests. */
@FunctionalInterface
public interface Progress {
    /** A listener that does nothing. */
    Progress NONE = (nowNanos, requests) -> {};

    /** The run is at this simulated time and has seen this many requests. */
    void at(long nowNanos, long requests);
}
