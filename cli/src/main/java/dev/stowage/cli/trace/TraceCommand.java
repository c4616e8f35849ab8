package dev.stowage.cli.trace;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

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
public final class TraceCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Say what to do with the trace.");
    }
}
