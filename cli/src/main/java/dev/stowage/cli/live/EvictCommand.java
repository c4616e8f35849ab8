package dev.stowage.cli.live;

import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.ConsoleCommand;
import dev.stowage.service.v1.ChangeReply;
import dev.stowage.service.v1.EvictRequest;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code stowage evict}: takes a running request off its server, to run elsewhere. */
@Command(
        name = "evict",
        description = "Take a running request off its server and place it again: at once, or, with an agent, when the"
                + " agent has stopped it. It avoids this server as long as another one could hold it.",
        abbreviateSynopsis = true,
        footer = {"", "Example:", "  stowage evict vm-1 --tenant acme"})
public final class EvictCommand extends ConsoleCommand implements Runnable {
    @Parameters(paramLabel = "ID", description = "Id of the request.")
    private String id = "";

    @Mixin
    private ClientOptions.OfTenant client;

    @Override
    public void run() {
        EvictRequest request = EvictRequest.newBuilder()
                .setChangeId(UUID.randomUUID().toString())
                .setTenant(client.tenant)
                .setRequestId(id)
                .build();
        ChangeReply unused = client.call(service -> service.evict(request));
        Console console = console();
        console.out().println("request " + id + ": evicted; \"stowage get " + id + "\" shows where it is");
    }
}
