package dev.stowage.sim.experiment;

import dev.stowage.sim.remote.Machines;
import dev.stowage.sim.remote.MachinesException;
import dev.stowage.sim.remote.MachinesRefusedException;
import dev.stowage.sim.unit.FinishedRun;
import dev.stowage.sim.unit.UnitException;
import dev.stowage.sim.unit.UnitKey;
import dev.stowage.sim.unit.UnitSource;
import dev.stowage.sim.unit.UnitStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Units that run on other machines, except those that a store holds. Each is written to the store as it arrives, and
 * read from there when it is taken, so memory holds only the one that is being written.
 */
public final class RemoteUnits implements UnitSource {
    private final List<Experiment> points;
    private final Machines.Session machines;
    private final ExperimentRunner.ObserverFactory observers;
    private final RunProgress progress;
    private final UnitStore store;
    private final Consumer<String> notes;
    private final Machines.Listener listener = new AnswerListener();
    private final Set<UnitKey> awaited = new HashSet<>();
    private final Map<UnitKey, String> failed = new HashMap<>();
    private @Nullable RuntimeException broken;

    /**
     * Units of an experiment.
     *
     * @param observers tell for which runs their output is complete
     * @param progress receives the progress, run by run
     * @param notes receives damaged units, which are run again
     */
    public RemoteUnits(
            List<Experiment> points,
            Machines.Session machines,
            ExperimentRunner.ObserverFactory observers,
            ProgressListener progress,
            UnitStore store,
            Consumer<String> notes) {
        this.points = List.copyOf(points);
        this.machines = machines;
        this.observers = observers;
        this.progress = new RunProgress(progress);
        this.store = store;
        this.notes = notes;
    }

    @Override
    public void want(List<UnitKey> units) {
        List<UnitKey> absent = new ArrayList<>();
        for (UnitKey unit : units) {
            progress.started();
            Experiment point = points.get(unit.point());
            if (store.holds(unit, notes)
                    && observers.hasWritten(point, point.policies().get(unit.policy()), unit.replication())) {
                progress.finished(1);
            } else {
                absent.add(unit);
            }
        }
        if (absent.isEmpty()) {
            return;
        }
        synchronized (this) {
            awaited.addAll(absent);
        }
        machines.start(
                ExperimentUnits.longestFirst(points, absent).stream()
                        .map(RemoteRuns::task)
                        .toList(),
                listener);
    }

    @Override
    public FinishedRun take(UnitKey unit) throws InterruptedException {
        synchronized (this) {
            while (awaited.contains(unit) && broken == null) {
                wait();
            }
            if (awaited.contains(unit) && broken != null) {
                throw broken;
            }
            String why = failed.get(unit);
            if (why != null) {
                throw new RunFailedException(points.get(unit.point()), unit, new IllegalStateException(why));
            }
        }
        return store.read(unit);
    }

    private final class AnswerListener implements Machines.Listener {
        /** Any exception here is passed to the waiting threads, which would otherwise wait for ever. */
        @Override
        public void done(String task, byte[] bytes) {
            try {
                take(RemoteRuns.key(task), read(task, bytes));
            } catch (UnitException e) {
                fail(new MachinesRefusedException(String.valueOf(e.getMessage()), e));
            } catch (RuntimeException e) {
                fail(e);
            } catch (Throwable e) {
                fail(new MachinesException("task " + task + ": its answer could not be received: " + e, e));
            }
        }

        private RemoteAnswer read(String task, byte[] bytes) {
            try {
                return RemoteAnswer.read(bytes);
            } catch (IllegalArgumentException e) {
                throw new MachinesException("task " + task + ": its answer cannot be read: " + e.getMessage(), e);
            }
        }

        private void take(UnitKey unit, RemoteAnswer answer) {
            String where = "machine " + answer.place();
            byte[] measured = answer.unit();
            if (answer.isInput()) {
                throw new MachinesRefusedException(where + ": " + answer.failure(), null);
            }
            if (measured != null) {
                store.accept(unit, measured, where);
            }
            over(unit, measured == null ? answer.failure() + " (" + where + ")" : null, answer.requests());
        }

        @Override
        public void failed(MachinesException why) {
            fail(why);
        }
    }

    private void over(UnitKey unit, @Nullable String failure, long requests) {
        synchronized (this) {
            if (!awaited.remove(unit)) {
                return;
            }
            if (failure != null) {
                failed.put(unit, failure);
            }
            notifyAll();
        }
        progress.ofRun(Long.MAX_VALUE, Long.MAX_VALUE).at(0, requests);
        progress.finished(1);
    }

    private synchronized void fail(RuntimeException why) {
        broken = broken == null ? why : broken;
        notifyAll();
    }
}
