package dev.stowage.study;

import dev.stowage.policies.Policies;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.ExperimentReader;
import java.nio.file.Path;
import java.util.List;

/** Experiments of tests. */
public final class TestExperiments {
    private TestExperiments() {}

    /** The one point of an experiment. */
    public static Experiment of(String yaml) {
        return of(yaml, Path.of(""));
    }

    /** The one point of an experiment whose files are in a directory. */
    public static Experiment of(String yaml, Path directory) {
        return ExperimentReader.read("test", yaml, directory, List.of(), new Policies())
                .points()
                .get(0);
    }
}
