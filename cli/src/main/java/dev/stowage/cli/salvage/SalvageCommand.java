package dev.stowage.cli.salvage;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code stowage salvage}: repairs the directory of a node that cannot go on. */
@Command(
        name = "salvage",
        description = "Look at the data directory of a node whose log is damaged or has an entry that"
                + " cannot be applied, or mend it. Nothing is deleted: what is changed is kept beside, in salvaged-N.",
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        subcommands = {SalvageInspectCommand.class, SalvageSkipCommand.class})
public final class SalvageCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(), "Say what to do; 'stowage salvage inspect" + " DATA' changes nothing.");
    }
}
