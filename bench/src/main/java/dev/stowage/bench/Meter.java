package dev.stowage.bench;

import java.util.concurrent.locks.LockSupport;

/**
 * Measures one run: counts, capacity in use, time and heap. The same for every contender, so that bookkeeping costs all
 * of them alike.
 */
public final class Meter {
    /**
     * Memory of the previous contender may be held for some tenths of a second longer, by threads that are ending.
     */
    private static final int SETTLE_ROUNDS = 3;

    private static final long SETTLE_NANOS = 250_000_000;

    private final long budgetNanos;
    private final double allCpuMilli;
    private final double allMemMib;
    private long startNanos;
    private long startProcessorNanos;
    private long startHeapBytes;
    private int arrived;
    private int placed;
    private int departed;
    private int peakLive;
    private long usedCpuMilli;
    private long usedMemMib;
    private double cpuUse;
    private double memUse;
    private double heapBytesPerLive;

    public Meter(int servers, long budgetNanos) {
        this.budgetNanos = budgetNanos;
        allCpuMilli = (double) servers * BenchWorkload.SERVER_CPU_MILLI;
        allMemMib = (double) servers * BenchWorkload.SERVER_MEM_MIB;
    }

    /** Call when the servers are empty, before the first arrival. */
    public void start() {
        for (int i = 0; i < SETTLE_ROUNDS; i++) {
            System.gc();
            LockSupport.parkNanos(SETTLE_NANOS);
        }
        startHeapBytes = liveHeapBytes();
        startProcessorNanos = ProcessTime.nanos();
        startNanos = System.nanoTime();
    }

    public boolean expired() {
        return System.nanoTime() - startNanos >= budgetNanos;
    }

    public void placed(int cpuMilli, int memMib) {
        arrived++;
        placed++;
        usedCpuMilli += cpuMilli;
        usedMemMib += memMib;
        peakLive = Math.max(peakLive, placed - departed);
    }

    public void rejected() {
        arrived++;
    }

    public void departed(int cpuMilli, int memMib) {
        departed++;
        usedCpuMilli -= cpuMilli;
        usedMemMib -= memMib;
    }

    /** Call just after the last arrival that will be handled; measures the heap while the clocks are stopped. */
    public void lastArrival() {
        cpuUse = usedCpuMilli / allCpuMilli;
        memUse = usedMemMib / allMemMib;
        long beforeNanos = System.nanoTime();
        long beforeProcessorNanos = ProcessTime.nanos();
        heapBytesPerLive = (liveHeapBytes() - startHeapBytes) / Math.max(1.0, placed - departed);
        startProcessorNanos += ProcessTime.nanos() - beforeProcessorNanos;
        startNanos += System.nanoTime() - beforeNanos;
    }

    public Result stop() {
        long elapsedNanos = System.nanoTime() - startNanos;
        long usedProcessorNanos = ProcessTime.nanos() - startProcessorNanos;
        return new Result(
                arrived,
                placed,
                departed,
                peakLive,
                cpuUse,
                memUse,
                elapsedNanos,
                usedProcessorNanos,
                heapBytesPerLive);
    }

    private static long liveHeapBytes() {
        Runtime runtime = Runtime.getRuntime();
        System.gc();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
