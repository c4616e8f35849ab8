package dev.stowage.sim.experiment;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.stowage.core.engine.Effects;
import dev.stowage.core.policy.View;
import dev.stowage.policies.Policies;
import dev.stowage.sim.driver.EffectsFan;
import dev.stowage.sim.driver.Setup;
import dev.stowage.sim.driver.Simulation;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads experiments in tests. */
final class Experiments {
    /** A valid experiment, to be changed into invalid ones. */
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

    /** Replication 1 of a policy on an experiment, as it is run. */
    static Setup setup(Experiment experiment, LabelledPolicy policy) {
        return new Setup(
                experiment.cluster(),
                experiment.workload(),
                experiment.origins(),
                policy.spec(),
                new Policies(),
                experiment.steps(),
                experiment.slotNanos(),
                1,
                experiment.end(),
                List.of(),
                1);
    }

    /** Runs a policy on an experiment, and reports where each request is placed. */
    static void run(Experiment experiment, LabelledPolicy policy, Placement placement, Effects others) {
        Simulation.run(
                setup(experiment, policy),
                new EffectsFan(
                        new Effects() {
                            private @Nullable View view;

                            @Override
                            public void attached(View attached) {
                                view = attached;
                            }

                            @Override
                            public void placed(long now, int job, int server, String reason) {
                                placement.placed(Objects.requireNonNull(view), job, server);
                            }
                        },
                        others),
                engine -> engine,
                (at, sent) -> {});
    }

    /** Receives placements of requests. */
    interface Placement {
        void placed(View view, int job, int server);
    }

    /** The mistakes of an experiment, as {@code path: message}. */
    static List<String> problems(String yaml, String... overrides) {
        ExperimentException failure = catchThrowableOfType(ExperimentException.class, () -> read(yaml, overrides));
        return failure.problems().stream().map(Problem::toString).toList();
    }
}
