package dev.stowage.cli.bound;

import dev.stowage.cli.experiment.ExperimentSource;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.OutputFormat;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code stowage bound}: the most that any policy could support, beside what an experiment offers. */
@Command(
        name = "bound",
        description = "Tell how much of the maximum supportable load an experiment offers, whatever the policy."
                + " Runs nothing.",
        footer = {"", "Example:", "  stowage bound experiments/sweep-load.yaml"})
public final class BoundCommand implements Runnable {
    private static final int MOST_WINDOWS = 1000;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "EXPERIMENT", description = "YAML file, or name of an experiment that comes along.")
    private String experiment;

    @Option(names = "--set", paramLabel = "PATH=VALUE", description = "Set any value first. Repeatable.")
    private List<String> set = List.of();

    @Option(
            names = "--tolerance",
            paramLabel = "X",
            description = "Largest gap between the proven bounds, relative (default: ${DEFAULT-VALUE}). Few types of"
                    + " fixed demand are always solved to nine digits.")
    private double tolerance = 0.01;

    @Option(
            names = "--windows",
            paramLabel = "N",
            description = "Instead, the greatest reward rate in N equal windows of the run, for a load that changes: of"
                    + " the requests of the first seed.")
    private int windows;

    @Option(
            names = "--routing-windows",
            paramLabel = "N",
            description =
                    "Part a trace into N equal windows, with a bound of routing for each (several sites, or pools).")
    private int routingWindows;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private OutputFormat format = OutputFormat.TABLE;

    @Override
    public void run() {
        if (!(tolerance >= 1e-6 && tolerance < 1)) {
            throw new ParameterException(
                    spec.commandLine(), "--tolerance is " + tolerance + ", must be from 0.000001 to below 1");
        }
        checkCount("--windows", windows);
        checkCount("--routing-windows", routingWindows);
        ExperimentSource source = ExperimentSource.find(experiment).with(set);
        if (windows > 0) {
            new WindowOverview(Console.of(spec)).show(source, windows, format);
        } else {
            new BoundOverview(Console.of(spec)).show(source, tolerance, routingWindows, format);
        }
    }

    private void checkCount(String option, int count) {
        if (count < 0 || count > MOST_WINDOWS) {
            throw new ParameterException(
                    spec.commandLine(), option + " is " + count + ", must be from 1 to " + MOST_WINDOWS);
        }
    }
}
