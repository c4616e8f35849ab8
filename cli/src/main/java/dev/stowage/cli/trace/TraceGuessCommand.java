package dev.stowage.cli.trace;

import dev.stowage.cli.text.Console;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code stowage trace guess}: how a file would be read. */
@Command(
        name = "guess",
        description =
                "Say how a file would be read: its format, which column is which, and in which unit. Reads the first"
                        + " thousand rows.",
        sortOptions = false,
        abbreviateSynopsis = true,
        footer = {
            "",
            "Examples:",
            "  stowage trace guess jobs.csv",
            "  stowage trace guess jobs.csv --columns arrival=queued_at,mem=req_mem:MiB"
        })
final class TraceGuessCommand implements Runnable {
    private static final long ROWS = 1000;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "FILE", description = "A table of requests, or a directory of them.")
    private Path file;

    @Mixin
    private TraceOptions options;

    @Override
    public void run() {
        Console console = Console.of(spec);
        options.of(List.of(file), console).look(ROWS).lines().forEach(console.out()::println);
        console.out().flush();
    }
}
