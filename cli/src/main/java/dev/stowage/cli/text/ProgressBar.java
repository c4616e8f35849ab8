package dev.stowage.cli.text;

import java.util.Locale;
import java.util.function.LongSupplier;

/** On the line of what is being done: how much is done, how fast, how long it will take. */
public final class ProgressBar {
    private static final int CELLS = 24;
    /** Before this part is done, a JVM that is not yet fast says too much of the rest: many times what it takes. */
    private static final double ENOUGH = 0.1;

    private static final double NANOS = 1e9;

    private final Console console;
    private final StatusLine line;
    private final LongSupplier nanos;
    private final long started;

    public ProgressBar(Console console) {
        this(console, System::nanoTime);
    }

    /** With another clock, in nanoseconds. */
    ProgressBar(Console console, LongSupplier nanos) {
        this.console = console;
        this.nanos = nanos;
        line = new StatusLine(console, nanos);
        started = nanos.getAsLong();
    }

    /** Called from any thread. */
    public void progress(double runsDone, int runsTotal, long requests) {
        line.progress(line(runsDone / runsTotal, requests, (nanos.getAsLong() - started) / NANOS));
    }

    /** Removes the line. */
    public void clear() {
        line.clear();
    }

    /** The line after some seconds. */
    String line(double done, long requests, double seconds) {
        int full = (int) Math.round(done * CELLS);
        boolean unicode = console.terminal().unicode();
        String bar = (unicode ? "█" : "#").repeat(full) + (unicode ? "░" : ".").repeat(CELLS - full);
        String text =
                String.format(Locale.ROOT, "%3.0f %%  %s  %s requests", 100 * done, bar, quantity((double) requests));
        if (seconds >= 1) {
            text += String.format(Locale.ROOT, ", %s/s", quantity(requests / seconds));
            text += done >= ENOUGH && done < 1 ? ", " + duration(seconds / done * (1 - done)) + " left" : "";
        }
        return text.substring(0, Math.min(text.length(), console.terminal().width() - 1));
    }

    private static String quantity(double count) {
        return count < 1e4
                ? String.format(Locale.ROOT, "%.0f", count)
                : count < 1e6
                        ? String.format(Locale.ROOT, "%.0f k", count / 1e3)
                        : String.format(Locale.ROOT, "%.2f M", count / 1e6);
    }

    /** A remaining time for people, rounded up to seconds or minutes. */
    public static String duration(double seconds) {
        long whole = (long) Math.ceil(seconds);
        return whole < 60
                ? whole + " s"
                : whole < 3600
                        ? whole / 60 + " min " + whole % 60 + " s"
                        : whole / 3600 + " h " + whole % 3600 / 60 + " min";
    }
}
