package dev.stowage.cli.live;

import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.ConsoleCommand;
import dev.stowage.service.client.StowageClient;
import dev.stowage.service.v1.AttemptRequest;
import dev.stowage.service.v1.ConfirmRequest;
import dev.stowage.service.v1.Request;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code stowage confirm}: confirms that a policy's change of a running request was carried out. */
@Command(
        name = "confirm",
        description = "Report what happened to a request on its server. With an agent: it runs, could not be started,"
                + " or has stopped. Otherwise: a migration or resize by the policy was carried out. \"stowage get\" and"
                + " \"stowage watch\" show attempt and position; repeating the call is safe.",
        abbreviateSynopsis = true,
        footer = {
            "",
            "Examples:",
            "  stowage confirm vm-1 --started 1",
            "  stowage confirm vm-1 --migration 1207",
            "  stowage confirm vm-1 --resize 1311 --tenant acme"
        })
public final class ConfirmCommand extends ConsoleCommand implements Runnable {
    @Parameters(paramLabel = "ID", description = "Id of the request.")
    private String id = "";

    @ArgGroup
    private @Nullable Change change;

    @Mixin
    private ClientOptions.OfTenant client;

    @Mixin
    private AnswerOptions answers;

    /** Exactly one of these. */
    static final class Change {
        @Option(
                names = "--migration",
                paramLabel = "POSITION",
                description = "It runs on its new server, which the change at this position names.")
        @Nullable
        Long migration;

        @Option(
                names = "--resize",
                paramLabel = "POSITION",
                description = "It holds what the change at this position gives it.")
        @Nullable
        Long resize;

        @Option(names = "--started", paramLabel = "ATTEMPT", description = "It runs.")
        @Nullable
        Integer started;

        @Option(
                names = "--start-failed",
                paramLabel = "ATTEMPT",
                description = "It could not be started: it is placed again, elsewhere if it can.")
        @Nullable
        Integer startFailed;

        @Option(
                names = "--stopped",
                paramLabel = "ATTEMPT",
                description = "It does not run any more: it has ended, or is placed again if it was evicted.")
        @Nullable
        Integer stopped;
    }

    @Override
    public void run() {
        Change said = change;
        if (said == null) {
            throw new BadInputException("say what happened to " + id
                    + ": --started, --start-failed or --stopped with the"
                    + " attempt, or --migration or --resize with the position; 'stowage get " + id + "' shows both");
        }
        Request confirmed = client.call(service -> send(service, said));
        answers.show(console(), confirmed);
    }

    private CompletableFuture<Request> send(StowageClient service, Change change) {
        if (change.migration != null) {
            return service.confirmMigration(at(change.migration));
        } else if (change.resize != null) {
            return service.confirmResize(at(change.resize));
        } else if (change.started != null) {
            return service.started(attempt(change.started));
        } else if (change.startFailed != null) {
            return service.startFailed(attempt(change.startFailed));
        }
        return service.stopped(attempt(change.stopped == null ? 0 : change.stopped));
    }

    private ConfirmRequest at(long position) {
        return ConfirmRequest.newBuilder()
                .setTenant(client.tenant)
                .setRequestId(id)
                .setPosition(position)
                .build();
    }

    private AttemptRequest attempt(int attempt) {
        return AttemptRequest.newBuilder()
                .setTenant(client.tenant)
                .setRequestId(id)
                .setAttempt(attempt)
                .build();
    }
}
