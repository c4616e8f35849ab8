package dev.stowage.cli.experiment;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that say what to simulate, over what an experiment says. */
public final class ExperimentOptions {
    @Option(
            names = "--trace",
            paramLabel = "FILE",
            description = "Requests from a trace (see 'stowage trace formats').")
    List<Path> traces = List.of();

    @Option(names = "--trace-format", paramLabel = "KEY", description = "Its format (default: recognised).")
    @Nullable
    String traceFormat;

    @Option(
            names = "--traffic-scaling",
            paramLabel = "X",
            description = "Divide the trace's arrival times by X: 1.2 is 20 %% more requests per hour.")
    @Nullable
    String trafficScaling;

    @Option(names = "--strict", description = "Stop at the trace's first bad row instead of reporting it.")
    boolean strict;

    @Option(
            names = "--servers",
            paramLabel = "SERVERS",
            description =
                    "\"1400 x 48 cores, 128 GiB\" (also: 2 TiB disk, 4 gpus, slots=8; blocks joined by +), or a server"
                            + " list file.")
    @Nullable
    String servers;

    @Option(
            names = "--policy",
            paramLabel = "KEY,...",
            split = ",",
            hideParamSyntax = true,
            description =
                    "Policies to compare, with parameters as in first-fit:when-full=queue (see 'stowage policies').")
    List<String> policies = List.of();

    @Option(names = "--horizon", paramLabel = "TIME", description = "End of the run, e.g. 5d or \"36 h\".")
    @Nullable
    String horizon;

    @Option(
            names = "--warm-up",
            paramLabel = "TIME",
            description = "What is cut from the start: auto, none, or a time.")
    @Nullable
    String warmUp;

    @Option(names = "--seed", paramLabel = "N", description = "Seed of the first replication.")
    @Nullable
    Long seed;

    @Option(names = "--replications", paramLabel = "N", description = "Runs of each policy with different seeds.")
    @Nullable
    Integer replications;

    @Option(
            names = "--precision",
            paramLabel = "PART",
            description = "Add replications until the metric's interval is so narrow, e.g. \"2 %%\" of its mean; two"
                    + " policies: until they are told apart, or alike within that.")
    @Nullable
    String precision;

    @Option(
            names = "--precision-of",
            paramLabel = "METRIC",
            description = "The metric of --precision (default: wait_mean_s).")
    @Nullable
    String precisionOf;

    @Option(
            names = "--max-replications",
            paramLabel = "N",
            description = "Most replications for --precision (default: 200).")
    @Nullable
    Integer maxReplications;

    @Option(names = "--confidence", paramLabel = "PART", description = "Confidence of intervals, e.g. 99%%.")
    @Nullable
    String confidence;

    @Option(
            names = "--set",
            paramLabel = "PATH=VALUE",
            description = "Set any value of the experiment, e.g. workload.azure-like.days=5. Repeatable.")
    List<String> set = List.of();

    /** The experiment of this name with these options; by default the quickstart, or what the options say alone. */
    public ExperimentSource source(@Nullable String experiment) {
        boolean alone = experiment == null && !traces.isEmpty();
        ExperimentSource source = alone
                ? ExperimentSource.ofOptions()
                : ExperimentSource.find(experiment == null ? BuiltInExperiments.QUICKSTART : experiment);
        return source.with(new Overrides(this, source.base(), alone).all());
    }
}
