package dev.stowage.cli.recommend;

import dev.stowage.cli.answer.FormatOption;
import dev.stowage.cli.answer.ReportOption;
import dev.stowage.cli.experiment.ExperimentNames;
import dev.stowage.cli.experiment.ExperimentOptions;
import dev.stowage.cli.experiment.ThreadsOption;
import dev.stowage.cli.policies.PolicyCommand;
import dev.stowage.cli.text.ProgramOptions.Rare;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code stowage recommend}: which policy is best for which goal. */
@Rare({"--spare-site", "--precision", "--confidence", "--seed"})
@Command(
        name = "recommend",
        description = "Recommend a policy for your requests and servers. Runs all suitable policies on the same"
                + " requests, drops the worse ones early, and reports the best policy per goal, its lead, and which"
                + " policies are equally good.",
        abbreviateSynopsis = true,
        footer = {
            "",
            "Examples:",
            "  stowage recommend",
            "  stowage recommend --trace requests.csv --servers \"1400 x 48 cores, 128 GiB\"",
            "  stowage recommend --trace requests.csv --servers \"1400 x 48 cores, 128 GiB\" --policy first-fit,best-fit"
        })
public final class RecommendCommand extends PolicyCommand implements Runnable {
    @Parameters(
            arity = "0..1",
            paramLabel = "EXPERIMENT",
            completionCandidates = ExperimentNames.class,
            description = "A YAML file, a table of requests (as --trace), or a built-in experiment (default:"
                    + " quickstart; none with --trace). Its policies are ignored.")
    private @Nullable String experiment;

    @Mixin
    private ThreadsOption threads = new ThreadsOption();

    /** Not an argument group: picocli's annotation processor accepts a class as the group of one command only. */
    @Mixin
    private ExperimentOptions options = new ExperimentOptions();

    @Mixin
    private ReportOption report = new ReportOption();

    @Mixin
    private FormatOption format = new FormatOption();

    @Override
    public void run() {
        new RecommendOverview(console(), threads.threads(), format.format(), report)
                .show(options.source(experiment), options.namesPolicies());
    }
}
