package dev.stowage.cli.serve;

import dev.stowage.cli.live.AnswerOptions;
import dev.stowage.cli.live.ClientOptions;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.CallFailedException;
import dev.stowage.cli.text.Columns;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.PluginOptions;
import dev.stowage.policies.Policies;
import dev.stowage.service.client.StowageClient;
import dev.stowage.service.raft.Survivor;
import dev.stowage.service.v1.Member;
import dev.stowage.service.v1.RemoveMemberRequest;
import dev.stowage.service.v1.Status;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code stowage members}: shows the nodes of a group, and removes nodes. */
@Command(
        name = "members",
        description = "List the members of a service's group; put one out; or go on with what one node has, where the"
                + " majority is lost for good. A node joins by itself: start it with an empty directory.",
        sortOptions = false,
        abbreviateSynopsis = true,
        footer = {
            "",
            "Examples:",
            "  stowage members",
            "  stowage members --remove n3",
            "  stowage members --survivor n2 --config service.yaml",
            "",
            "Replace a dead node: start another one with its id and an empty directory."
        })
public final class MembersCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    // Used by picocli.
    @SuppressWarnings("UnusedVariable")
    @Mixin
    private PluginOptions plugins = new PluginOptions();

    @ArgGroup
    private @Nullable Change change;

    @Option(names = "--config", paramLabel = "FILE", description = "With --survivor: the service's configuration.")
    private @Nullable Path config;

    @Mixin
    private ClientOptions client;

    @Mixin
    private AnswerOptions answers;

    /** At most one of these. */
    static final class Change {
        @Option(
                names = "--remove",
                paramLabel = "NODE",
                description = "Remove this node from the group. Its data no longer counts, and it says so itself.")
        @Nullable
        String remove;

        @Option(
                names = "--survivor",
                paramLabel = "NODE",
                description = "Make a new group from the directory here of this node, which does not run. What only the"
                        + " lost nodes had acknowledged is lost.")
        @Nullable
        String survivor;
    }

    @Override
    public void run() {
        Change asked = change;
        if (config != null && (asked == null || asked.survivor == null)) {
            throw new BadInputException("--config is for --survivor; a service that runs is named by --at");
        }
        if (asked != null && asked.survivor != null) {
            survivor(asked.survivor);
            return;
        }
        try (StowageClient service = client.client()) {
            if (asked != null && asked.remove != null) {
                remove(service, asked.remove);
            } else {
                list(service);
            }
        }
    }

    private void survivor(String node) {
        if (config == null) {
            throw new BadInputException("--survivor needs --config: the file that names the node and its directory");
        }
        ServiceConfiguration service = Serve.configured(config);
        ServiceConfiguration.Node self = service.node(node);
        Path data = service.data().resolve(node);
        try {
            Survivor.Found found = Survivor.found(
                    data, node, self.raft().getHostString() + ":" + self.raft().getPort(), new Policies());
            Console console = Console.of(spec);
            console.out()
                    .println(String.format(
                            Locale.ROOT,
                            "node %s is the first of group %s: position %,d, %,d requests, digest %x",
                            node,
                            found.group(),
                            found.position(),
                            found.requests(),
                            found.digest()));
            console.note("stowage: start it, and the other nodes with empty directories; what " + data
                    + " had before is in raft.before there");
            console.out().flush();
        } catch (IOException e) {
            throw new UncheckedIOException("node " + node + " cannot go on alone: " + e.getMessage(), e);
        }
    }

    private void remove(StowageClient service, String node) {
        Status unused = ClientOptions.answer(service.<Status>operations((stub, answer) ->
                stub.removeMember(RemoveMemberRequest.newBuilder().setNode(node).build(), answer)));
        Console console = Console.of(spec);
        console.out().println("node " + node + ": put out of the group");
        console.out().flush();
    }

    private void list(StowageClient service) {
        Status asked = ClientOptions.answer(service.status());
        Status status = asked;
        String leader = asked.getLeaderAddress();
        if (!leader.isEmpty() && !asked.getLeader().equals(asked.getNode())) {
            // Only the leader knows the positions of the others.
            try (StowageClient one = client.at((client.at().get(0).startsWith("https://") ? "https://" : "") + leader)
                    .client()) {
                status = ClientOptions.answer(one.status());
            } catch (CallFailedException e) {
                Console.of(spec).note("stowage: leader " + leader + ": " + e.getMessage());
            }
        }
        Console console = Console.of(spec);
        if (answers.json()) {
            Status told = status;
            told.getMembersList().forEach(member -> console.out().println(AnswerOptions.line(member)));
        } else {
            Columns columns = new Columns("node", "member", "role", "address", "behind", "last heard");
            for (Member member : status.getMembersList()) {
                columns.row(
                        member.getNode(),
                        member.getMember(),
                        member.getNode().equals(status.getLeader()) ? "leader" : "follower",
                        member.getAddress(),
                        member.getBehind() < 0 ? "-" : String.format(Locale.ROOT, "%,d", member.getBehind()),
                        member.getSilentMillis() < 0
                                ? "-"
                                : String.format(Locale.ROOT, "%.1f s ago", member.getSilentMillis() / 1e3));
            }
            console.out().print(columns.text(console.style()));
            console.note("stowage: group " + status.getGroup()
                    + (status.getWaits().isEmpty() ? "" : "; node " + status.getNode() + ": " + status.getWaits()));
        }
        console.out().flush();
    }
}
