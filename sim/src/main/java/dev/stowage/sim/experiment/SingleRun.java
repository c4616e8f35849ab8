package dev.stowage.sim.experiment;

import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.sim.driver.EffectsFan;
import dev.stowage.sim.driver.End;
import dev.stowage.sim.driver.Outcome;
import dev.stowage.sim.driver.Setup;
import dev.stowage.sim.driver.Simulation;
import dev.stowage.sim.measure.RunCollector;
import dev.stowage.sim.statistics.TimeGrid;

/** One replication of one policy. */
final class SingleRun {
    private SingleRun() {}

    static FinishedRun run(
            Experiment point,
            LabelledPolicy policy,
            int replication,
            PolicyFactory policies,
            ExperimentRunner.ObserverFactory observers,
            RunProgress progress) {
        long seed = ExperimentRunner.seed(point.seed(), replication);
        End end = point.end();
        long knownEnd = Math.min(end.atNanos(), point.workload().endNanos());
        RunCollector collector =
                new RunCollector(grid(end, knownEnd), point.workload().types().size());
        Setup setup = new Setup(
                point.cluster(),
                point.workload(),
                point.origins(),
                policy.spec(),
                policies,
                point.steps(),
                point.slotNanos(),
                seed,
                end,
                point.changes(),
                point.speedOneShare());
        RunObserver observer = observers.observe(point, policy, replication);
        boolean completed = false;
        try {
            Outcome outcome = Simulation.run(
                    setup,
                    observer == RunObserver.NONE ? collector : new EffectsFan(collector, observer.effects()),
                    observer::tee,
                    progress.ofRun(knownEnd, end.requests()));
            collector.finish(outcome.endNanos());
            completed = true;
            return new FinishedRun(replication, seed, collector, outcome);
        } finally {
            observer.finished(completed);
        }
    }

    private static TimeGrid grid(End end, long knownEnd) {
        boolean known = knownEnd != Long.MAX_VALUE && end.requests() == Long.MAX_VALUE && !end.drain();
        return known ? TimeGrid.forHorizon(0, Math.max(1, knownEnd)) : TimeGrid.forUnknownHorizon(0);
    }
}
