package dev.stowage.cli.live;

import com.fasterxml.jackson.databind.JsonNode;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.ServerArgument;
import dev.stowage.service.client.StowageClient;
import dev.stowage.service.v1.SubmitRequest;
import dev.stowage.sim.experiment.ResourceKeys;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code stowage submit}: asks a service for a place. */
@Command(
        name = "submit",
        description = "Ask a service for a place for a request.",
        sortOptions = false,
        abbreviateSynopsis = true,
        footer = {
            "",
            "Examples:",
            "  stowage submit vm-1 --demand \"4 cores, 16 GiB\"",
            "  stowage submit vm-2 --type small --max-wait \"5 min\"",
            "  stowage submit vm-3 --type small --sites oslo,rome",
            "",
            "The same id again is answered with what became of the first; it is not placed twice."
        })
public final class SubmitCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Parameters(arity = "0..1", paramLabel = "ID", description = "Id of the request (default: a new one).")
    private @Nullable String id;

    @Option(names = "--demand", paramLabel = "AMOUNTS", description = "As in \"4 cores, 16 GiB, 2 gpus, slots=8\".")
    private @Nullable String demand;

    @Option(names = "--type", paramLabel = "NAME", description = "A type of the cluster, in place of a demand.")
    private @Nullable String type;

    @Option(names = "--max-wait", paramLabel = "TIME", description = "Longest time to wait; \"0 s\": now or never.")
    private @Nullable String maxWait;

    @Option(
            names = "--sites",
            split = ",",
            paramLabel = "NAME",
            description = "Sites that may run it (default: every site).")
    private List<String> sites = List.of();

    @Mixin
    private ClientOptions client;

    @Mixin
    private AnswerOptions answers;

    @Override
    public void run() {
        SubmitRequest.Builder request = SubmitRequest.newBuilder()
                .setTenant(client.tenant)
                .setRequestId(id == null ? UUID.randomUUID().toString() : id);
        if (type != null) {
            request.setType(type);
        }
        if (demand != null) {
            JsonNode amounts = ServerArgument.parse("1 x " + demand).get(0);
            for (Map.Entry<String, JsonNode> amount : amounts.properties()) {
                String key = amount.getKey();
                if (!key.equals("count")) {
                    request.putDemand(
                            ResourceKeys.resource(key),
                            amount(key, amount.getValue().asText()));
                }
            }
        }
        if (maxWait != null) {
            request.setMaxWaitNanos(ClientOptions.nanos("--max-wait", maxWait));
        }
        SubmitRequest built = request.addAllAllowedSites(sites).build();
        Console console = Console.of(spec);
        try (StowageClient service = client.client()) {
            OwnService.tell(client, service, console);
            answers.show(console, ClientOptions.answer(service.submit(built)).getRequest());
        }
    }

    private static long amount(String key, String text) {
        try {
            return ResourceKeys.amount(key, text);
        } catch (IllegalArgumentException e) {
            throw new BadInputException("--demand: '" + text + "' " + e.getMessage(), e);
        }
    }
}
