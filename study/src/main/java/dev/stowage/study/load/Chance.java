package dev.stowage.study.load;

import dev.stowage.policies.Policies;
import dev.stowage.sim.driver.Hazards;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.workload.Workload;
import java.util.stream.IntStream;

/** Whether anything in an experiment is drawn at random, so that its seed matters. */
public final class Chance {
    private Chance() {}

    /** False only where it is certain that nothing is drawn; of a policy of a plug-in it is not known. */
    public static boolean in(Experiment point) {
        Workload workload = point.workload();
        return !workload.isGiven()
                || point.drawsOrigins()
                || !point.hazards().equals(Hazards.NONE)
                || IntStream.range(0, workload.types().size())
                        .anyMatch(type -> workload.typeTraits(type).maxWait() != null)
                || !point.policies().stream()
                        .map(policy -> policy.spec().name())
                        .allMatch(Policies::drawsNothing);
    }
}
