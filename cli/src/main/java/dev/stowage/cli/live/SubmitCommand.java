package dev.stowage.cli.live;

import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.ConsoleCommand;
import dev.stowage.cli.text.ProgramOptions.Rare;
import dev.stowage.service.client.StowageClient;
import dev.stowage.service.v1.Request;
import dev.stowage.service.v1.SubmitGangRequest;
import dev.stowage.service.v1.SubmitRequest;
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
            "  stowage submit vm-2 --type small --max-wait \"5 min\"",
            "  stowage submit vm-3 --type small --sites oslo,rome",
            "  stowage submit vm-4 --type small --where \"gpu in (V100, T4), !spot\" --avoid rack2-5 --spread"
                    + " db:2:zone",
            "  stowage submit vm-5 --type small --dry-run",
            "  stowage submit job-6 --type small --gang 4 --priority 10 --max-wait \"5 min\"",
            "",
            "Submitting an id again returns the state of the first request; it is not placed twice."
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
    private ClientOptions client;

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
            OwnService.tell(client, service, console);
            if (dryRun) {
                console.note("stowage: a dry run: what would be decided now; nothing was submitted");
            }
            answers.show(
                    console,
                    ClientOptions.answer(dryRun ? service.dryRun(built) : service.submit(built))
                            .getRequest());
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
        answers.show(
                console(),
                client.call(service -> service.submit(all.build()))
                        .getRequestsList()
                        .toArray(Request[]::new));
    }
}
