package dev.stowage.cli.trace;

import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.ConsoleCommand;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code stowage trace guess}: how a file would be read. */
@Command(
        name = "guess",
        description =
                "Say how a file would be read: its format, which column is which, and in which unit. Reads the first"
                        + " thousand rows.",
        abbreviateSynopsis = true,
        footer = {
            "",
            "Examples:",
            "  stowage trace guess jobs.csv",
            "  stowage trace guess jobs.csv --columns arrival=queued_at,mem=req_mem:MiB"
        })
final class TraceGuessCommand extends ConsoleCommand implements Runnable {
    private static final long ROWS = 1000;

    @Parameters(paramLabel = "FILE", description = "A table of requests, or a directory of them.")
    private Path file;

    @Mixin
    private TraceOptions options;

    @Override
    public void run() {
        Console console = console();
        options.of(List.of(file), console)
                .look(ROWS)
                .lines()
                .forEach(line -> console.out().print(console.wrapped("", line)));
    }
}
