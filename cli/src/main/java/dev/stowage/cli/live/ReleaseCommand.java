package dev.stowage.cli.live;

import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.ConsoleCommand;
import dev.stowage.service.client.StowageClient;
import dev.stowage.service.v1.GetRequest;
import dev.stowage.service.v1.ReleaseRequest;
import dev.stowage.service.v1.Request;
import dev.stowage.service.v1.State;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code stowage release}: ends requests. */
@Command(
        name = "release",
        description =
                "End running requests of a service, or withdraw waiting ones. A request of a gang that waits is withdrawn"
                        + " with its gang.",
        abbreviateSynopsis = true,
        footer = {"", "Example:", "  stowage release vm-1 vm-2"})
public final class ReleaseCommand extends ConsoleCommand implements Runnable {
    @Parameters(arity = "1..*", paramLabel = "ID", description = "Ids of the requests.")
    private List<String> ids;

    @Mixin
    private ClientOptions.OfTenant client;

    @Mixin
    private AnswerOptions answers;

    @Override
    public void run() {
        Console console = console();
        try (StowageClient service = client.client()) {
            List<CompletableFuture<Request>> before = new ArrayList<>();
            for (String id : ids) {
                before.add(service.get(GetRequest.newBuilder()
                        .setTenant(client.tenant)
                        .setRequestId(id)
                        .build()));
            }
            List<CompletableFuture<Request>> calls = new ArrayList<>();
            for (int i = 0; i < ids.size(); i++) {
                calls.add(release(service, ids.get(i), before.get(i), console));
            }
            List<Request> unused = answers.showAll(console, calls);
        }
    }

    private CompletableFuture<Request> release(
            StowageClient service, String id, CompletableFuture<Request> before, Console console) {
        State state = before.handle((request, thrown) -> thrown == null ? request.getState() : State.STATE_UNSPECIFIED)
                .join();
        if (before.handle((request, thrown) -> CallFailures.isUnanswered(thrown))
                .join()) {
            // Another call would wait as long again.
            return before;
        }
        if (state == State.RELEASED || state == State.EXPIRED || state == State.REJECTED) {
            console.note("stowage: " + id + " had ended before; nothing changed");
            return before;
        }
        return service.release(ReleaseRequest.newBuilder()
                .setTenant(client.tenant)
                .setRequestId(id)
                .build());
    }
}
