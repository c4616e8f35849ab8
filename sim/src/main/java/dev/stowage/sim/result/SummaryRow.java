package dev.stowage.sim.result;

import java.util.Map;

/**
 * All replications of one policy at one sweep point together.
 *
 * @param origin where the row comes from
 * @param replications how many replications stand behind it
 * @param stability whether the queue grows
 * @param metrics mean and confidence half-width of every metric
 */
public record SummaryRow(Origin origin, int replications, Stability stability, Map<String, Estimate> metrics)
        implements ResultRow {}
