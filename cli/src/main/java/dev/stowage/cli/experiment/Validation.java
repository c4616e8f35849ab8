package dev.stowage.cli.experiment;

import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.Console;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.ExperimentException;
import dev.stowage.sim.experiment.ReadExperiment;
import dev.stowage.study.load.PolicyCautions;
import java.util.List;

/** Carries out {@code stowage validate}. */
final class Validation {
    private final Console console;

    Validation(Console console) {
        this.console = console;
    }

    /** Whether all are valid; after an invalid one the others are still checked. */
    boolean validate(List<String> experiments, List<String> overrides) {
        boolean good = true;
        for (String experiment : experiments) {
            try {
                ExperimentSource source = ExperimentSource.find(experiment).with(overrides);
                if (source.tree().isPlanning()) {
                    console.out().println(experiment + ": ok, " + source.study().size());
                    console.out().flush();
                } else {
                    tell(experiment, source.experiment());
                }
            } catch (ExperimentException | BadInputException e) {
                console.note(String.valueOf(e.getMessage()));
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
        console.out()
                .println(name + ": ok, " + Runs.of(experiment.points()).text() + " on " + servers
                        + (servers == 1 ? " server" : " servers"));
        console.out().flush();
        experiment.notes().forEach(note -> console.note("  " + note));
        PolicyCautions.of(experiment.points()).forEach(caution -> console.note("  " + caution));
    }
}
