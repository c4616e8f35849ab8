package dev.stowage.cli.text;

import java.util.Locale;

/** How a command writes what it found to standard output. */
public enum OutputFormat {
    /** For people. */
    TABLE,
    JSON,
    CSV;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
