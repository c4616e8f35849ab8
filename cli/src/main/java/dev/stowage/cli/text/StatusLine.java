package dev.stowage.cli.text;

/** One live line on a terminal that shows the present step. */
public final class StatusLine {
    private static final String CLEAR_LINE = "\r\u001b[K";

    private final Console console;

    /** On a console. */
    public StatusLine(Console console) {
        this.console = console;
    }

    /** Shows a step in place of the one before. */
    public void step(String text) {
        if (console.terminal().err()) {
            console.err().print(CLEAR_LINE + text + " ...");
            console.err().flush();
        }
    }

    /** Removes the line. */
    public void clear() {
        if (console.terminal().err()) {
            console.err().print(CLEAR_LINE);
            console.err().flush();
        }
    }
}
