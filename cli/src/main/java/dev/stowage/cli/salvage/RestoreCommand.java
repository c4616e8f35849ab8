package dev.stowage.cli.salvage;

import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.PluginOptions;
import dev.stowage.policies.Policies;
import dev.stowage.service.directory.Backup;
import dev.stowage.service.state.ServiceState;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
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
public final class RestoreCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    // Used by picocli.
    @SuppressWarnings("UnusedVariable")
    @Mixin
    private PluginOptions plugins = new PluginOptions();

    @Parameters(paramLabel = "FILE", description = "What 'stowage backup' wrote.")
    private Path file;

    @Option(
            names = "--data",
            required = true,
            paramLabel = "DIR",
            description = "The new directory:" + " one below it for each node.")
    private Path data = Path.of("");

    @Option(names = "--nodes", paramLabel = "N", description = "How many nodes: 1, 3, 5 or 7 (default: 1).")
    private int nodes = 1;

    @Override
    public void run() {
        ServiceState state = NodeDirectory.done(() -> Backup.read(file, new Policies()));
        NodeDirectory.found(state, data, nodes);
        Console.of(spec).note("restored into " + data + ": " + NodeDirectory.text(state));
    }
}
