package dev.stowage.cli.live;

import dev.stowage.cli.text.Columns;
import dev.stowage.cli.text.Console;
import dev.stowage.service.client.StowageClient;
import dev.stowage.service.v1.Candidate;
import dev.stowage.service.v1.Explanation;
import dev.stowage.service.v1.GetRequest;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code stowage explain}: why a request is where it is. */
@Command(
        name = "explain",
        description = "Why a request is where it is: the policy's rule, and the servers that matter.",
        sortOptions = false,
        abbreviateSynopsis = true,
        footer = {"", "Example:", "  stowage explain vm-1"})
public final class ExplainCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "ID", description = "Id of the request.")
    private String id;

    @Mixin
    private ClientOptions client;

    @Mixin
    private AnswerOptions answers;

    @Override
    public void run() {
        GetRequest request = GetRequest.newBuilder()
                .setTenant(client.tenant)
                .setRequestId(id)
                .build();
        boolean json = answers.json();
        Console console = Console.of(spec);
        Explanation why;
        try (StowageClient service = client.client()) {
            OwnService.tell(client, service, console);
            why = ClientOptions.answer(service.explain(request));
        }
        if (json) {
            console.out().println(AnswerOptions.pretty(why));
        } else {
            console.out().println(id + " " + why.getSummary() + ". Policy: " + why.getPolicy() + ".");
            console.out().print(candidates(why, console));
        }
        console.out().flush();
    }

    private static String candidates(Explanation why, Console console) {
        if (why.getCandidatesCount() == 0) {
            return "";
        }
        Columns columns = new Columns("server", "site", "free now", "lacks");
        for (Candidate candidate : why.getCandidatesList()) {
            columns.row(
                    AnswerOptions.server(candidate.getServer(), candidate.getName()),
                    candidate.getSite(),
                    AnswerOptions.amounts(candidate.getFreeMap()),
                    candidate.getRunsHere()
                            ? "runs here"
                            : candidate.getLacksCount() > 0
                                    ? AnswerOptions.amounts(candidate.getLacksMap())
                                    : candidate.getKeptApart().isEmpty() ? "nothing" : candidate.getKeptApart());
        }
        return columns.text(console.style());
    }
}
