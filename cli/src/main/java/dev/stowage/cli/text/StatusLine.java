package dev.stowage.cli.text;

import java.util.function.LongSupplier;

/**
 * What a command that takes long is doing, on standard error: one live line on a terminal; elsewhere a line now and
 * then, the first after two seconds; nothing with {@code --quiet}.
 */
public final class StatusLine {
    private static final String CLEAR_LINE = "\r\u001b[K";
    private static final long LIVE_NANOS = 100_000_000L;
    private static final long FIRST_NANOS = 2_000_000_000L;
    private static final long EVERY_NANOS = 10_000_000_000L;

    private final Console console;
    private final LongSupplier nanos;
    private final boolean live;
    /** When a line may be written next, on the clock. */
    private long due;

    private boolean shown;

    /** On a console. */
    public StatusLine(Console console) {
        this(console, System::nanoTime);
    }

    /** With another clock, in nanoseconds. */
    StatusLine(Console console, LongSupplier nanos) {
        this.console = console;
        this.nanos = nanos;
        live = console.terminal().err();
        due = nanos.getAsLong() + (live ? 0 : FIRST_NANOS);
    }

    /** Shows a step in place of the one before. */
    public synchronized void step(String text) {
        show(text + " ...", true);
    }

    /** Shows how far it is, unless it has just been shown. Called from any thread. */
    public synchronized void progress(String text) {
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
        if (shown) {
            console.err().print(CLEAR_LINE);
            console.err().flush();
            shown = false;
        }
    }
}
