package dev.stowage.study.load;

import dev.stowage.policies.Policies;
import dev.stowage.policies.catalog.PolicyInfo;
import dev.stowage.policies.parallel.online.OnlinePolicies;
import dev.stowage.policies.randomized.RandomizedPolicies;
import dev.stowage.sim.driver.Hazards;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.workload.Workload;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Whether anything in an experiment is drawn at random, so that its seed matters. */
public final class Chance {
    private static final Set<String> DRAW = Stream.of(RandomizedPolicies.ENTRIES, OnlinePolicies.ENTRIES)
            .flatMap(entries -> entries.stream().map(entry -> entry.info().key()))
            .collect(Collectors.toSet());

    private static final Set<String> OURS =
            Policies.all().stream().map(PolicyInfo::key).collect(Collectors.toSet());

    private Chance() {}

    /** False only where it is certain that nothing is drawn; of a policy of a plug-in it is not known. */
    public static boolean in(Experiment point) {
        Workload workload = point.workload();
        return !workload.isGiven()
                || point.drawsOrigins()
                || !point.hazards().equals(Hazards.NONE)
                || IntStream.range(0, workload.types().size())
                        .anyMatch(type -> workload.typeTraits(type).maxWait() != null)
                || point.policies().stream()
                        .map(policy -> policy.spec().name())
                        .anyMatch(name -> DRAW.contains(name) || !OURS.contains(name));
    }
}
