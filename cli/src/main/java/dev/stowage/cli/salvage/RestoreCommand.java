package dev.stowage.cli.salvage;

import dev.stowage.cli.policies.PolicyCommand;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.StatusLine;
import dev.stowage.policies.Policies;
import dev.stowage.service.directory.Backup;
import dev.stowage.service.directory.Salvage;
import dev.stowage.service.state.ServiceState;
import dev.stowage.sim.trace.MissingFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code stowage restore}: makes a new service from a backup, or from what a damaged directory has. */
@Command(
        name = "restore",
        description = "Create the data directories of a new service from a backup, or from an old data directory as far"
                + " as its state can be rebuilt. This works even if the logs of all nodes are damaged. The new service"
                + " is a separate group, which nodes of the old one do not join.",
        abbreviateSynopsis = true,
        footer = {
            "",
            "Examples:",
            "  stowage restore monday.stowage --data new-data --nodes 3",
            "  stowage restore stowage-data/n2 --data new-data --incomplete",
            "  stowage serve --data new-data --nodes 3"
        })
public final class RestoreCommand extends PolicyCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "FILE|DATA",
            description = "A file from 'stowage backup', or the data directory of a node that is not running.")
    private Path from;

    @Mixin
    private NewGroupOptions group = new NewGroupOptions();

    @Option(
            names = "--until",
            paramLabel = "POSITION",
            description = "With a directory: restore the state at this log position (default: the last one).")
    private @Nullable Long until;

    @Mixin
    private IncompleteOption incomplete = new IncompleteOption();

    @Override
    public Integer call() {
        ServiceState state =
                StatusLine.during(console(), "stowage: reading " + from, () -> NodeDirectory.done(this::state));
        group.found(state);
        console().note("restored into " + group.data + ": " + NodeDirectory.text(state));
        return IncompleteOption.tell(Salvage.missing(state), console());
    }

    private ServiceState state() throws IOException {
        if (Files.isDirectory(from)) {
            long last = until == null ? Long.MAX_VALUE : until;
            return incomplete
                    .checked(NodeDirectory.of(from).taken(new Policies(), last), from)
                    .state();
        }
        if (until != null) {
            throw new BadInputException("--until needs a data directory; " + from + " holds only one state");
        }
        if (!Files.exists(from)) {
            throw new BadInputException(from + ": " + MissingFile.why(from));
        }
        return Backup.read(from, new Policies());
    }
}
