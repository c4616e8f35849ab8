package dev.stowage.cli.text;

import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a command that takes long is doing, on standard error: one live line on a terminal; elsewhere a line now and
 * then, the first after two seconds; nothing with {@code --quiet}. A step that goes on is shown again with its seconds.
 */
public final class StatusLine {
    private static final String CLEAR_LINE = "\r\u001b[K";
    private static final long LIVE_NANOS = 100_000_000L;
    private static final long FIRST_MILLIS = 2_000;
    private static final long MILLI_NANOS = 1_000_000;
    private static final long EVERY_NANOS = 10_000_000_000L;
    private static final long BEAT_MILLIS = 500;
    private static final double NANOS = 1e9;

    private final Console console;
    private final LongSupplier nanos;
    private final boolean live;
    /** When a line may be written next, on the clock. */
    private long due;

    private boolean shown;
    /** The present step, and when it began; null between steps. */
    private @Nullable String step;

    private long began;
    /** Whether a thread shows a step that goes on; not with another clock. */
    private final boolean beats;

    private boolean beating;

    /** On a console. */
    public StatusLine(Console console) {
        // Tests of all that is printed set longer: a busy machine takes longer, too.
        this(console, System::nanoTime, true, Long.getLong("stowage.progress.after", FIRST_MILLIS));
    }

    /** With another clock, in nanoseconds. */
    StatusLine(Console console, LongSupplier nanos) {
        this(console, nanos, false, FIRST_MILLIS);
    }

    StatusLine(Console console, LongSupplier nanos, boolean beats, long firstMillis) {
        this.console = console;
        this.beats = beats;
        this.nanos = nanos;
        live = console.terminal().err();
        due = nanos.getAsLong() + (live ? 0 : firstMillis * MILLI_NANOS);
    }

    /** Does something that may take long as one step, and removes the line after it. */
    public static <T> T during(Console console, String text, Supplier<T> work) {
        return during(new StatusLine(console), text, work);
    }

    /** The same on a line of one's own. */
    static <T> T during(StatusLine line, String text, Supplier<T> work) {
        try {
            line.step(text);
            return work.get();
        } finally {
            line.clear();
        }
    }

    /** Shows a step in place of the one before. */
    public synchronized void step(String text) {
        step = text;
        began = nanos.getAsLong();
        show(text + " ...", true);
        if (beats && !beating && !console.quiet()) {
            beating = true;
            Thread thread = new Thread(this::beats, "stowage-status");
            thread.setDaemon(true);
            thread.start();
        }
    }

    private synchronized void beats() {
        try {
            while (step != null) {
                wait(BEAT_MILLIS);
                beat();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        beating = false;
    }

    /** Shows the present step again, with how long it has gone on, unless something has just been shown. */
    synchronized void beat() {
        long seconds = Math.round((nanos.getAsLong() - began) / NANOS);
        if (step != null && seconds > 0) {
            show(step + " ... " + seconds + " s", false);
        }
    }

    /** Shows how far it is, unless it has just been shown. Called from any thread. */
    public synchronized void progress(String text) {
        step = null;
        show(text, false);
    }

    private void show(String text, boolean atOnce) {
        long now = nanos.getAsLong();
        if (console.quiet() || (now - due < 0 && !(live && atOnce))) {
            return;
        }
        due = now + (live ? LIVE_NANOS : EVERY_NANOS);
        if (live) {
            console.err().print(CLEAR_LINE + text);
            shown = true;
        } else {
            console.err().println(text);
        }
        console.err().flush();
    }

    /** Removes the line. */
    public synchronized void clear() {
        step = null;
        notifyAll();
        if (shown) {
            console.err().print(CLEAR_LINE);
            console.err().flush();
            shown = false;
        }
    }
}
