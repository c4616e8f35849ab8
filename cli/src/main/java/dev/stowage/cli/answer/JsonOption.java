package dev.stowage.cli.answer;

import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.OutputFormat;
import picocli.CommandLine.Option;

/** The form of an answer that is not a table of equal rows. */
public final class JsonOption {
    @Option(names = "--format", paramLabel = "FORMAT", description = "table or json (default: table).")
    private OutputFormat format = OutputFormat.TABLE;

    /**
     * Whether the answer is JSON.
     *
     * @throws BadInputException if another form was asked for
     */
    public boolean asked() {
        if (format == OutputFormat.CSV) {
            throw new BadInputException("--format csv: this command answers as table or json");
        }
        return format == OutputFormat.JSON;
    }
}
