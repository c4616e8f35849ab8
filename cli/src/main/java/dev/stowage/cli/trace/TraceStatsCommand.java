package dev.stowage.cli.trace;

import dev.stowage.cli.answer.JsonOption;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.ConsoleCommand;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code stowage trace stats}: what a trace looks like. */
@Command(
        name = "stats",
        description =
                "Show requests per hour, request shapes, durations and concurrent demand, in tables and pictures.",
        abbreviateSynopsis = true,
        footer = {"", "Example:", "  stowage trace stats vms.csv.gz --out vms-pictures"})
final class TraceStatsCommand extends ConsoleCommand implements Runnable {
    @Parameters(arity = "1..*", paramLabel = "FILE", description = "Traces of one format, read as one; or a directory.")
    private List<Path> files;

    @Option(
            names = {"-o", "--out"},
            paramLabel = "DIR",
            description = "Draw pictures into this directory, each as SVG and PNG.")
    private @Nullable Path out;

    @Mixin
    private JsonOption json = new JsonOption();

    @Mixin
    private TraceOptions options;

    @Override
    public void run() {
        Console console = console();
        new TraceOverview(options.of(files, console), console).show(files, json.asked(), out);
    }
}
