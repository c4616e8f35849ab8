package dev.stowage.cli.live;

import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.ConsoleCommand;
import dev.stowage.cli.text.ProgramOptions.Rare;
import dev.stowage.service.client.StowageClient;
import dev.stowage.service.v1.Request;
import dev.stowage.service.v1.SubmitGangReply;
import dev.stowage.service.v1.SubmitGangRequest;
import dev.stowage.service.v1.SubmitReply;
import dev.stowage.service.v1.SubmitRequest;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code stowage submit}: asks a service for a place. */
@Command(
        name = "submit",
        description = "Submit a request to a service.",
        abbreviateSynopsis = true,
        footer = {
            "",
            "Examples:",
            "  stowage submit vm-1 --demand \"4 cores, 16 GiB\"",
            "  stowage submit vm-2 --demand \"8 cores, 32 GiB\" --max-wait \"5 min\"",
            "  stowage submit vm-3 --demand \"4 cores, 16 GiB\" --sites default --dry-run",
            "  stowage submit vm-4 --demand \"4 cores, 16 GiB\" --avoid 17 --spread db:2",
            "  stowage submit job-5 --demand \"1 core, 2 GiB\" --gang 4 --max-wait \"5 min\"",
            "",
            "Submitting an id again returns the state of the first request; it is not placed twice.",
            "Exit code 3: it has no place, because it fits no server, was rejected or has expired."
        })
public final class SubmitCommand extends ConsoleCommand implements Runnable {
    @Parameters(arity = "0..1", paramLabel = "ID", description = "Id of the request (default: a new one).")
    private @Nullable String id;

    @Option(names = "--max-wait", paramLabel = "TIME", description = "Longest time to wait; \"0 s\": now or never.")
    private @Nullable String maxWait;

    @Option(names = "--dry-run", description = "Say where it would go now, and why; nothing is changed.")
    private boolean dryRun;

    @Rare
    @Option(
            names = "--gang",
            paramLabel = "N",
            description = "Submit N equal requests, with ids ID.1 to ID.N: all are placed together, or none.")
    private @Nullable Integer gang;

    @Mixin
    private RequestOptions options;

    @Mixin
    private ClientOptions.OfTenant client;

    @Mixin
    private AnswerOptions answers;

    @Override
    public void run() {
        SubmitRequest.Builder request =
                options.request(client.tenant, id == null ? UUID.randomUUID().toString() : id);
        if (maxWait != null) {
            request.setMaxWaitNanos(ClientOptions.nanos("--max-wait", maxWait));
        }
        if (gang != null) {
            submitGang(request.build(), gang);
            return;
        }
        SubmitRequest built = request.build();
        Console console = console();
        try (StowageClient service = client.client()) {
            if (dryRun) {
                // Also with --quiet: the table looks like that of a request that runs.
                console.warn("stowage: a dry run: what would be decided now; nothing was submitted");
            }
            SubmitReply reply = ClientOptions.answer(dryRun ? service.dryRun(built) : service.submit(built));
            show(console, reply.getRepeated(), List.of(reply.getRequest()), reply.getWarningsList());
        }
    }

    private void submitGang(SubmitRequest like, int size) {
        if (size < 1 || dryRun) {
            throw new BadInputException(
                    size < 1 ? "--gang " + size + " must be at least 1" : "--gang: there is no dry run of a gang");
        }
        SubmitGangRequest.Builder all = SubmitGangRequest.newBuilder();
        for (int k = 1; k <= size; k++) {
            all.addRequests(like.toBuilder().setRequestId(like.getRequestId() + "." + k));
        }
        SubmitGangReply reply = client.call(service -> service.submit(all.build()));
        show(console(), reply.getRepeated(), reply.getRequestsList(), reply.getWarningsList());
    }

    private void show(Console console, boolean repeated, List<Request> requests, List<String> warnings) {
        if (repeated) {
            console.note("stowage: " + requests.get(0).getRequestId() + " was submitted before; nothing changed");
        }
        answers.showSubmitted(console, requests, warnings);
        AnswerOptions.refuseUnplaced(requests);
    }
}
