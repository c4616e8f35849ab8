package dev.stowage.sim.result;

/**
 * A quantity over time, downsampled: for each interval its time average and extremes.
 *
 * @param origin where the row comes from
 * @param replication number of the replication
 * @param name metric name, e.g. {@code queue_length}, {@code utilization{site=dc1,resource=cpu_milli}},
 *     {@code occupied_servers}
 * @param unit unit of the values, e.g. {@code requests}, {@code fraction}, {@code servers}
 * @param timeSeconds start of each interval, simulated seconds
 * @param mean time average over the interval
 * @param min smallest value in the interval
 * @param max largest value in the interval
 */
public record SeriesRow(
        Origin origin,
        int replication,
        String name,
        String unit,
        double[] timeSeconds,
        double[] mean,
        double[] min,
        double[] max)
        implements ResultRow {}
