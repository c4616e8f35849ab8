package dev.stowage.cli.run;

import dev.stowage.cli.text.Console;
import dev.stowage.sim.result.ResultRow;
import dev.stowage.sim.result.RunRow;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Handles Ctrl-C (or another signal that ends the JVM): the present row is finished, no other is begun, and a message
 * says what is complete and what is missing. The JVM then ends with 128 + the number of the signal.
 */
final class Interruption implements AutoCloseable {
    private final Console console;
    private final Path directory;
    private final int runs;
    /** Number of runs whose units are kept; null if none are. */
    private final @Nullable IntSupplier kept;

    private final Thread hook = new Thread(this::stop, "stowage-interruption");
    private int done;
    private boolean stopped;

    /**
     * Waits for the end.
     *
     * @param runs number of all runs
     * @param kept how many need not be run again; null if only rows are kept
     */
    Interruption(Console console, Path directory, int runs, @Nullable IntSupplier kept) {
        this.console = console;
        this.directory = directory;
        this.runs = runs;
        this.kept = kept;
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Writes a row, unless the JVM is about to end. */
    synchronized void guarded(ResultRow row, Consumer<ResultRow> writer) {
        if (!stopped) {
            writer.accept(row);
            done += row instanceof RunRow ? 1 : 0;
        }
    }

    /** The message; no row is written after it. */
    synchronized void stop() {
        stopped = true;
        int there = kept == null ? done : kept.getAsInt();
        console.warn("\nstowage: interrupted: " + there + " of " + Math.max(runs, there) + " runs are in " + directory
                + ", " + Math.max(0, runs - there) + " are missing"
                + (kept == null ? "" : "; the same command continues from there")
                + (done == 0 ? "" : "; 'stowage report " + directory + "' makes a report of the finished runs"));
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
