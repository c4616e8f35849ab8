package dev.stowage.cli.report;

import dev.stowage.cli.answer.FormatOption;
import dev.stowage.cli.policies.PolicyCommand;
import dev.stowage.cli.run.ResultsDisplay;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.PolicyArgument;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code stowage report}: the report of results that are there, or a page that goes through a recorded run. */
@Command(
        name = "report",
        description = {
            "Write the report of a results directory again, even of an interrupted run, and show its table.",
            "With --serve: show the recorded runs in it step by step, in a browser."
        },
        footer = {
            "",
            "Examples:",
            "  stowage report results/quickstart --format csv > summary.csv",
            "  stowage run --policy best-fit,first-fit --replications 1 --record results/mine/run.log.gz --out"
                    + " results/mine",
            "  stowage report results/mine --serve",
            "  stowage report run.log.gz --serve --policy first-fit"
        })
public final class ReportCommand extends PolicyCommand implements Callable<Integer> {
    static final int PORT = 7413;
    private static final int MOST_PORT = 65_535;

    @Parameters(
            paramLabel = "DIR",
            description = "Directory that 'stowage run' wrote; with --serve also a recording, or a directory of them.")
    private Path directory;

    @Mixin
    private FormatOption format = new FormatOption();

    @Option(names = "--tables", description = "Also write every row as CSV into DIR/tables (docs/results.md).")
    private boolean tables;

    @Option(names = "--pictures", description = "Also write every picture as SVG and PNG into DIR/plots.")
    private boolean pictures;

    @Option(names = "--wide", description = "Show all columns of the table, not only the most important ones.")
    private boolean wide;

    @Option(names = "--no-report", description = "Show the table, and write no report.")
    private boolean noReport;

    @Option(
            names = "--serve",
            description = "Show what was recorded ('stowage run --record') on a page of this machine, until Ctrl-C"
                    + " (docs/console.md).")
    private boolean serve;

    @Option(
            names = "--recording",
            paramLabel = "NAME,...",
            split = ",",
            hideParamSyntax = true,
            description = "Which of the recordings in DIR to show, one or two; the others are left out.")
    private List<String> recordings = List.of();

    @Option(
            names = "--policy",
            paramLabel = "KEY",
            completionCandidates = PolicyArgument.PolicyKeys.class,
            description = "Beside the recording: the same requests under another policy.")
    private @Nullable String policy;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = "Port on 127.0.0.1, 0 for a free one (default: " + PORT + ").")
    private @Nullable Integer port;

    @Override
    public Integer call() throws InterruptedException {
        if (serve) {
            return served();
        }
        if (!recordings.isEmpty() || policy != null || port != null) {
            throw new BadInputException("--recording, --policy and --port are allowed only with --serve");
        }
        ResultsDisplay outcome = new ResultsDisplay(directory, console());
        outcome.show(format.format(), wide, !noReport);
        if (tables) {
            outcome.writeTables();
        }
        if (pictures) {
            outcome.writePictures();
        }
        return 0;
    }

    private int served() throws InterruptedException {
        if (format.given() || tables || pictures || noReport) {
            throw new BadInputException(
                    "--serve shows a page; leave out --format, --tables, --pictures and --no-report");
        }
        if (port != null && (port < 0 || port > MOST_PORT)) {
            throw new BadInputException("--port " + port + " must be 0 to " + MOST_PORT);
        }
        return new StepPage(directory, recordings, policy, console()).serve(port == null ? PORT : port);
    }
}
