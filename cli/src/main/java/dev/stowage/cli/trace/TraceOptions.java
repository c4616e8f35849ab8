package dev.stowage.cli.trace;

import dev.stowage.cli.experiment.ReadingOptions;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.ProgramOptions.Rare;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How a trace is read, and which part of it is used. */
final class TraceOptions extends ReadingOptions {
    @Rare
    @Option(
            names = "--setting",
            paramLabel = "NAME=VALUE",
            description = "A setting of the format (see 'stowage trace formats KEY'). Repeatable.")
    Map<String, String> settings = Map.of();

    @Rare
    @Option(names = "--max-bad", paramLabel = "PART", description = "Fraction of rows that may be bad (default: 0.2).")
    @Nullable
    Double mostBad;

    @Rare
    @Option(
            names = "--from",
            paramLabel = "TIME",
            description = "Only requests that arrive at or after this time, e.g. \"6 h\", which becomes time 0"
                    + " (default: the first arrival is time 0).")
    @Nullable
    String from;

    @Rare
    @Option(names = "--to", paramLabel = "TIME", description = "Only requests that arrive before this time.")
    @Nullable
    String to;

    @Rare
    @Option(names = "--keep-running", description = "With --from: include requests that are running then.")
    boolean keepRunning;

    @Rare
    @Option(names = "--sample", paramLabel = "PART", description = "Keep about this fraction of the batches, e.g. 0.1.")
    double sample = 1;

    @Rare
    @Option(names = "--sample-seed", paramLabel = "N", description = "Seed of the sample (default: 1).")
    long sampleSeed = 1;

    @Rare
    @Option(
            names = "--traffic-scaling",
            paramLabel = "X",
            description = "Divide arrival times by X: 1.2 is 20 %% more requests per hour.")
    double trafficScaling = 1;

    @Rare
    @Option(
            names = "--single-resource",
            paramLabel = "CAPACITY,...",
            split = ",",
            hideParamSyntax = true,
            description =
                    "Replace all resources by one, size_ppm: the largest demand / CAPACITY, in millionths. CAPACITY is"
                            + " what one server has of each resource, in whole units.")
    List<Long> singleResource = List.of();

    @Rare
    @Option(
            names = "--predict",
            paramLabel = "HOW",
            description =
                    "Replace the trace's expected lifetimes by: true, \"error 1\" (times e^N(0, 1)), \"learned 2 d\""
                            + " (from what arrives in the first two days) or worthless (that of another request).")
    @Nullable
    String predict;

    /** The traces of these files as one, read and changed as the options say. */
    TraceInput of(List<Path> files, Console console) {
        return new TraceInput(this, files, console);
    }
}
