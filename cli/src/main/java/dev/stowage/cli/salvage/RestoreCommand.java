package dev.stowage.cli.salvage;

import dev.stowage.cli.answer.ReportOption;
import dev.stowage.cli.policies.PolicyCommand;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.StatusLine;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.policies.Policies;
import dev.stowage.service.directory.Backup;
import dev.stowage.service.directory.Salvage;
import dev.stowage.service.state.ServiceState;
import dev.stowage.sim.result.Remark;
import dev.stowage.sim.trace.MissingFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
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
        Console console = console();
        console.note("restored into " + group.data + ": " + NodeDirectory.text(state));
        int agents = agents(state);
        if (agents > 0) {
            console.note(Remark.warning("have the agents of " + agents + (agents == 1 ? " server" : " servers")
                    + " ready before you start it: leases begin anew, and a server whose agent is silent for lease and"
                    + " grace is taken for lost. Its requests are placed elsewhere, though they may still run there"));
        }
        console.note(
                "stowage: a backup has nothing of what a configuration file says of TLS, tokens, rates of tenants, limits,"
                        + " lease times, logging and history. With a file that has them, from the first start on: write 'data: "
                        + group.data.toAbsolutePath().normalize() + "' into it, with "
                        + (group.nodes == 1 ? "the node " : "the nodes ") + String.join(", ", group.ids())
                        + (group.nodes == 1 ? ", and start it:" : "; start each under its own name:"));
        console.toCopy("  stowage serve --config FILE --node " + group.ids().get(0));
        console.note("stowage: without one, this starts it here:");
        console.toCopy("  " + ReportOption.again(start()));
        return IncompleteOption.tell(Salvage.missing(state), console);
    }

    private List<String> start() {
        List<String> command = new ArrayList<>(List.of("serve", "--data", group.data.toString()));
        if (group.nodes > 1) {
            command.addAll(List.of("--nodes", Integer.toString(group.nodes)));
        }
        command.addAll(plugins().arguments());
        return command;
    }

    /** How many servers have one. */
    private static int agents(ServiceState state) {
        var engine = Objects.requireNonNull(state.world()).engine();
        return (int) IntStream.range(0, engine.view().servers())
                .filter(server -> engine.hasAgent(server) && engine.view().status(server) != ServerStatus.GONE)
                .count();
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
