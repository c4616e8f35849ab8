package dev.stowage.sim.experiment;

import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.sim.unit.FinishedRun;
import dev.stowage.sim.unit.UnitCodec;
import dev.stowage.sim.unit.UnitHeader;
import dev.stowage.sim.unit.UnitKey;
import dev.stowage.sim.unit.UnitStamp;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs units of an experiment for a process elsewhere, whose {@link RemoteUnits} asks for them. The experiment is read
 * once, when the first is asked for. Thread-safe; an interrupt ends a run.
 */
public final class RemoteRuns {
    private final String place;
    private final Supplier<ReadExperiment> reader;
    private final String version;
    private final String base;
    private final PolicyFactory policies;
    private final ExperimentRunner.ObserverFactory observers;
    private @Nullable List<Experiment> points;
    private List<UnitStamp> stamps = List.of();

    /**
     * Runs on this machine.
     *
     * @param place its name, for messages
     * @param reader reads the experiment
     * @param version of Stowage
     * @param base directory against which the requesting process resolves the files of the experiment
     * @param policies makes policies
     * @param observers watch single runs
     */
    public RemoteRuns(
            String place,
            Supplier<ReadExperiment> reader,
            String version,
            String base,
            PolicyFactory policies,
            ExperimentRunner.ObserverFactory observers) {
        this.place = place;
        this.reader = reader;
        this.version = version;
        this.base = base;
        this.policies = policies;
        this.observers = observers;
    }

    /**
     * Runs a unit, or only reads what units need.
     *
     * @return the unit, or why there is none, for {@link RemoteUnits}; or what was read, for {@link RemoteLook}
     * @throws CancellationException if the thread was interrupted
     */
    public byte[] run(String task) {
        return task.equals(RemoteLook.TASK) ? look() : run(key(task));
    }

    private byte[] look() {
        try {
            synchronized (this) {
                points();
                return RemoteAnswer.unit(place, RemoteLook.bytes(stamps), 0).bytes();
            }
        } catch (RuntimeException e) {
            return RemoteAnswer.failure(place, e, true).bytes();
        }
    }

    private byte[] run(UnitKey key) {
        List<Experiment> known;
        UnitStamp stamp;
        try {
            synchronized (this) {
                known = points();
                stamp = stamps.get(key.point());
            }
        } catch (RuntimeException e) {
            return RemoteAnswer.failure(place, e, true).bytes();
        }
        Experiment point = known.get(key.point());
        try {
            FinishedRun run = SingleRun.run(
                    point,
                    point.policies().get(key.policy()),
                    key.replication(),
                    policies,
                    observers,
                    new RunProgress(ProgressListener.NONE));
            byte[] unit = UnitCodec.encode(new UnitHeader(stamp, key, new UnitHeader.Dealing(0, base)), run);
            return RemoteAnswer.unit(place, unit, run.outcome().arrived()).bytes();
        } catch (CancellationException e) {
            throw e;
        } catch (RuntimeException e) {
            return RemoteAnswer.failure(place, e, false).bytes();
        }
    }

    private List<Experiment> points() {
        List<Experiment> read = points;
        if (read == null) {
            read = reader.get().points();
            stamps = ExperimentUnits.stamps(read, version);
            points = read;
        }
        return read;
    }

    /** A unit as the text of a task for other machines. */
    static String task(UnitKey unit) {
        return unit.point() + " " + unit.policy() + " " + unit.replication();
    }

    static UnitKey key(String task) {
        String[] parts = task.split(" ", -1);
        return new UnitKey(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]), Integer.parseInt(parts[2]));
    }
}
