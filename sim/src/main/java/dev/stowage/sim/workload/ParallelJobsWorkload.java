package dev.stowage.sim.workload;

import dev.stowage.core.model.Efficiency;
import dev.stowage.core.policy.Declared;
import dev.stowage.core.random.KeyedRandom;
import dev.stowage.core.random.Streams;
import java.util.ArrayList;
import java.util.List;

/**
 * Jobs of independent tasks, as Shi, Zhang, Robertazzi (TPDS 2017, section 6.2) draw them: jobs arrive as a Poisson
 * process, the number of tasks is Weibull, rounded up and capped, and the load of a task is uniform. Each task is a
 * request, those of a job arrive at one instant. It declares ({@link Declared}) its load, its job, power and part of
 * the budget where there are any, and is of kind 1; its work is its load at speed one, and a server works at its
 * efficiency.
 *
 * @param ratePerSecond jobs per second
 * @param untilNanos no job arrives from then on
 * @param taskScale scale of the Weibull distribution of tasks
 * @param taskShape its shape
 * @param mostTasks most tasks of a job
 * @param mostLoadSeconds loads are uniform in (0, this]
 * @param efficiency of tasks on servers
 * @param powerMilliwatts per unit of the divisible resource; 0 if none is declared
 * @param budgetFactor energy budget of a job relative to its energy at efficiency 1; 0 if it has none of its own
 */
public record ParallelJobsWorkload(
        double ratePerSecond,
        long untilNanos,
        double taskScale,
        double taskShape,
        int mostTasks,
        double mostLoadSeconds,
        Efficiency efficiency,
        long powerMilliwatts,
        double budgetFactor)
        implements Workload {
    private static final double MILLIS = 1e3;
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final double NANOS = 1e9;

    /** Checks the ranges. */
    public ParallelJobsWorkload {
        Parameters.positive("rate of jobs", ratePerSecond);
        Parameters.positive("greatest load of a task", mostLoadSeconds);
        Parameters.check(untilNanos >= 1, "end of arrivals", untilNanos, "at least 1 ns");
        Parameters.check(mostTasks >= 1, "greatest number of tasks of a job", mostTasks, "at least 1");
        Parameters.check(powerMilliwatts >= 0, "power", powerMilliwatts, "at least 0 mW");
        Parameters.check(budgetFactor == 0 || budgetFactor >= 1, "budget", budgetFactor, "at least 1, or 0 for none");
        Distribution.weibull(taskShape, taskScale);
    }

    /** Without power and budgets. */
    public ParallelJobsWorkload(
            double ratePerSecond,
            long untilNanos,
            double taskScale,
            double taskShape,
            int mostTasks,
            double mostLoadSeconds,
            Efficiency efficiency) {
        this(ratePerSecond, untilNanos, taskScale, taskShape, mostTasks, mostLoadSeconds, efficiency, 0, 0);
    }

    @Override
    public List<String> resources() {
        List<String> declared = new ArrayList<>(List.of(Declared.LOAD, Declared.JOB));
        if (efficiency.isTable()) {
            declared.add(Declared.KIND);
        }
        if (powerMilliwatts > 0) {
            declared.add(Declared.POWER);
        }
        if (budgetFactor > 0) {
            declared.add(Declared.BUDGET);
        }
        return declared;
    }

    @Override
    public List<String> types() {
        return List.of("task");
    }

    @Override
    public RequestStream open(long seed) {
        return new Stream(this, seed);
    }

    /** Cursor over the tasks. */
    private static final class Stream implements RequestStream {
        private static final long JOB_SIZES = Streams.of("job-sizes");

        private final ParallelJobsWorkload workload;
        private final List<String> declared;
        private final Distribution size;
        private final long seed;
        private final KeyedRandom random = new KeyedRandom();
        private double clock;
        private long jobs;
        private long requests;
        private int left;
        private long loadMillis;

        Stream(ParallelJobsWorkload workload, long seed) {
            this.workload = workload;
            this.declared = workload.resources();
            this.size = Distribution.weibull(workload.taskShape, workload.taskScale);
            this.seed = seed;
        }

        @Override
        public boolean next() {
            if (left == 0) {
                clock += NANOS * random.key(seed, Streams.ARRIVALS, jobs).nextExponential() / workload.ratePerSecond;
                if (clock >= workload.untilNanos) {
                    return false;
                }
                double drawn = Math.ceil(size.sample(random.key(seed, JOB_SIZES, jobs++)));
                left = (int) Math.max(1, Math.min(workload.mostTasks, drawn));
            }
            left--;
            double load = workload.mostLoadSeconds
                    * random.key(seed, Streams.WORK, requests++).nextDouble();
            loadMillis = (long) Math.ceil(MILLIS * load);
            return true;
        }

        @Override
        public long arrivalNanos() {
            return (long) clock;
        }

        @Override
        public int type() {
            return 0;
        }

        @Override
        public long demand(int resource) {
            return switch (declared.get(resource)) {
                case Declared.LOAD -> loadMillis;
                case Declared.JOB -> jobs;
                case Declared.KIND -> 1;
                case Declared.POWER -> workload.powerMilliwatts;
                default -> budget();
            };
        }

        /** The task's part, whole joules, rounded up. */
        private long budget() {
            double watts = workload.powerMilliwatts == 0 ? 1 : workload.powerMilliwatts / MILLIS;
            return (long) Math.ceil(workload.budgetFactor * watts * loadMillis / MILLIS);
        }

        @Override
        public long workNanos() {
            return loadMillis * NANOS_PER_MILLI;
        }
    }
}
