package dev.stowage.cli.load;

import dev.stowage.cli.answer.JsonOption;
import dev.stowage.cli.live.ClientOptions;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.ConsoleCommand;
import dev.stowage.cli.text.ProgramOptions.Rare;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code stowage load}: an open loop of requests against a service. */
@Command(
        name = "load",
        description = "Send requests to a service at a given rate, even if it cannot keep up, release each after its"
                + " holding time, and report latencies. Latency counts from the moment when a request was due, so it"
                + " includes the time that requests waited for a stalled service.",
        abbreviateSynopsis = true,
        footer = {
            "",
            "Examples:",
            "  stowage load --rate 1000 --duration \"10 s\"",
            "  stowage load --rate 20000 --batch 100 --hold \"2 s\" --warm-up \"10 s\" --duration \"30 s\"",
            "  stowage load --trace requests.csv --rate 500",
            "",
            "Without a trace requests have 1, 2, 4, 8 or 16 cores (40, 30, 15, 10, 5 %%) and 1.75, 3.5 or 7 GiB per"
                    + " core",
            "(50, 40, 10 %%), arrive at random and stay for an exponential time. A trace gives demands, order and"
                    + " times; its",
            "clock is sped up or slowed down to match the rate."
        })
public final class LoadCommand extends ConsoleCommand implements Runnable {
    @Option(names = "--rate", paramLabel = "N", description = "Requests a second (default: 1000).")
    double rate = 1000;

    @Option(names = "--duration", paramLabel = "TIME", description = "How long requests are sent (default: 10 s).")
    String duration = "10 s";

    @Option(
            names = "--warm-up",
            paramLabel = "TIME",
            description = "Send requests for this long first, at the same rate, without measuring the answers: the"
                    + " first seconds of fresh processes are slow (default: 0 s).")
    String warmUp = "0 s";

    @Option(names = "--count", paramLabel = "N", description = "Send at most this many requests.")
    long count = Long.MAX_VALUE;

    @Option(
            names = "--hold",
            paramLabel = "TIME",
            description = "Mean time until a request is released (default: 2 s; a trace has its own).")
    String hold = "2 s";

    @Option(
            names = "--trace",
            paramLabel = "FILE",
            description = "Requests from a trace (see 'stowage trace formats').")
    List<Path> traces = List.of();

    @Option(names = "--batch", paramLabel = "N", description = "Maximum number of requests per call (default: 1).")
    int batch = 1;

    @Rare
    @Option(
            names = "--linger",
            paramLabel = "TIME",
            description = "How long a due request may wait for others to share its call (default: 1 ms).")
    String linger = "1 ms";

    @Rare
    @Option(
            names = "--outstanding",
            paramLabel = "N",
            description = "Maximum number of unanswered requests (default: 256); further ones wait in this program, and"
                    + " that wait counts as latency.")
    int outstanding = 256;

    @Option(names = "--seed", paramLabel = "N", description = "Seed of the generator (default: 1).")
    long seed = 1;

    @Rare
    @Option(names = "--keep", description = "Do not release the remaining requests at the end.")
    boolean keep;

    @Rare
    @Option(names = "--prefix", paramLabel = "TEXT", description = "Prefix of the ids (default: a random one).")
    @Nullable
    String prefix;

    @Mixin
    JsonOption json;

    @Mixin
    ClientOptions.OfTenant client;

    @Override
    public void run() {
        check();
        Console console = console();
        LoadSource source = traces.isEmpty()
                ? LoadSource.generated(rate, ClientOptions.nanos("--hold", hold), seed)
                : LoadSource.trace(traces, rate, console);
        new Load(this, source, console).run();
    }

    private void check() {
        if (!(rate >= 0.001 && rate <= 10_000_000)) {
            throw new BadInputException("--rate " + rate + " must be 0.001 to 10000000 requests a second");
        }
        atLeastOne("--count", count);
        atLeastOne("--batch", batch);
        atLeastOne("--outstanding", outstanding);
        json.asked();
    }

    private static void atLeastOne(String option, long value) {
        if (value < 1) {
            throw new BadInputException(option + " " + value + " must be at least 1");
        }
    }
}
