package dev.stowage.cli.salvage;

import dev.stowage.cli.text.ConsoleCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;

/** {@code stowage salvage}: repairs the directory of a node that cannot go on. */
@Command(
        name = "salvage",
        description = "Inspect or repair the data directory of a node whose log is damaged or has an entry that cannot"
                + " be applied. Nothing is deleted: the originals of changed files are kept in salvaged-N.",
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        subcommands = {SalvageInspectCommand.class, SalvageSkipCommand.class})
public final class SalvageCommand extends ConsoleCommand implements Runnable {
    @Override
    public void run() {
        throw new ParameterException(
                spec().commandLine(), "a command is missing; 'stowage salvage inspect DATA' changes nothing");
    }
}
