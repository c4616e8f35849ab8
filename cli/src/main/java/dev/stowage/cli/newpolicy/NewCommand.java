package dev.stowage.cli.newpolicy;

import dev.stowage.cli.text.ConsoleCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;

/** {@code stowage new}: creates projects. */
@Command(
        name = "new",
        description = "Create a starter project.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = NewPolicyCommand.class)
public final class NewCommand extends ConsoleCommand implements Runnable {
    @Override
    public void run() {
        throw new ParameterException(spec().commandLine(), "a command is missing: policy");
    }
}
