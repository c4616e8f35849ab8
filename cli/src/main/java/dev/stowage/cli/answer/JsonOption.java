package dev.stowage.cli.answer;

import java.util.Locale;
import picocli.CommandLine.Option;

/** The form of an answer that is not a table of equal rows. */
public final class JsonOption {
    /** A form. */
    public enum Form {
        /** For people. */
        TABLE,
        JSON;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Option(names = "--format", paramLabel = "FORMAT", description = "table or json (default: table).")
    private Form format = Form.TABLE;

    /** Whether the answer is JSON. */
    public boolean asked() {
        return format == Form.JSON;
    }
}
