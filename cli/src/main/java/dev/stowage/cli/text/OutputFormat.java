package dev.stowage.cli.text;

import java.util.Locale;

/** The format of a command's result on standard output. */
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
