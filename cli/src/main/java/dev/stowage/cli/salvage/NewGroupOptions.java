package dev.stowage.cli.salvage;

import dev.stowage.cli.text.BadInputException;
import dev.stowage.service.directory.Backup;
import dev.stowage.service.state.ServiceState;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import picocli.CommandLine.Option;

/** The new service that a state is put into: its data directories. */
public final class NewGroupOptions {
    private static final int MOST_NODES = 7;

    @Option(
            names = "--data",
            required = true,
            paramLabel = "DIR",
            description = "The new directory, with a subdirectory for each node.")
    Path data = Path.of("");

    @Option(names = "--nodes", paramLabel = "N", description = "How many nodes: 1, 3, 5 or 7 (default: 1).")
    int nodes = 1;

    /** Makes the data directories of a new group that begins with a state. */
    void found(ServiceState state) {
        if (nodes < 1 || nodes > MOST_NODES || nodes % 2 == 0) {
            throw new BadInputException("--nodes " + nodes + " must be 1, 3, 5 or 7");
        }
        SortedMap<String, Path> directories = new TreeMap<>();
        ids().forEach(id -> directories.put(id, data.resolve(id)));
        NodeDirectory.done(() -> {
            Backup.found(state, directories);
            return directories;
        });
    }

    /** The ids of its nodes. */
    List<String> ids() {
        return IntStream.rangeClosed(1, nodes).mapToObj(node -> "n" + node).toList();
    }
}
