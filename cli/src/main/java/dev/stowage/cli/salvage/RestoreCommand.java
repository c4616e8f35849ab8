package dev.stowage.cli.salvage;

import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.PluginOptions;
import dev.stowage.policies.Policies;
import dev.stowage.service.directory.Backup;
import dev.stowage.service.directory.Salvage;
import dev.stowage.service.state.ServiceState;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code stowage restore}: makes a new service from a backup. */
@Command(
        name = "restore",
        description = "Make the data directories of a new service that begins with the state of a"
                + " backup. It is a group of its"
                + " own: nodes of the old one take no part in it.",
        sortOptions = false,
        abbreviateSynopsis = true,
        footer = {
            "",
            "Example:",
            "  stowage restore monday.stowage --data new-data --nodes 3",
            "  stowage serve --data new-data --nodes 3"
        })
public final class RestoreCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    // Used by picocli.
    @SuppressWarnings("UnusedVariable")
    @Mixin
    private PluginOptions plugins = new PluginOptions();

    @Parameters(paramLabel = "FILE", description = "What 'stowage backup' wrote.")
    private Path file;

    @Mixin
    private NewGroupOptions group = new NewGroupOptions();

    @Override
    public Integer call() {
        ServiceState state = NodeDirectory.done(() -> Backup.read(file, new Policies()));
        group.found(state);
        Console.of(spec).note("restored into " + group.data + ": " + NodeDirectory.text(state));
        return IncompleteOption.tell(Salvage.missing(state), Console.of(spec));
    }
}
