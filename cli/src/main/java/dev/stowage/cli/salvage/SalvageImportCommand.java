package dev.stowage.cli.salvage;

import dev.stowage.cli.text.Console;
import dev.stowage.policies.Policies;
import dev.stowage.service.state.ServiceState;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code stowage salvage import}: a new service with the state of an old directory. */
@Command(
        name = "import",
        description = "Make the data directories of a new service that begins with the state of an old"
                + " directory, as far as that can"
                + " be made: also where the logs of all nodes are damaged. Take the node that has most.",
        sortOptions = false,
        footer = {
            "",
            "Example:",
            "  stowage salvage import stowage-data/n2 --data new-data --nodes 3",
            "  stowage serve --data new-data --nodes 3"
        })
public final class SalvageImportCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "DATA", description = "The data directory of a node that does not run.")
    private Path from;

    @Option(
            names = "--data",
            required = true,
            paramLabel = "DIR",
            description = "The new directory:" + " one below it for each node.")
    private Path data = Path.of("");

    @Option(names = "--nodes", paramLabel = "N", description = "How many nodes: 1, 3, 5 or 7 (default: 1).")
    private int nodes = 1;

    @Option(
            names = "--until",
            paramLabel = "ENTRY",
            description = "The state after an earlier entry" + " (default: the last one).")
    private long until = Long.MAX_VALUE;

    @Override
    public void run() {
        ServiceState state = NodeDirectory.done(() -> NodeDirectory.of(from).state(new Policies(), until));
        NodeDirectory.found(state, data, nodes);
        Console.of(spec).note("imported into " + data + ": " + NodeDirectory.text(state));
    }
}
