package com.example.embed;

import dev.stowage.core.engine.Effects;
import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.Policies;
import dev.stowage.sim.driver.End;
import dev.stowage.sim.driver.Progress;
import dev.stowage.sim.driver.RunEnd;
import dev.stowage.sim.driver.Setup;
import dev.stowage.sim.driver.Simulation;
import dev.stowage.sim.workload.ArrivalProcess;
import dev.stowage.sim.workload.Demand;
import dev.stowage.sim.workload.Distribution;
import dev.stowage.sim.workload.DrawnOrigins;
import dev.stowage.sim.workload.SyntheticType;
import dev.stowage.sim.workload.SyntheticWorkload;
import java.util.List;

/** Two policies on the same 10,000 requests: how many does each reject? */
final class Simulate {
    public static void main(String[] args) {
        // 20 servers of 16 cores; 0.4 requests a second of 2 cores and 0.1 of 10 cores, each for 2 minutes on average.
        Cluster cluster = Cluster.single(20, 16);
        Distribution service = Distribution.exponential(120);
        SyntheticType small = SyntheticType.inSeconds("small", 0.4, Demand.fixed(2), service);
        SyntheticType large = SyntheticType.inSeconds("large", 0.1, Demand.fixed(10), service);
        SyntheticWorkload workload =
                SyntheticWorkload.of(List.of("r0"), ArrivalProcess.poisson(), List.of(small, large)).limit(10_000);
        End end = new End(Long.MAX_VALUE, Long.MAX_VALUE, false);
        for (String policy : List.of("first-fit", "best-fit")) {
            Setup setup = new Setup(cluster, workload, DrawnOrigins.ANYWHERE, PolicySpec.of(policy), new Policies(),
                    Steps.COMMANDS, 0, 42, end, List.of(), 1);
            RunEnd run = Simulation.run(setup, Effects.NONE, engine -> engine, Progress.NONE);
            System.out.printf("%s: %d of %d rejected, digest %016x%n", policy, run.rejected(), run.arrived(), run.digest());
        }
    }
}
