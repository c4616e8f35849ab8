package dev.stowage.cli.live;

import dev.stowage.cli.text.Columns;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.ConsoleCommand;
import dev.stowage.cli.text.ProgressBar;
import dev.stowage.service.client.StowageClient;
import dev.stowage.service.v1.Candidate;
import dev.stowage.service.v1.ExplainRequest;
import dev.stowage.service.v1.Explanation;
import dev.stowage.service.v1.Forecast;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code stowage explain}: why a request is where it is, and when one that waits will probably start. */
@Command(
        name = "explain",
        description =
                "Show why a request is where it is: the policy's rule, and the servers that matter; if it waits, when"
                        + " it will probably start.",
        abbreviateSynopsis = true,
        footer = {"", "Examples:", "  stowage explain vm-1", "  stowage explain vm-1 --rollouts 1000"})
public final class ExplainCommand extends ConsoleCommand implements Runnable {
    private static final double NANOS = 1e9;

    @Parameters(paramLabel = "ID", description = "Id of the request.")
    private String id;

    @Option(
            names = "--rollouts",
            paramLabel = "N",
            description = "For a waiting request: simulate this many copies of the service's state from now, with"
                    + " recent lifetimes and arrivals, until it starts; at most 1000, 0 for none (default:"
                    + " ${DEFAULT-VALUE}).")
    private int rollouts = 100;

    @Mixin
    private ClientOptions.OfTenant client;

    @Mixin
    private AnswerOptions answers;

    @Override
    public void run() {
        ExplainRequest request = ExplainRequest.newBuilder()
                .setTenant(client.tenant)
                .setRequestId(id)
                .setRollouts(rollouts)
                .build();
        boolean json = answers.json();
        Console console = console();
        Explanation why;
        try (StowageClient service = client.client()) {
            why = ClientOptions.answer(service.explain(request));
        }
        if (json) {
            console.out().println(AnswerOptions.pretty(why));
        } else {
            console.out()
                    .print(console.wrapped("", id + " " + why.getSummary() + ". Policy: " + why.getPolicy() + "."));
            if (why.getRequest().getExpectedNanos() > 0) {
                console.out()
                        .print(console.wrapped(
                                "",
                                "It was submitted as expecting to run "
                                        + duration(why.getRequest().getExpectedNanos()) + "."));
            }
            if (why.hasForecast()) {
                console.out().print(console.wrapped("", forecast(why.getForecast())));
            }
            console.out().print(candidates(why, console));
        }
    }

    /** A prediction in words. */
    static String forecast(Forecast forecast) {
        if (!forecast.getProblem().isEmpty()) {
            return "Cannot predict when it will start: " + forecast.getProblem()
                    + (forecast.getLearnedEnds() == 0 ? "" : " (" + forecast.getLearnedEnds() + " so far)") + ".";
        }
        String horizon = "more than " + duration(forecast.getHorizonNanos()) + " (or never)";
        String low = forecast.hasWaitLowNanos() ? duration(forecast.getWaitLowNanos()) : horizon;
        String high = forecast.hasWaitHighNanos() ? duration(forecast.getWaitHighNanos()) : horizon;
        String range = low.equals(high) ? "in " + low : "in " + low + " to " + high;
        String median = forecast.hasWaitMedianNanos() ? duration(forecast.getWaitMedianNanos()) : horizon;
        String learned = forecast.getLearnedRequests() == 0
                ? ""
                : String.format(
                        Locale.ROOT,
                        ", with the lifetimes of the %,d that have ended of the last %,d requests",
                        forecast.getLearnedEnds(),
                        forecast.getLearnedRequests());
        return "It will probably start " + range + " (probability 90 %; median: " + median + "). This rests on "
                + forecast.getRollouts() + " simulations" + learned + ".";
    }

    private static String duration(long nanos) {
        return ProgressBar.duration(nanos / NANOS);
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
                    candidate.getRunsHere() ? "runs here" : lacks(candidate));
        }
        return columns.text(console.style());
    }

    private static String lacks(Candidate candidate) {
        String all = Stream.of(
                        AnswerOptions.amounts(candidate.getLacksMap()),
                        candidate.getLacksDevices(),
                        candidate.getKeptApart())
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining("; "));
        return all.isEmpty() ? "nothing: it has room" : all;
    }
}
