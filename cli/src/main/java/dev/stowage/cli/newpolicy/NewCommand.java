package dev.stowage.cli.newpolicy;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code stowage new}: creates projects. */
@Command(
        name = "new",
        description = "Make a project to begin with.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = NewPolicyCommand.class)
public final class NewCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Say what to make: policy.");
    }
}
