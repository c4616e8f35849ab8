package dev.stowage.cli.trace;

import dev.stowage.cli.text.ConsoleCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;

/** {@code stowage trace}: look at traces and change them. */
@Command(
        name = "trace",
        description = "Look at request traces, and convert them.",
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
        throw new ParameterException(
                spec().commandLine(), "Say what to do with the trace: stats, convert, formats or guess.");
    }
}
