package dev.stowage.cli.watch;

import dev.stowage.cli.experiment.Runs;
import dev.stowage.core.engine.Commands;
import dev.stowage.core.engine.Effects;
import dev.stowage.core.engine.Engine;
import dev.stowage.sim.driver.CommandRecorder;
import dev.stowage.sim.driver.RecordedSetup;
import dev.stowage.sim.driver.Simulation;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.ExperimentRunner;
import dev.stowage.sim.experiment.LabelledPolicy;
import dev.stowage.sim.experiment.RunObserver;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes what {@code --decisions} and {@code --record} need: one observer for each run. */
public final class RunObservers implements ExperimentRunner.ObserverFactory {
    private final @Nullable RunFile decisions;
    private final @Nullable RunFile recordings;

    private RunObservers(@Nullable RunFile decisions, @Nullable RunFile recordings) {
        this.decisions = decisions;
        this.recordings = recordings;
    }

    /**
     * Files as requested, null for none; checks that they can be written.
     *
     * @param decisions for the decisions of a run
     * @param record for its commands
     * @param runs number of runs: with several, each has files of its own
     */
    public static RunObservers of(@Nullable Path decisions, @Nullable Path record, Runs runs) {
        return new RunObservers(
                decisions == null ? null : RunFile.of(decisions, List.of(".csv.gz", ".csv"), runs),
                record == null ? null : RunFile.of(record, List.of(".log.gz", ".log"), runs));
    }

    @Override
    public RunObserver observe(Experiment point, LabelledPolicy policy, int replication) {
        if (decisions == null && recordings == null) {
            return RunObserver.NONE;
        }
        DecisionLog log = decisions == null
                ? null
                : DecisionLog.create(
                        decisions.of(point, policy, replication),
                        point.workload().types(),
                        point.cluster());
        return new OptionObserver(log, point, policy, replication);
    }

    @Override
    public boolean hasWritten(Experiment point, LabelledPolicy policy, int replication) {
        return (decisions == null || Files.exists(decisions.of(point, policy, replication)))
                && (recordings == null || Files.exists(recordings.of(point, policy, replication)));
    }

    private final class OptionObserver implements RunObserver {
        private final @Nullable DecisionLog log;
        private final Experiment point;
        private final LabelledPolicy policy;
        private final int replication;
        private @Nullable CommandRecorder recorder;

        OptionObserver(@Nullable DecisionLog log, Experiment point, LabelledPolicy policy, int replication) {
            this.log = log;
            this.point = point;
            this.policy = policy;
            this.replication = replication;
        }

        @Override
        public Effects effects() {
            return log == null ? Effects.NONE : log;
        }

        @Override
        public Commands tee(Engine engine) {
            if (recordings == null) {
                return engine;
            }
            RecordedSetup setup = new RecordedSetup(
                    Simulation.withTypes(point.cluster(), point.workload()),
                    policy.spec(),
                    point.steps(),
                    point.slotNanos(),
                    point.speedOneShare(),
                    ExperimentRunner.seed(point.seed(), replication));
            recorder = new CommandRecorder(
                    recordings.of(point, policy, replication),
                    setup,
                    engine,
                    point.workload().open(setup.seed()));
            return recorder;
        }

        @Override
        public void finished(boolean completed) {
            if (log != null) {
                log.close();
            }
            if (recorder != null) {
                if (completed) {
                    recorder.end();
                }
                recorder.close();
            }
        }
    }
}
