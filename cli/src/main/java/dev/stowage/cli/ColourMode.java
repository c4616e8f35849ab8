package dev.stowage.cli;

import java.util.Locale;

/** When to write in colours. */
enum ColourMode {
    AUTO,
    ALWAYS,
    NEVER;

    /** Whether a stream gets colours. */
    boolean on(boolean streamIsTerminal, Terminal terminal) {
        return this == ALWAYS || (this == AUTO && streamIsTerminal && terminal.colour());
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
