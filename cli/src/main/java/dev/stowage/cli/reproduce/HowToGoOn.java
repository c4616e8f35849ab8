package dev.stowage.cli.reproduce;

import dev.stowage.cli.text.Console;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Says, when the JVM is told to stop, how to go on with the figures that are not done. */
final class HowToGoOn implements AutoCloseable {
    private final Console console;
    private final List<String> done = new CopyOnWriteArrayList<>();
    private final Thread hook = new Thread(this::tell, "stowage-reproduction");

    /** Waits for the end. */
    HowToGoOn(Console console) {
        this.console = console;
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** A figure is on the page. */
    void done(String figure) {
        done.add(figure);
    }

    private void tell() {
        if (!done.isEmpty()) {
            console.warn("stowage: on the page: " + String.join(", ", done)
                    + "; the same command with --reuse runs only the others");
        }
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
