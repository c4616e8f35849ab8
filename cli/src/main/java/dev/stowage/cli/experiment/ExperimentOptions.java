package dev.stowage.cli.experiment;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that say what to simulate, over what an experiment says. */
public final class ExperimentOptions extends LoadOptions {
    private static final String USUAL_TARGET = "wait max <= 10 min";

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
                    + " policies: until they differ significantly, or are alike within that.")
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

    /** The experiment with a target for its servers, whose number need not be said. */
    public ExperimentSource sizeSource(@Nullable String experiment, @Nullable String target) {
        String one = servers;
        if (one != null && !one.isBlank() && !Files.exists(Path.of(one)) && !one.matches("\\s*\\d+\\s*[x×*].*")) {
            servers = "1 x " + one;
        }
        ExperimentSource source = source(experiment);
        if (target == null && source.tree().hasSize()) {
            return source;
        }
        List<String> more = new ArrayList<>(source.overrides());
        more.add("size.target=" + JsonNodeFactory.instance.textNode(target == null ? USUAL_TARGET : target));
        return source.with(more);
    }
}
