package dev.stowage.sim.workload;

import dev.stowage.core.model.Efficiency;
import dev.stowage.core.random.KeyedRandom;
import dev.stowage.core.random.Streams;
import java.util.List;

/**
 * Jobs of independent tasks, as Shi, Zhang, Robertazzi (TPDS 2017, section 6.2) draw them: jobs arrive as a Poisson
 * process, the number of tasks is Weibull, rounded up and capped, and the load of a task is uniform. Each task is a
 * request, those of a job arrive at one instant. It declares its load as demand of {@code load_ms}; its work is its
 * load at speed one, and a server works at its efficiency.
 *
 * @param ratePerSecond jobs per second
 * @param untilNanos no job arrives from then on
 * @param taskScale scale of the Weibull distribution of tasks
 * @param taskShape its shape
 * @param mostTasks most tasks of a job
 * @param mostLoadSeconds loads are uniform in (0, this]
 * @param efficiency of tasks on servers
 */
public record ParallelJobsWorkload(
        double ratePerSecond,
        long untilNanos,
        double taskScale,
        double taskShape,
        int mostTasks,
        double mostLoadSeconds,
        Efficiency efficiency)
        implements Workload {
    private static final double MILLIS = 1e3;
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final double NANOS = 1e9;

    /** Checks the ranges. */
    public ParallelJobsWorkload {
        Parameters.positive("rate of jobs", ratePerSecond);
        Parameters.positive("most load of a task", mostLoadSeconds);
        Parameters.check(untilNanos >= 1, "end of arrivals", untilNanos, "at least 1 ns");
        Parameters.check(mostTasks >= 1, "most tasks of a job", mostTasks, "at least 1");
        Distribution.weibull(taskShape, taskScale);
    }

    @Override
    public List<String> resources() {
        return List.of("load_ms");
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
            return loadMillis;
        }

        @Override
        public long workNanos() {
            return loadMillis * NANOS_PER_MILLI;
        }
    }
}
