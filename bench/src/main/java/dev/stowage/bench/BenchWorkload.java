package dev.stowage.bench;

import dev.stowage.core.random.KeyedRandom;
import dev.stowage.core.random.Streams;
import java.util.Arrays;

/**
 * The workload that every contender is given: Poisson arrivals, exponential service, two resources, on equal servers of
 * {@value #SERVER_CPU_MILLI} milli-cores and {@value #SERVER_MEM_MIB} MiB.
 *
 * <p>A request has 1, 2, 4, 8 or 16 cores with probability 40, 30, 15, 10 and 5 % (mean 3.2) and, independently, 1.75,
 * 3.5 or 7 GiB per core with probability 50, 40 and 10 % (mean 2.975), so 9.52 GiB in the mean. Memory is the scarcer
 * resource; the arrival rate makes the mean demand for it {@link #LOAD} of the servers' capacity. Every draw is keyed
 * by the request, so the first n requests of a longer workload for as many servers are the workload of length n.
 *
 * @param arrivalNanos arrival times in nanoseconds, not decreasing
 * @param cpuMilli demand in milli-cores, a multiple of 1000
 * @param memMib demand in MiB
 * @param workNanos service times in nanoseconds, at least 1
 */
public record BenchWorkload(long[] arrivalNanos, int[] cpuMilli, int[] memMib, long[] workNanos) {
    public static final int SERVER_CPU_MILLI = 48_000;
    public static final int SERVER_MEM_MIB = 128 * 1024;

    /** Mean demand over capacity, in the scarcer resource. */
    public static final double LOAD = 0.7;

    /** Mean service time: one hour. */
    public static final double MEAN_WORK_NANOS = 3600e9;

    private static final int[] CORES = {1, 2, 4, 8, 16};
    private static final int[] CORES_PERCENT = {40, 30, 15, 10, 5};
    private static final int[] MIB_PER_CORE = {1792, 3584, 7168};
    private static final int[] MIB_PER_CORE_PERCENT = {50, 40, 10};

    /** The first {@code requests} requests for that many servers. */
    public static BenchWorkload generate(int servers, int requests, long seed) {
        double interarrivalNanos = MEAN_WORK_NANOS / meanLive(servers);
        long[] arrivalNanos = new long[requests];
        int[] cpuMilli = new int[requests];
        int[] memMib = new int[requests];
        long[] workNanos = new long[requests];
        KeyedRandom random = new KeyedRandom();
        double now = 0;
        for (int i = 0; i < requests; i++) {
            now += random.key(seed, Streams.ARRIVALS, i).nextExponential() * interarrivalNanos;
            arrivalNanos[i] = (long) now;
            random.key(seed, Streams.DEMANDS, i);
            int cores = CORES[pick(CORES_PERCENT, random)];
            cpuMilli[i] = cores * 1000;
            memMib[i] = cores * MIB_PER_CORE[pick(MIB_PER_CORE_PERCENT, random)];
            double work = random.key(seed, Streams.WORK, i).nextExponential() * MEAN_WORK_NANOS;
            workNanos[i] = Math.max(1, (long) work);
        }
        return new BenchWorkload(arrivalNanos, cpuMilli, memMib, workNanos);
    }

    /** Mean number of requests in service in the steady state, if none is rejected (Little's law at {@link #LOAD}). */
    public static double meanLive(int servers) {
        double meanCores = mean(CORES, CORES_PERCENT);
        double byCpu = SERVER_CPU_MILLI / (1000 * meanCores);
        double byMemory = SERVER_MEM_MIB / (meanCores * mean(MIB_PER_CORE, MIB_PER_CORE_PERCENT));
        return LOAD * servers * Math.min(byCpu, byMemory);
    }

    /** The amounts of milli-cores that requests ask for, ascending. */
    public static int[] cpuLevelsMilli() {
        return Arrays.stream(CORES).map(cores -> cores * 1000).toArray();
    }

    public int requests() {
        return arrivalNanos.length;
    }

    private static int pick(int[] percent, KeyedRandom random) {
        int rest = random.nextInt(100);
        int i = 0;
        while (rest >= percent[i]) {
            rest -= percent[i++];
        }
        return i;
    }

    private static double mean(int[] values, int[] percent) {
        double sum = 0;
        for (int i = 0; i < values.length; i++) {
            sum += values[i] * percent[i];
        }
        return sum / 100;
    }
}
