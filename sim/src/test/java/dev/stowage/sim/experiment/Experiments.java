package dev.stowage.sim.experiment;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.stowage.policies.Policies;
import java.nio.file.Path;
import java.util.List;

/** Reads experiments in tests. */
final class Experiments {
    /** A good experiment, to be spoiled. */
    static final String GOOD = """
            name: good
            cluster: {servers: {count: 4, cpu: 48, memory: 128 GiB}}
            workload:
              types:
                - {name: small, rate: 3 / min, demand: {cpu: 1, memory: 2 GiB}, service: {exponential: 20 min}}
            policies: [best-fit, bf-js]
            horizon: 1 d
            """;

    private Experiments() {}

    static ReadExperiment read(String yaml, String... overrides) {
        return readAt(Path.of(""), yaml, overrides);
    }

    static ReadExperiment readAt(Path base, String yaml, String... overrides) {
        return ExperimentReader.read("test.yaml", yaml, base, List.of(overrides), new Policies());
    }

    static Experiment point(String yaml, String... overrides) {
        return read(yaml, overrides).points().get(0);
    }

    /** The mistakes of an experiment, as {@code path: message}. */
    static List<String> problems(String yaml, String... overrides) {
        ExperimentException failure = catchThrowableOfType(ExperimentException.class, () -> read(yaml, overrides));
        return failure.problems().stream().map(Problem::toString).toList();
    }
}
