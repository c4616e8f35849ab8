package dev.stowage.sim.experiment;

import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.random.KeyedRandom;
import dev.stowage.core.random.Streams;
import dev.stowage.sim.result.ResultRow;
import dev.stowage.sim.unit.UnitException;
import dev.stowage.sim.unit.UnitKey;
import dev.stowage.sim.unit.UnitStore;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Carries experiments out on several threads. Runs share no state, and rows come out in the order of points, policies,
 * replications: the result does not depend on the number of threads.
 */
public final class ExperimentRunner {
    private final PolicyFactory policies;
    private final String version;
    private final int threads;
    private final ProgressListener progress;
    private final ObserverFactory observers;

    /** Makes the observer of a run, called in the run's thread. */
    @FunctionalInterface
    public interface ObserverFactory {
        /** The observer of one run. */
        RunObserver observe(Experiment point, LabelledPolicy policy, int replication);

        /**
         * Whether everything that the observer of one run would write exists; if not, a run is repeated even if its
         * unit is kept.
         */
        default boolean hasWritten(Experiment point, LabelledPolicy policy, int replication) {
            return true;
        }
    }

    /**
     * A runner.
     *
     * @param policies makes policies
     * @param version of Stowage, for the rows
     * @param threads runs at a time, at least 1
     * @param progress receives the progress
     * @param observers watch single runs
     */
    public ExperimentRunner(
            PolicyFactory policies, String version, int threads, ProgressListener progress, ObserverFactory observers) {
        this.policies = policies;
        this.version = version;
        this.threads = threads;
        this.progress = progress;
        this.observers = observers;
    }

    /**
     * Runs all points of an experiment. Rows are given to {@code rows} in the caller's thread as soon as all
     * replications of a policy at a point are done: its runs, its summary, then series and distributions of replication
     * 0; series of all replications if the experiment asks for them.
     *
     * @throws RunFailedException if a run failed; the rows given before stay valid
     * @throws InterruptedException if the caller's thread was interrupted
     */
    public void run(List<Experiment> points, Consumer<ResultRow> rows) throws InterruptedException {
        run(points, RowAddition.NONE, rows);
    }

    /**
     * The same, with additions to the rows.
     *
     * @throws RunFailedException if a run failed; the rows given before stay valid
     * @throws InterruptedException if the caller's thread was interrupted
     */
    public void run(List<Experiment> points, RowAddition addition, Consumer<ResultRow> rows)
            throws InterruptedException {
        run(points, null, unused -> {}, addition, rows);
    }

    /**
     * The same through units: those that the store holds are not run again, and new ones are put there.
     *
     * @param store of the units of these points; null if none are kept
     * @param notes receives damaged units, which are run again
     * @throws RunFailedException if a run failed; the rows given before stay valid
     * @throws UnitException if the store holds a unit of something else
     * @throws InterruptedException if the caller's thread was interrupted
     */
    public void run(
            List<Experiment> points,
            @Nullable UnitStore store,
            Consumer<String> notes,
            RowAddition addition,
            Consumer<ResultRow> rows)
            throws InterruptedException {
        try (ThreadUnits units = units(points, store, notes)) {
            new ExperimentRows(points, version, progress).make(units, addition, rows);
        }
    }

    /**
     * Runs the units that a store does not hold, puts them there, and makes no rows. If a run fails, the others are
     * still run.
     *
     * @param units of these points
     * @param notes receives damaged units, which are run again
     * @return how many were run
     * @throws RunFailedException if a run failed, when all others are over
     * @throws UnitException if the store holds a unit of something else
     * @throws InterruptedException if the caller's thread was interrupted
     */
    public int fill(List<Experiment> points, List<UnitKey> units, UnitStore store, Consumer<String> notes)
            throws InterruptedException {
        List<UnitKey> absent;
        RunFailedException failed = null;
        try (ThreadUnits running = units(points, store, notes)) {
            running.want(units);
            absent = units.stream().filter(running::isRunning).toList();
            for (UnitKey unit : absent) {
                try {
                    running.take(unit);
                } catch (RunFailedException e) {
                    failed = failed == null ? e : failed;
                }
            }
        }
        if (failed != null) {
            throw failed;
        }
        return absent.size();
    }

    private ThreadUnits units(List<Experiment> points, @Nullable UnitStore store, Consumer<String> notes) {
        return new ThreadUnits(points, policies, observers, new RunProgress(progress), threads, store, notes);
    }

    /** Seed of a replication: the experiment's own for replication 0. */
    public static long seed(long experimentSeed, int replication) {
        return replication == 0
                ? experimentSeed
                : new KeyedRandom()
                        .key(experimentSeed, Streams.REPLICATIONS, replication)
                        .nextLong();
    }
}
