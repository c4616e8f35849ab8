package dev.stowage.cli.recommend;

import dev.stowage.cli.answer.ReportOption;
import dev.stowage.cli.experiment.ExperimentNames;
import dev.stowage.cli.experiment.ExperimentOptions;
import dev.stowage.cli.policies.LongCommand;
import dev.stowage.cli.text.OutputFormat;
import dev.stowage.cli.text.ProgramOptions.Rare;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code stowage recommend}: which policy is best for which goal. */
@Command(
        name = "recommend",
        description = "Recommend a policy for your requests and servers. Runs all suitable policies on the same"
                + " requests, drops the worse ones early, and reports the best policy per goal, by how much it leads,"
                + " and which are as good.",
        abbreviateSynopsis = true,
        footer = {
            "",
            "Examples:",
            "  stowage recommend",
            "  stowage recommend --trace requests.csv --servers \"1400 x 48 cores, 128 GiB\"",
            "  stowage recommend --trace requests.csv --servers \"1400 x 48 cores, 128 GiB\" --policy first-fit,best-fit"
        })
public final class RecommendCommand extends LongCommand implements Runnable {
    @Parameters(
            arity = "0..1",
            paramLabel = "EXPERIMENT",
            completionCandidates = ExperimentNames.class,
            description = "A YAML file, a table of requests (as --trace), or a built-in experiment (default:"
                    + " quickstart; with --trace: the options alone). Its policies are ignored.")
    private @Nullable String experiment;

    @Rare
    @Option(names = "--threads", paramLabel = "N", description = "Runs at a time (default: one per processor).")
    private int threads = Runtime.getRuntime().availableProcessors();

    /** Not an argument group: picocli's annotation processor accepts a class as the group of one command only. */
    @Mixin
    private ExperimentOptions options = new ExperimentOptions();

    @Mixin
    private ReportOption report = new ReportOption();

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private OutputFormat format = OutputFormat.TABLE;

    @Override
    public void run() {
        new RecommendOverview(console(), threads, format, report)
                .show(options.source(experiment), options.namesPolicies());
    }
}
