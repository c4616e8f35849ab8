package dev.stowage.sim.result;

/**
 * Distribution of a quantity over requests (wait) or servers (occupancy at the end).
 *
 * @param origin where the row comes from
 * @param replication number of the replication
 * @param name metric name, e.g. {@code wait_s}, {@code server_occupancy{resource=cpu_milli}}
 * @param unit unit of the values
 * @param count number of values
 * @param probability probabilities, increasing
 * @param quantile value at each probability
 */
public record DistributionRow(
        Origin origin, int replication, String name, String unit, long count, double[] probability, double[] quantile)
        implements ResultRow {}
