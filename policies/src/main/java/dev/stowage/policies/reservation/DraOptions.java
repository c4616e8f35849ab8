package dev.stowage.policies.reservation;

import java.util.function.IntToLongFunction;

/**
 * Options of DRA.
 *
 * @param slack g, from the number of servers to the empty slots of each type
 * @param periodNanos time between updates; 0 for an update at every event
 * @param memory memory of the workload estimate, in mean service times; 0 to use the requests present instead
 * @param interpretation what a slot is
 */
record DraOptions(IntToLongFunction slack, long periodNanos, double memory, Interpretation interpretation) {}
