package dev.stowage.cli.bound;

import dev.stowage.cli.answer.FormatOption;
import dev.stowage.cli.answer.ReportOption;
import dev.stowage.cli.experiment.ExperimentNames;
import dev.stowage.cli.experiment.ExperimentSource;
import dev.stowage.cli.experiment.LoadOptions;
import dev.stowage.cli.policies.PolicyCommand;
import dev.stowage.cli.text.ProgramOptions.Rare;
import dev.stowage.sim.experiment.Units;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** {@code stowage bound}: the most that any policy could support, beside the load of an experiment. */
@Rare({"--spare-site", "--seed"})
@Command(
        name = "bound",
        description = "Show what fraction of the maximum supportable load an experiment offers. No policy supports more"
                + " than that maximum. Runs nothing.",
        abbreviateSynopsis = true,
        footer = {
            "",
            "Examples:",
            "  stowage bound experiments/sweep-load.yaml",
            "  stowage bound --trace requests.csv --servers \"30 x 48 cores, 128 GiB\""
        })
public final class BoundCommand extends PolicyCommand implements Runnable {
    private static final int MOST_WINDOWS = 1000;

    @Parameters(
            arity = "0..1",
            paramLabel = "EXPERIMENT",
            completionCandidates = ExperimentNames.class,
            description =
                    "A YAML file, a table of requests (as --trace), or a built-in experiment (default: quickstart; none"
                            + " with --trace).")
    private @Nullable String experiment;

    @ArgGroup(validate = false, heading = "%nSettings that override those of EXPERIMENT:%n")
    private LoadOptions load = new LoadOptions();

    @Rare
    @Option(
            names = "--tolerance",
            paramLabel = "PART",
            description = "Largest gap between the proven bounds, as a fraction of them (default: ${DEFAULT-VALUE})."
                    + " With few types of fixed demand they are always solved to nine digits.")
    private String tolerance = "1 %";

    @Rare
    @Option(
            names = "--windows",
            paramLabel = "N",
            description = "Show instead the greatest reward rate in each of N equal windows of the run, for a changing"
                    + " load, computed from the first seed's requests.")
    private @Nullable Integer windows;

    @Rare
    @Option(
            names = "--routing-windows",
            paramLabel = "N",
            description =
                    "Split a trace into N equal windows, with a bound on routing for each (several sites, or pools).")
    private @Nullable Integer routingWindows;

    @Mixin
    private ReportOption report = new ReportOption();

    @Mixin
    private FormatOption format = new FormatOption();

    @Override
    public void run() {
        double gap = gap();
        checkCount("--windows", windows);
        checkCount("--routing-windows", routingWindows);
        ExperimentSource source = load.source(experiment);
        if (windows != null) {
            new WindowOverview(console(), report).show(source, windows, format.format());
        } else {
            new BoundOverview(console(), report)
                    .show(source, gap, routingWindows == null ? 0 : routingWindows, format.format());
        }
    }

    private double gap() {
        double gap = 0;
        try {
            gap = Units.number(tolerance);
        } catch (IllegalArgumentException e) {
            // reported below
        }
        if (!(gap >= 1e-6 && gap < 1)) {
            throw new ParameterException(
                    spec().commandLine(), "--tolerance '" + tolerance + "' must be from 0.0001 % to below 100 %");
        }
        return gap;
    }

    private void checkCount(String option, @Nullable Integer count) {
        if (count != null && (count < 1 || count > MOST_WINDOWS)) {
            throw new ParameterException(
                    spec().commandLine(), option + " " + count + " must be from 1 to " + MOST_WINDOWS);
        }
    }
}
