package dev.stowage.cli.answer;

import dev.stowage.cli.text.OutputFormat;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The form of an answer that is a table. */
public final class FormatOption {
    /** The description, where the option is in a group. */
    public static final String WORDS = "table, json or csv (default: table).";

    @Option(names = "--format", paramLabel = "FORMAT", description = WORDS)
    private @Nullable OutputFormat format;

    /** Whether one was given. */
    public boolean given() {
        return format != null;
    }

    /** The form. */
    public OutputFormat format() {
        return format == null ? OutputFormat.TABLE : format;
    }
}
