package dev.stowage.cli.live;

import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.ConsoleCommand;
import dev.stowage.core.model.Labels;
import dev.stowage.core.model.ResourceWords;
import dev.stowage.service.client.StowageClient;
import dev.stowage.service.v1.AddServerRequest;
import dev.stowage.service.v1.ChangeReply;
import dev.stowage.service.v1.LabelServerRequest;
import dev.stowage.service.v1.ResizeServerRequest;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code stowage servers add}, {@code resize} and {@code label}. */
final class ServerChangeCommands {
    private static final String SERVER = "The server's name or number.";

    private ServerChangeCommands() {}

    private static Map<String, String> labels(String text) {
        try {
            return Labels.parse(text).values();
        } catch (IllegalArgumentException e) {
            throw new BadInputException("labels: " + e.getMessage() + "; as in gpu=V100,zone=a", e);
        }
    }

    private static void say(Console console, String what) {
        console.out().println(what);
    }

    /** A new server. */
    @Command(
            name = "add",
            description = "Add a server to a site.",
            abbreviateSynopsis = true,
            footer = {
                "",
                "Example:",
                "  stowage servers add main \"48 cores, 128 GiB\" --name rack2-5 --labels gpu=V100,zone=a"
            })
    static final class Add extends ConsoleCommand implements Runnable {
        @Parameters(index = "0", paramLabel = "SITE", description = "Name of its site.")
        private String site = "";

        @Parameters(index = "1", paramLabel = "AMOUNTS", description = "What it has, as in \"48 cores, 128 GiB\".")
        private String capacity = "";

        @Option(names = "--name", paramLabel = "NAME", description = "A name that no server has or had.")
        private String name = "";

        @Option(names = "--labels", paramLabel = "KEY=VALUE,...", description = "Its labels.")
        private String labels = "";

        @Mixin
        private ClientOptions client;

        @Override
        public void run() {
            Map<String, Long> amounts = RequestOptions.amounts("AMOUNTS", capacity);
            List<String> none = RequestOptions.unnamed(
                    amounts.keySet(), client.call(StowageClient::status).getResourcesList());
            if (!none.isEmpty()) {
                throw new BadInputException("AMOUNTS \"" + capacity + "\" names no " + String.join(" and no ", none)
                        + ": say how much the server has, as in \"48 cores, 128 GiB\"");
            }
            AddServerRequest request = AddServerRequest.newBuilder()
                    .setChangeId(UUID.randomUUID().toString())
                    .setSite(site)
                    .putAllCapacity(amounts)
                    .setName(name)
                    .putAllLabels(labels(labels))
                    .build();
            ChangeReply reply = client.call(
                    service -> service.<ChangeReply>operations((stub, answer) -> stub.addServer(request, answer)));
            say(console(), "server " + (name.isEmpty() ? "" : name + ", ") + "number " + reply.getNumber() + ": added");
        }
    }

    /** Another capacity. */
    @Command(
            name = "resize",
            description = "Give a server another capacity. Running requests stay, even if they need more than that.",
            abbreviateSynopsis = true,
            footer = {
                "",
                "Examples:",
                "  stowage servers resize rack2-5 \"32 cores, 128 GiB\"",
                "  stowage servers resize gpu-7 \"64 cores, 512 GiB, 7 gpus\" --devices 0,1,2,4,5,6,7"
            })
    static final class Resize extends ConsoleCommand implements Runnable {
        @Parameters(index = "0", paramLabel = "SERVER", description = SERVER)
        private String server = "";

        @Parameters(index = "1", paramLabel = "AMOUNTS", description = "All that it has from now on.")
        private String capacity = "";

        @Option(
                names = "--devices",
                split = ",",
                paramLabel = "N,...",
                description = "Numbers of the devices that it has from now on, if one failed (default: the emptiest are"
                        + " removed).")
        private List<Integer> devices = List.of();

        @Mixin
        private ClientOptions client;

        @Override
        public void run() {
            Map<String, Long> amounts = RequestOptions.amounts("AMOUNTS", capacity);
            String none = client.call(StowageClient::status).getResourcesList().stream()
                    .filter(resource -> !amounts.containsKey(resource))
                    .map(ResourceWords::resource)
                    .collect(Collectors.joining(" and no "));
            if (!none.isEmpty()) {
                throw new BadInputException("AMOUNTS \"" + capacity + "\" names no " + none
                        + ": say all that the server has, also what does not change");
            }
            ResizeServerRequest request = ResizeServerRequest.newBuilder()
                    .setChangeId(UUID.randomUUID().toString())
                    .setName(server)
                    .putAllCapacity(amounts)
                    .addAllDevices(devices)
                    .build();
            ChangeReply unused = client.call(
                    service -> service.<ChangeReply>operations((stub, answer) -> stub.resizeServer(request, answer)));
            say(console(), "server " + server + ": resized");
        }
    }

    /** Other labels. */
    @Command(
            name = "label",
            description = "Give a server other labels, in place of those it has. What runs there stays.",
            abbreviateSynopsis = true,
            footer = {"", "Example:", "  stowage servers label rack2-5 gpu=V100,zone=b"})
    static final class Label extends ConsoleCommand implements Runnable {
        @Parameters(index = "0", paramLabel = "SERVER", description = SERVER)
        private String server = "";

        @Parameters(
                index = "1",
                paramLabel = "KEY=VALUE,...",
                description = "All labels that it has from now on; \"\" for none.")
        private String labels = "";

        @Mixin
        private ClientOptions client;

        @Override
        public void run() {
            LabelServerRequest request = LabelServerRequest.newBuilder()
                    .setChangeId(UUID.randomUUID().toString())
                    .setName(server)
                    .putAllLabels(labels(labels))
                    .build();
            ChangeReply unused = client.call(
                    service -> service.<ChangeReply>operations((stub, answer) -> stub.labelServer(request, answer)));
            say(console(), "server " + server + ": labelled");
        }
    }
}
