package dev.stowage.cli.size;

import dev.stowage.cli.experiment.ExperimentOptions;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.OutputFormat;
import dev.stowage.cli.text.PluginOptions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code stowage size}: how many servers each policy needs, and how many any policy needs. */
@Command(
        name = "size",
        description =
                "How many servers each policy needs to meet a target, and how many any policy needs: the least number"
                        + " by bisection on the same requests, beside a proven lower bound.",
        sortOptions = false,
        abbreviateSynopsis = true,
        footer = {
            "",
            "Examples:",
            "  stowage size",
            "  stowage size --trace requests.csv --servers \"48 cores, 128 GiB\" --target \"wait p99 <= 10 min\"",
            "  stowage size --trace requests.csv --servers \"48 cores, 128 GiB\" --policy first-fit,best-fit"
                    + " --target \"rejected <= 0.1 %%\""
        })
public final class SizeCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    // Picocli acts on it.
    @SuppressWarnings("UnusedVariable")
    @Mixin
    private PluginOptions plugins = new PluginOptions();

    @Parameters(
            arity = "0..1",
            paramLabel = "EXPERIMENT",
            description = "A YAML file, or a built-in experiment (default: quickstart; with --trace: the options"
                    + " alone).")
    private @Nullable String experiment;

    @Option(
            names = "--target",
            paramLabel = "TARGET",
            description =
                    "What is to hold: \"rejected <= 0.1 %%\", \"waited <= 1 %%\", \"wait max <= 10 min\", \"wait p99 <= 10 min\""
                            + " (p50, p90, p95, p99.9). Default: what the experiment says, else \"wait max <= 10 min\".")
    private @Nullable String target;

    /** No group: picocli's processor of annotations takes a class as the group of one command only. */
    @Mixin
    private ExperimentOptions options = new ExperimentOptions();

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private OutputFormat format = OutputFormat.TABLE;

    @Override
    public void run() {
        new SizeOverview(Console.of(spec)).show(options.sizeSource(experiment, target), format);
    }
}
