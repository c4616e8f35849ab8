package dev.stowage.cli.run;

import dev.stowage.cli.answer.FormatOption;
import dev.stowage.cli.policies.PolicyCommand;
import dev.stowage.cli.text.Console;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code stowage merge}: the results of shards. */
@Command(
        name = "merge",
        description =
                "Make the results of an experiment from its shards ('stowage run --shard'): the same rows, byte for"
                        + " byte, as from a run in one place.",
        footer = {
            "",
            "Examples:",
            "  stowage merge results/sweep",
            "  stowage merge from-cluster-a from-cluster-b --out results/sweep",
            "",
            "Exit codes: 0 ok, 2 units are missing, damaged or of another experiment (nothing is written)."
        })
public final class MergeCommand extends PolicyCommand implements Runnable {
    @Parameters(arity = "1..*", paramLabel = "DIR", description = "Directories that shards wrote.")
    private List<Path> directories = List.of();

    @Option(
            names = {"-o", "--out"},
            paramLabel = "DIR",
            description =
                    "Directory for results and report (default: DIR if there is only one; otherwise results/NAME, or"
                            + " NAME-2, NAME-3 ... if that exists).")
    private @Nullable Path out;

    @Option(names = "--overwrite", description = "Replace the results that are there. Units stay.")
    private boolean overwrite;

    @Option(
            names = "--base",
            paramLabel = "DIR",
            description = "Directory against which the files that the experiment names are found (default: where the"
                    + " shards found them).")
    private @Nullable Path base;

    @Mixin
    private FormatOption format = new FormatOption();

    @Option(names = "--wide", description = "Show all columns of the table, not only the most important ones.")
    private boolean wide;

    @Option(names = "--no-report", description = "Write rows only, no report.html.")
    private boolean noReport;

    @Override
    public void run() {
        Console console = console();
        Path merged = new Merge(directories, base, console).into(out, overwrite);
        new ResultsDisplay(merged, console).show(format.format(), wide, !noReport);
    }
}
