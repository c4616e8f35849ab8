package dev.stowage.cli.trace;

import dev.stowage.cli.text.ConsoleCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;

/** {@code stowage trace}: look at traces and change them. */
@Command(
        name = "trace",
        description = "Inspect and convert request traces.",
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        subcommands = {
            TraceStatsCommand.class,
            TraceConvertCommand.class,
            TraceFormatsCommand.class,
            TraceGuessCommand.class
        })
public final class TraceCommand extends ConsoleCommand implements Runnable {
    @Override
    public void run() {
        throw new ParameterException(spec().commandLine(), "a command is missing: stats, convert, formats or guess");
    }
}
