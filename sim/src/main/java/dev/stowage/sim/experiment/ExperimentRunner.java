package dev.stowage.sim.experiment;

import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.random.KeyedRandom;
import dev.stowage.core.random.Streams;
import dev.stowage.sim.result.ResultRow;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/**
 * Carries experiments out on several threads. Every run is a world of its own, and rows come out in the order of
 * points, policies, replications: the result does not depend on the number of threads.
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
    }

    /**
     * A runner.
     *
     * @param policies makes policies
     * @param version of Stowage, for the rows
     * @param threads runs at a time, at least 1
     * @param progress hears how far it is
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
        RunProgress runProgress = new RunProgress(progress);
        ExecutorService pool = Executors.newFixedThreadPool(threads, task -> {
            Thread thread = new Thread(task, "stowage-run");
            thread.setDaemon(true);
            return thread;
        });
        try {
            List<List<Group>> groups = new ArrayList<>();
            for (Experiment point : points) {
                List<Group> ofPoint = new ArrayList<>();
                for (LabelledPolicy policy : point.policies()) {
                    Group group = new Group(point, policy, new ArrayList<>());
                    submit(pool, group, point.replications(), runProgress);
                    ofPoint.add(group);
                }
                groups.add(ofPoint);
            }
            for (List<Group> ofPoint : groups) {
                toPrecision(pool, ofPoint, runProgress);
                for (Group group : ofPoint) {
                    List<ResultRow> measured = new ArrayList<>();
                    group.rows(version).emit(measured::add);
                    addition.with(group.point, measured).forEach(rows);
                    group.futures.clear();
                }
            }
        } finally {
            pool.shutdownNow();
        }
    }

    /** Adds replications to all policies of a point until the precision is reached that it wants. */
    private void toPrecision(ExecutorService pool, List<Group> ofPoint, RunProgress runProgress)
            throws InterruptedException {
        Experiment point = ofPoint.get(0).point;
        Precision precision = point.precision();
        if (precision == null) {
            return;
        }
        PrecisionRule rule = new PrecisionRule(point, precision);
        int replications = 0;
        int wanted = point.replications();
        while (wanted > replications) {
            replications = wanted;
            List<GroupRows> known = new ArrayList<>();
            for (Group group : ofPoint) {
                submit(pool, group, replications, runProgress);
                known.add(group.rows(version));
            }
            PrecisionRule.Look look = rule.look(known);
            progress.looked(look.text());
            wanted = look.replications();
        }
    }

    /** Seed of a replication: the experiment's own for replication 0. */
    public static long seed(long experimentSeed, int replication) {
        return replication == 0
                ? experimentSeed
                : new KeyedRandom()
                        .key(experimentSeed, Streams.REPLICATIONS, replication)
                        .nextLong();
    }

    /** Starts the replications of a group up to a number. */
    private void submit(ExecutorService pool, Group group, int replications, RunProgress runProgress) {
        for (int replication = group.futures.size(); replication < replications; replication++) {
            int number = replication;
            group.futures.add(pool.submit(
                    () -> SingleRun.run(group.point, group.policy, number, policies, observers, runProgress)));
            runProgress.started();
        }
    }

    private record Group(Experiment point, LabelledPolicy policy, List<Future<FinishedRun>> futures) {
        /** Of all its replications, when they are over. */
        GroupRows rows(String version) throws InterruptedException {
            return new GroupRows(point, policy, version, await());
        }

        private List<FinishedRun> await() throws InterruptedException {
            List<FinishedRun> runs = new ArrayList<>();
            for (int replication = 0; replication < futures.size(); replication++) {
                try {
                    runs.add(futures.get(replication).get());
                } catch (ExecutionException e) {
                    throw new RunFailedException(
                            policy.label(), replication, seed(point.seed(), replication), point.point(), e.getCause());
                }
            }
            return runs;
        }
    }
}
