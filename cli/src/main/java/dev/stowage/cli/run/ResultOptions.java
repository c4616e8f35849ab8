package dev.stowage.cli.run;

import dev.stowage.cli.answer.FormatOption;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.OutputFormat;
import dev.stowage.cli.text.ProgramOptions.Rare;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of {@code stowage run} for its results. */
public final class ResultOptions {
    @Option(
            names = {"-o", "--out"},
            paramLabel = "DIR",
            description =
                    "Directory for results and report (default: results/NAME, or NAME-2, NAME-3 ... if that exists).")
    @Nullable
    public Path out;

    @Rare
    @Option(names = "--overwrite", description = "Replace the results in DIR.")
    public boolean overwrite;

    @Option(names = "--format", paramLabel = "FORMAT", description = FormatOption.WORDS)
    public OutputFormat format = OutputFormat.TABLE;

    @Rare
    @Option(names = "--wide", description = "Show all columns of the table, not only the most important ones.")
    boolean wide;

    @Rare
    @Option(names = "--no-report", description = "Write rows only, no report.html.")
    boolean noReport;

    @Rare
    @Option(
            names = "--decisions",
            paramLabel = "FILE",
            description =
                    "Write every decision in order, one row each, to a .csv or .csv.gz file (see docs/results.md);"
                            + " several runs write one each, FILE-POLICY-REPLICATION.csv.")
    @Nullable
    Path decisions;

    @Rare
    @Option(
            names = "--record",
            paramLabel = "FILE",
            description = "Record every command for 'stowage replay', in a .log or .log.gz file.")
    @Nullable
    Path record;

    /** Runs at a time; not an option of this group, because other commands have it, too ({@code ThreadsOption}). */
    public int threads = Runtime.getRuntime().availableProcessors();

    /** Refuses mistakes that can be seen before anything is read. */
    public void check() {
        if (out != null && out.toString().isBlank()) {
            throw new BadInputException("--out is empty; give a directory, or leave it out");
        }
    }
}
