package dev.stowage.sim.experiment;

import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.sim.driver.EffectsFan;
import dev.stowage.sim.driver.End;
import dev.stowage.sim.driver.RunEnd;
import dev.stowage.sim.driver.Setup;
import dev.stowage.sim.driver.Simulation;
import dev.stowage.sim.measure.Measurements;
import dev.stowage.sim.measure.RunCollector;
import dev.stowage.sim.statistics.TimeGrid;
import dev.stowage.sim.unit.FinishedRun;

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
                new RunCollector(grid(point), point.workload().types().size());
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
                point.speedOneShare(),
                point.hazards());
        RunObserver observer = observers.observe(point, policy, replication);
        boolean completed = false;
        try {
            RunEnd outcome = Simulation.run(
                    setup,
                    observer == RunObserver.NONE ? collector : new EffectsFan(collector, observer.effects()),
                    observer::tee,
                    progress.ofRun(knownEnd, end.requests()));
            Measurements measured = collector.finish(outcome.endNanos());
            completed = true;
            return new FinishedRun(replication, seed, measured, outcome);
        } finally {
            observer.finished(completed);
        }
    }

    /**
     * Ends at the horizon if there is one; else at the last arrival, which belongs to the run (in slotted time at the
     * next boundary).
     */
    private static TimeGrid grid(Experiment point) {
        End end = point.end();
        long last = point.workload().endNanos();
        boolean known = end.requests() == Long.MAX_VALUE && !end.drain();
        TimeGrid grid = TimeGrid.forUnknownHorizon(0);
        if (known && end.atNanos() != Long.MAX_VALUE) {
            grid = TimeGrid.forHorizon(0, end.atNanos());
        } else if (known && last != Long.MAX_VALUE) {
            grid = TimeGrid.forHorizon(0, last + point.slotNanos() + 1);
        }
        return grid.keptFrom(point.warmUp().nanos());
    }
}
