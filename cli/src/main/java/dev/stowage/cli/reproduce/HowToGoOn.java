package dev.stowage.cli.reproduce;

import dev.stowage.cli.text.Console;
import java.util.Map;

/** Says, when the JVM is told to stop, how to go on with the figures that are not done. */
final class HowToGoOn implements AutoCloseable {
    private final Thread hook;

    /**
     * Waits for the end.
     *
     * @param done the figures that are done
     */
    HowToGoOn(Console console, Map<String, ?> done) {
        hook = new Thread(
                () -> {
                    if (!done.isEmpty()) {
                        console.warn("stowage: on the page: " + String.join(", ", done.keySet())
                                + "; the same command with --reuse runs only the others");
                    }
                },
                "stowage-reproduction");
        Runtime.getRuntime().addShutdownHook(hook);
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The JVM is already shutting down, so the hook runs.
        }
    }
}
