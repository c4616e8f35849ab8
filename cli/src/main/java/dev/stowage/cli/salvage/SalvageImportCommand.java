package dev.stowage.cli.salvage;

import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.PluginOptions;
import dev.stowage.policies.Policies;
import dev.stowage.service.directory.Salvage;
import dev.stowage.service.state.Import;
import dev.stowage.service.state.ServiceState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code stowage salvage import}: a new service with the state of an old directory. */
@Command(
        name = "import",
        description = "Make the data directories of a new service that begins with what 'stowage salvage export'"
                + " wrote, or with the state of an old directory, as far as that can be made: also where the logs of"
                + " all nodes are damaged. Take the node that has most.",
        sortOptions = false,
        footer = {
            "",
            "Examples:",
            "  stowage salvage export stowage-data/n2 > n2.jsonl",
            "  stowage salvage import n2.jsonl --data new-data --nodes 3",
            "  stowage salvage import stowage-data/n2 --data new-data --nodes 3   without a file between",
            "  stowage serve --data new-data --nodes 3"
        })
public final class SalvageImportCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    // Used by picocli.
    @SuppressWarnings("UnusedVariable")
    @Mixin
    private PluginOptions plugins = new PluginOptions();

    @Parameters(
            paramLabel = "FILE|DATA",
            description = "What 'stowage salvage export' wrote, or the data directory of a node that does not run.")
    private Path from;

    @Mixin
    private NewGroupOptions group = new NewGroupOptions();

    @Option(
            names = "--until",
            paramLabel = "ENTRY",
            description = "Of a directory: the state after an earlier entry (default: the last one).")
    private @Nullable Long until;

    @Option(
            names = "--edited",
            description = "The file was changed since it was exported. Quotas, answers, the audit trail and texts may"
                    + " be; what the engine has may not.")
    private boolean edited;

    @Mixin
    private IncompleteOption incomplete = new IncompleteOption();

    @Override
    public Integer call() {
        ServiceState state = NodeDirectory.done(this::state);
        group.found(state);
        Console.of(spec).note("imported into " + group.data + ": " + NodeDirectory.text(state));
        return IncompleteOption.tell(Salvage.missing(state), Console.of(spec));
    }

    private ServiceState state() throws IOException {
        if (Files.isDirectory(from)) {
            if (edited) {
                throw new BadInputException("--edited is for a file; " + from + " is a directory");
            }
            long last = until == null ? Long.MAX_VALUE : until;
            return incomplete
                    .checked(NodeDirectory.of(from).taken(new Policies(), last), from)
                    .state();
        }
        if (until != null) {
            throw new BadInputException("--until is for a directory; " + from + " is one state");
        }
        if (!Files.exists(from)) {
            throw new BadInputException("there is no " + from);
        }
        return Import.read(from, new Policies(), edited);
    }
}
