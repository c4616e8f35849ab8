package dev.stowage.service.api;

import java.time.Duration;

/**
 * How long agents of servers may be silent, where they do not say it themselves.
 *
 * @param lease until the server is suspected; more than zero
 * @param grace from then until it is lost; at least zero
 */
public record LeaseTimes(Duration lease, Duration grace) {
    /** The defaults. */
    public static final LeaseTimes USUAL = new LeaseTimes(Duration.ofSeconds(20), Duration.ofSeconds(20));

    /** Checks them. */
    public LeaseTimes {
        if (lease.isNegative() || lease.isZero() || grace.isNegative()) {
            throw new IllegalArgumentException(
                    "lease " + lease + " must be more than zero, and grace time " + grace + " at least zero");
        }
    }
}
