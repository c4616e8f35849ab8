package dev.stowage.sim.experiment;

import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.sim.unit.FinishedRun;
import dev.stowage.sim.unit.UnitKey;
import dev.stowage.sim.unit.UnitSource;
import dev.stowage.sim.unit.UnitStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Units that run on several threads, except those that a store holds. Finished runs are put into the store, and handed
 * out from memory; those that the store held are read only when they are taken, to save memory.
 */
final class ThreadUnits implements UnitSource, AutoCloseable {
    private final List<Experiment> points;
    private final PolicyFactory policies;
    private final ExperimentRunner.ObserverFactory observers;
    private final RunProgress progress;
    private final @Nullable UnitStore store;
    private final Consumer<String> notes;
    private final ExecutorService pool;
    private final Map<UnitKey, Future<FinishedRun>> running = new HashMap<>();

    /**
     * Starts threads, which wait for units.
     *
     * @param store null if nothing is to be kept
     * @param notes receives damaged units
     */
    ThreadUnits(
            List<Experiment> points,
            PolicyFactory policies,
            ExperimentRunner.ObserverFactory observers,
            RunProgress progress,
            int threads,
            @Nullable UnitStore store,
            Consumer<String> notes) {
        this.points = points;
        this.policies = policies;
        this.observers = observers;
        this.progress = progress;
        this.store = store;
        this.notes = notes;
        pool = Executors.newFixedThreadPool(threads, task -> {
            Thread thread = new Thread(task, "stowage-run");
            thread.setDaemon(true);
            return thread;
        });
    }

    @Override
    public void want(List<UnitKey> units) {
        for (UnitKey unit : units) {
            progress.started();
            if (isKept(unit)) {
                progress.finished(1);
            } else {
                running.put(unit, pool.submit(() -> run(unit)));
            }
        }
    }

    private boolean isKept(UnitKey unit) {
        Experiment point = points.get(unit.point());
        return store != null
                && store.holds(unit, notes)
                && observers.hasWritten(point, point.policies().get(unit.policy()), unit.replication());
    }

    /** Whether a wanted unit runs here and has not been taken yet. */
    boolean isRunning(UnitKey unit) {
        return running.containsKey(unit);
    }

    private FinishedRun run(UnitKey unit) {
        Experiment point = points.get(unit.point());
        FinishedRun run = SingleRun.run(
                point, point.policies().get(unit.policy()), unit.replication(), policies, observers, progress);
        if (store != null) {
            store.write(unit, store.encode(unit, run));
        }
        return run;
    }

    @Override
    public FinishedRun take(UnitKey unit) throws InterruptedException {
        Future<FinishedRun> run = running.remove(unit);
        if (run == null) {
            return Objects.requireNonNull(store, "the unit was not run, and there is no store to read it from")
                    .read(unit);
        }
        try {
            return run.get();
        } catch (ExecutionException e) {
            throw new RunFailedException(points.get(unit.point()), unit, e.getCause());
        }
    }

    @Override
    public void close() {
        pool.shutdownNow();
    }
}
