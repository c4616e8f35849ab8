package dev.stowage.cli.trace;

import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.OutputFormat;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code stowage trace formats}: lists the formats. */
@Command(
        name = "formats",
        description = "List the formats of traces and server lists; of one: its columns and settings.",
        footer = {"", "Example:", "  stowage trace formats google2011"})
final class TraceFormatsCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Parameters(arity = "0..1", paramLabel = "KEY", description = "One format.")
    private @Nullable String key;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private OutputFormat format = OutputFormat.TABLE;

    @Override
    public void run() {
        new FormatList(Console.of(spec)).show(key, format);
    }
}
