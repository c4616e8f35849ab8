package dev.stowage.cli.live;

import dev.stowage.cli.text.ConsoleCommand;
import dev.stowage.cli.text.ProgramOptions.Rare;
import dev.stowage.service.v1.AdoptRequest;
import dev.stowage.service.v1.SubmitReply;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code stowage adopt}: adds a request that runs already to a service. */
@Command(
        name = "adopt",
        description = "Report a request that is already running on a server, found there or placed by somebody else."
                + " The service treats it as running, even if it overfills the server.",
        abbreviateSynopsis = true,
        footer = {"", "Example:", "  stowage adopt vm-7 --server rack2-5 --demand \"4 cores, 16 GiB\""})
public final class AdoptCommand extends ConsoleCommand implements Runnable {
    @Parameters(paramLabel = "ID", description = "Id of the request.")
    private String id = "";

    @Option(
            names = "--server",
            required = true,
            paramLabel = "SERVER",
            description = "Where it runs: the server's name or number.")
    private String server = "";

    @Rare
    @Option(
            names = "--devices",
            split = ",",
            paramLabel = "N,...",
            description = "Numbers of the devices that it holds there (default: the emptiest).")
    private List<Integer> devices = List.of();

    @Mixin
    private RequestOptions options;

    @Mixin
    private ClientOptions.OfTenant client;

    @Mixin
    private AnswerOptions answers;

    @Override
    public void run() {
        AdoptRequest request = AdoptRequest.newBuilder()
                .setRequest(options.request(client.tenant, id))
                .setServer(server)
                .addAllDevices(devices)
                .build();
        SubmitReply adopted = client.call(service -> service.adopt(request));
        answers.showSubmitted(console(), List.of(adopted.getRequest()), adopted.getWarningsList());
    }
}
