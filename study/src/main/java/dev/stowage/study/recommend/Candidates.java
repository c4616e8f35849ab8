package dev.stowage.study.recommend;

import dev.stowage.core.model.Resource;
import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.devices.DevicePolicies;
import dev.stowage.sim.driver.End;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.ExperimentRunner;
import dev.stowage.sim.experiment.LabelledPolicy;
import dev.stowage.sim.experiment.PolicyNeeds;
import dev.stowage.sim.experiment.ProgressListener;
import dev.stowage.sim.experiment.RunFailedException;
import dev.stowage.sim.experiment.RunObserver;
import dev.stowage.sim.experiment.WarmUpRule;
import dev.stowage.sim.result.ResultRow;
import dev.stowage.sim.result.RunRow;
import dev.stowage.study.load.PolicyCautions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The policies that are tried if none are named: all of the registry, some also with other parameters. */
final class Candidates {
    /** Number of requests of the trial that shows whether a policy can handle them at all. */
    private static final long TRIAL_REQUESTS = 200;

    /** Those that reject unless told otherwise. */
    private static final List<Map<String, String>> BOTH = List.of(Map.of(), Map.of("when-full", "queue"));

    private static final List<Map<String, String>> BEST_FIT = List.of(
            Map.of(),
            Map.of("score", "leftover"),
            Map.of("score", "mix"),
            Map.of("score", "even"),
            Map.of("when-full", "queue"),
            Map.of("when-full", "queue", "score", "leftover"),
            Map.of("when-full", "queue", "score", "mix"),
            Map.of("when-full", "queue", "score", "even"));

    private static final Set<String> FOR_DEVICES =
            DevicePolicies.ENTRIES.stream().map(entry -> entry.info().key()).collect(Collectors.toSet());

    private final Experiment point;
    private final PolicyFactory policies;
    private final boolean far;
    private final Map<String, String> unsuited = new LinkedHashMap<>();

    /**
     * For the requests of an experiment.
     *
     * @param far whether policies take part of which {@link PolicyCautions} warns
     */
    Candidates(Experiment point, PolicyFactory policies, boolean far) {
        this.point = point;
        this.policies = policies;
        this.far = far;
    }

    /** The policies that can handle the requests of the experiment. */
    List<LabelledPolicy> suited() throws InterruptedException {
        List<LabelledPolicy> suited = new ArrayList<>();
        for (String name : policies.names()) {
            for (Map<String, String> parameters : variants(name)) {
                LabelledPolicy each =
                        new LabelledPolicy(LabelledPolicy.label(name, parameters), PolicySpec.of(name, parameters));
                Optional<String> obstacle = obstacle(each);
                obstacle.ifPresent(why -> unsuited.put(each.label(), why));
                if (obstacle.isEmpty()) {
                    suited.add(each);
                }
            }
        }
        return suited;
    }

    /** Why the other policies cannot. */
    Map<String, String> unsuited() {
        return unsuited;
    }

    private static boolean runsNone(List<ResultRow> rows) {
        return rows.stream()
                .filter(RunRow.class::isInstance)
                .map(RunRow.class::cast)
                .allMatch(row -> row.metrics().getOrDefault("placed", 0.0) == 0);
    }

    private static List<Map<String, String>> variants(String name) {
        return switch (name) {
            case "first-fit", "lifetime-classes" -> BOTH;
            case "best-fit" -> BEST_FIT;
            default -> List.of(Map.of());
        };
    }

    private Optional<String> obstacle(LabelledPolicy each) throws InterruptedException {
        boolean devices = point.cluster().resources().stream().anyMatch(Resource::comesInDevices);
        if (!devices && FOR_DEVICES.contains(each.spec().name())) {
            return Optional.of("chooses among devices, and the cluster has none");
        }
        try {
            Optional<PolicyNeeds.Unmet> missing = PolicyNeeds.obstacle(
                    each.spec(),
                    policies,
                    PolicyNeeds.of(point.cluster(), point.workload(), point.origins(), point.hazards()),
                    point.workload());
            if (missing.isPresent()) {
                return missing.map(PolicyNeeds.Unmet::toString);
            }
            List<String> cautions = far ? List.of() : PolicyCautions.of(point.with(List.of(each), 1));
            if (!cautions.isEmpty()) {
                return Optional.of(String.join("; ", cautions));
            }
            List<ResultRow> rows = new ArrayList<>();
            End end = point.end();
            Experiment trial = point.with(List.of(each), 1)
                    .with(WarmUpRule.NONE)
                    .until(new End(end.atNanos(), Math.min(end.requests(), TRIAL_REQUESTS), false));
            new ExperimentRunner(policies, "", 1, ProgressListener.NONE, (at, policy, r) -> RunObserver.NONE)
                    .run(List.of(trial), rows::add);
            return runsNone(rows)
                    ? Optional.of("runs none of the first requests: they are not what it is made for")
                    : Optional.empty();
        } catch (RunFailedException | IllegalArgumentException e) {
            return Optional.of(String.valueOf(
                    e.getCause() == null ? e.getMessage() : e.getCause().getMessage()));
        }
    }
}
