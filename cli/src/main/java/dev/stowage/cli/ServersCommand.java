package dev.stowage.cli;

import dev.stowage.service.client.StowageClient;
import dev.stowage.service.v1.ChangeReply;
import dev.stowage.service.v1.ChangeServerRequest;
import dev.stowage.service.v1.ListServersReply;
import dev.stowage.service.v1.ListServersRequest;
import dev.stowage.service.v1.Server;
import dev.stowage.service.v1.ServerChange;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code stowage servers}: the servers of a service, and changes of one. */
@Command(
        name = "servers",
        description = "List the servers of a service; or drain, return or remove one, or report it lost.",
        sortOptions = false,
        abbreviateSynopsis = true,
        footer = {"", "Examples:", "  stowage servers", "  stowage servers --drain 7"})
final class ServersCommand implements Runnable {
    private static final int PAGE = 1000;

    @Spec
    private CommandSpec spec;

    @ArgGroup
    private @Nullable Change change;

    @Option(names = "--limit", paramLabel = "N", description = "Most servers in the list (default: 100).")
    private int limit = 100;

    @Mixin
    private ClientOptions client;

    @Mixin
    private AnswerOptions answers;

    /** At most one of these. */
    static final class Change {
        @Option(names = "--drain", paramLabel = "SERVER", description = "Takes no new requests.")
        @Nullable
        Integer drain;

        @Option(names = "--return", paramLabel = "SERVER", description = "Takes requests again.")
        @Nullable
        Integer back;

        @Option(names = "--remove", paramLabel = "SERVER", description = "Is gone; it must be empty.")
        @Nullable
        Integer remove;

        @Option(names = "--lost", paramLabel = "SERVER", description = "Died with all that ran on it.")
        @Nullable
        Integer lost;
    }

    @Override
    public void run() {
        try (StowageClient service = client.client()) {
            if (change != null) {
                carryOut(service, change);
            } else {
                list(service);
            }
        }
    }

    private void carryOut(StowageClient service, Change asked) {
        if (asked.drain != null) {
            change(service, ServerChange.DRAIN, asked.drain);
        } else if (asked.back != null) {
            change(service, ServerChange.RETURN, asked.back);
        } else if (asked.remove != null) {
            change(service, ServerChange.REMOVE, asked.remove);
        } else if (asked.lost != null) {
            change(service, ServerChange.LOST, asked.lost);
        }
    }

    private void change(StowageClient service, ServerChange kind, int server) {
        ChangeServerRequest request = ChangeServerRequest.newBuilder()
                .setChangeId(UUID.randomUUID().toString())
                .setServer(server)
                .setChange(kind)
                .build();
        ChangeReply unused =
                ClientOptions.answer(service.operations((stub, answer) -> stub.changeServer(request, answer)));
        Console console = Console.of(spec);
        console.out().println("server " + server + ": " + kind.name().toLowerCase(java.util.Locale.ROOT) + " done");
        console.out().flush();
    }

    private void list(StowageClient service) {
        if (limit < 1) {
            throw new BadInputException("--limit " + limit + " must be at least 1");
        }
        boolean json = answers.json();
        List<Server> servers = new ArrayList<>();
        ListServersRequest.Builder page = ListServersRequest.newBuilder();
        do {
            page.setPageSize(Math.min(PAGE, limit - servers.size()));
            ListServersRequest request = page.build();
            ListServersReply reply =
                    ClientOptions.answer(service.operations((stub, answer) -> stub.listServers(request, answer)));
            servers.addAll(reply.getServersList());
            page.setPageToken(reply.getNextPageToken());
        } while (!page.getPageToken().isEmpty() && servers.size() < limit);
        Console console = Console.of(spec);
        if (json) {
            servers.forEach(server -> console.out().println(AnswerOptions.line(server)));
        } else {
            Columns columns = new Columns("server", "site", "status", "running", "capacity", "free");
            servers.forEach(server -> columns.row(
                    Integer.toString(server.getServer()),
                    server.getSite(),
                    server.getStatus(),
                    Integer.toString(server.getRunning()),
                    AnswerOptions.amounts(server.getCapacityMap()),
                    AnswerOptions.amounts(server.getFreeMap())));
            console.out().print(columns.text(console.style()));
            if (!page.getPageToken().isEmpty()) {
                console.note("stowage: there are more servers; --limit shows them");
            }
        }
        console.out().flush();
    }
}
