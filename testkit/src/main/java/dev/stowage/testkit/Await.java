package dev.stowage.testkit;

import java.util.function.BooleanSupplier;

/**
 * Waiting in tests: for as long as it takes, so that a busy machine fails none. What never comes is ended by the one
 * limit on tests, in pom.xml, and told here.
 */
public final class Await {
    /** What is soon there is soon seen; what takes long is asked for less and less often. */
    private static final long LONGEST_POLL_MILLIS = 50;

    private Await() {}

    /** Waits until something holds. */
    public static void until(String what, BooleanSupplier condition) {
        for (long millis = 1; !condition.getAsBoolean(); millis = Math.min(millis + 1, LONGEST_POLL_MILLIS)) {
            try {
                Thread.sleep(millis);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError("waited for: " + what, e);
            }
        }
    }
}
