package dev.stowage.cli.experiment;

import dev.stowage.cli.policies.PolicyCommand;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.Failures;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.ExperimentException;
import dev.stowage.sim.experiment.ReadExperiment;
import dev.stowage.study.load.PolicyCautions;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code stowage validate}: all mistakes of experiments, without running anything. */
@Command(
        name = "validate",
        description = "Check experiments: every mistake with its place, the value and what is allowed. Runs nothing.",
        footer = {"", "Example:", "  stowage validate experiments/*.yaml"})
public final class ValidateCommand extends PolicyCommand implements Callable<Integer> {
    @Parameters(
            arity = "1..*",
            paramLabel = "EXPERIMENT",
            completionCandidates = ExperimentNames.class,
            description = "YAML files, or names of built-in experiments.")
    private List<String> experiments;

    @Option(names = "--set", paramLabel = "PATH=VALUE", description = "Set any value before the check. Repeatable.")
    private List<String> set = List.of();

    @Override
    public Integer call() {
        return validate() ? 0 : Failures.BAD_INPUT;
    }

    /** Whether all are valid; after an invalid one the others are still checked. */
    private boolean validate() {
        boolean good = true;
        for (String experiment : experiments) {
            try {
                ExperimentSource source = ExperimentSource.find(experiment).with(set);
                if (source.tree().isPlanning()) {
                    console()
                            .out()
                            .println(experiment + ": ok, " + source.study().size());
                } else {
                    tell(experiment, source.experiment(console()));
                }
            } catch (ExperimentException | BadInputException e) {
                console().warn(String.valueOf(e.getMessage()));
                good = false;
            }
        }
        return good;
    }

    private void tell(String name, ReadExperiment experiment) {
        Experiment first = experiment.points().get(0);
        long servers = first.cluster().sites().stream()
                .flatMap(site -> site.servers().stream())
                .mapToLong(ServerBlock::count)
                .sum();
        console()
                .out()
                .println(name + ": ok, " + Runs.of(experiment.points()).text() + " on " + servers
                        + (servers == 1 ? " server" : " servers"));
        experiment.notes().forEach(note -> console().note("  ", note));
        PolicyCautions.of(experiment.points()).forEach(caution -> console().note("  " + caution));
    }
}
