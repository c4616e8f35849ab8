package dev.stowage.bench;

/**
 * The result of one contender for one workload.
 *
 * @param arrived requests handled before the end or the end of the budget
 * @param placed of these, placed on a server
 * @param departed of these, gone again
 * @param peakLive most requests in service at a time
 * @param cpuUse share of all cores in use just after the last arrival, 0..1
 * @param memUse share of all memory in use just after the last arrival, 0..1
 * @param elapsedNanos wall time from the first arrival to the last departure (or the end of the budget)
 * @param processorNanos processor time of all threads of the process in that time: hardly depends on other processes of
 *     the machine
 * @param heapBytesPerLive growth of the live heap from the empty servers to just after the last arrival, per request in
 *     service then
 */
public record Result(
        int arrived,
        int placed,
        int departed,
        int peakLive,
        double cpuUse,
        double memUse,
        long elapsedNanos,
        long processorNanos,
        double heapBytesPerLive) {
    public int rejected() {
        return arrived - placed;
    }

    public double placedPerSecond() {
        return placed * 1e9 / elapsedNanos;
    }

    public double processorMicrosPerPlacement() {
        return processorNanos / 1e3 / placed;
    }
}
