package dev.stowage.cli.experiment;

import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that say what to simulate, over what an experiment says. */
public final class ExperimentOptions extends LoadOptions {
    @Option(
            names = "--policy",
            paramLabel = "KEY,...",
            split = ",",
            hideParamSyntax = true,
            description =
                    "Policies to compare, with parameters as in first-fit:when-full=queue (see 'stowage policies').")
    List<String> policies = List.of();

    @Option(
            names = "--warm-up",
            paramLabel = "TIME",
            description = "What is cut from the start: auto, none, or a time.")
    @Nullable
    String warmUp;

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
}
