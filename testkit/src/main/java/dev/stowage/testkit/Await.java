package dev.stowage.testkit;

import java.util.function.BooleanSupplier;

/**
 * Waiting in tests: for as long as it takes, so that a busy machine fails none. What never comes is ended by the one
 * limit on tests, in pom.xml, and told here.
 */
public final class Await {
    private static final long POLL_MILLIS = 10;

    private Await() {}

    /** Waits until something holds. */
    public static void until(String what, BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            try {
                Thread.sleep(POLL_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError("waited for: " + what, e);
            }
        }
    }
}
