package dev.stowage.sim.result;

import java.util.Map;

/**
 * All replications of one policy at one sweep point together.
 *
 * @param origin where the row comes from
 * @param replications number of replications
 * @param warmUp how the warm-up was chosen: {@code none}, {@code given}, {@code automatic}, or {@code
 *     automatic-not-reached} if half of the run was cut and the number in the system still rises or falls: the run is
 *     too short or the queue grows
 * @param stability whether the queue grows
 * @param metrics mean and confidence half-width of every metric
 */
public record SummaryRow(
        Origin origin, int replications, String warmUp, Stability stability, Map<String, Estimate> metrics)
        implements ResultRow {}
