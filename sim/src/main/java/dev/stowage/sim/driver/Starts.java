package dev.stowage.sim.driver;

import dev.stowage.sim.workload.Distribution;

/**
 * How requests start on their servers: each has an agent, which tries to start it, and reports after some time that it
 * runs or that it could not be started. From then on it runs; a request that could not be started is placed again.
 *
 * @param failing probability that a start fails, at least 0 and at most {@link #MOST_FAILING}
 * @param duration how long a start takes, seconds
 */
public record Starts(double failing, Distribution duration) {
    /** Greatest probability: above it requests would hardly ever run. */
    public static final double MOST_FAILING = 0.9;

    /** Checks the probability. */
    public Starts {
        if (!(failing >= 0 && failing <= MOST_FAILING)) {
            throw new IllegalArgumentException(
                    "probability " + failing + " that a start fails, must be 0 to " + MOST_FAILING);
        }
    }
}
