package dev.stowage.cli.run;

import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.OutputFormat;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code stowage report}: makes the report of existing results. */
@Command(
        name = "report",
        description = "Write the report of a results directory again, also of an interrupted run, and show its table.",
        footer = {"", "Example:", "  stowage report results/quickstart --format csv > summary.csv"})
public final class ReportCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "DIR", description = "Directory that 'stowage run' wrote.")
    private Path directory;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "What is shown: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private OutputFormat format = OutputFormat.TABLE;

    @Option(names = "--tables", description = "Also write every row as CSV into DIR/tables (docs/results.md).")
    private boolean tables;

    @Option(names = "--no-report", description = "Show the table, and write no report.")
    private boolean noReport;

    @Override
    public void run() {
        ResultsDisplay outcome = new ResultsDisplay(directory, Console.of(spec));
        outcome.show(format, !noReport);
        if (tables) {
            outcome.writeTables();
        }
    }
}
