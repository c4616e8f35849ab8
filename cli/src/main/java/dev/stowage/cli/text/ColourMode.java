package dev.stowage.cli.text;

import java.util.Locale;

/** When to write in colours. */
public enum ColourMode {
    AUTO,
    ALWAYS,
    NEVER;

    /** Whether a stream gets colours. */
    public boolean on(boolean streamIsTerminal, Terminal terminal) {
        return this == ALWAYS || (this == AUTO && streamIsTerminal && terminal.colour());
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
