package dev.stowage.cli.live;

import dev.stowage.cli.text.CallFailedException;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.ConsoleCommand;
import dev.stowage.service.client.Reasons;
import dev.stowage.service.client.StowageClient;
import dev.stowage.service.v1.Request;
import dev.stowage.service.v1.WatchReply;
import dev.stowage.service.v1.WatchRequest;
import io.grpc.StatusRuntimeException;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code stowage watch}: shows changes of requests as they happen. */
@Command(
        name = "watch",
        description = "Show changes of requests as they happen, from a position of the log on, until Ctrl-C.",
        abbreviateSynopsis = true,
        footer = {"", "Examples:", "  stowage watch", "  stowage watch --after 1200 --format json"})
public final class WatchCommand extends ConsoleCommand implements Runnable {
    @Option(
            names = "--after",
            paramLabel = "POSITION",
            description = "Only changes after this position (default: now).")
    private @Nullable Long after;

    @Option(names = "--all-tenants", description = "Requests of all tenants.")
    private boolean all;

    @Option(names = "--count", paramLabel = "N", description = "Exit after this many changes.")
    private long count = Long.MAX_VALUE;

    @Mixin
    private ClientOptions.OfTenant client;

    @Mixin
    private AnswerOptions answers;

    private long shown;

    @Override
    public void run() {
        WatchRequest.Builder from = WatchRequest.newBuilder();
        if (!all) {
            from.setTenant(client.tenant);
        }
        if (after != null) {
            from.setAfterPosition(after);
        }
        Console console = console();
        boolean json = answers.json();
        try (StowageClient service = client.client()) {
            service.watch(from.build(), reply -> show(reply, console, json));
        } catch (CancellationException e) {
            // The requested number has been shown.
        } catch (StatusRuntimeException e) {
            // The client went on from a position of its own, not from the one that was typed.
            if (Reasons.reason(e).equals("POSITION_FORGOTTEN") && (after == null || shown > 0)) {
                throw new CallFailedException(
                        "POSITION_FORGOTTEN: no node has the changes since the last one shown; watch again, from now on",
                        e);
            }
            throw CallFailures.of(e);
        }
    }

    private void show(WatchReply reply, Console console, boolean json) {
        for (Request request : reply.getChangesList()) {
            console.out().println(json ? AnswerOptions.line(request) : text(request));
            shown++;
            if (shown >= count) {
                console.out().flush();
                throw new CancellationException();
            }
        }
        console.out().flush();
    }

    private static String text(Request request) {
        String where = request.getServer() < 0
                ? ""
                : " server " + AnswerOptions.server(request.getServer(), request.getServerName()) + " in "
                        + request.getSite();
        return AnswerOptions.time(request.getSinceNanos()) + "  " + request.getPosition() + "  "
                + request.getRequestId() + "  "
                + AnswerOptions.state(request) + where
                + (request.getReason().isEmpty() ? "" : "  (" + request.getReason() + ")")
                + (request.hasUnconfirmed() ? "  to confirm: " + AnswerOptions.unconfirmed(request) : "");
    }
}
