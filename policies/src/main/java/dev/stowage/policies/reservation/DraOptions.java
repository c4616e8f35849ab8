package dev.stowage.policies.reservation;

import java.util.function.IntToLongFunction;

/**
 * How DRA reserves.
 *
 * @param slack g: servers to empty slots of each type
 * @param periodNanos time between updates; 0 for an update at every event
 * @param memory of the estimate in place of the requests present, in mean service times; 0 for none
 * @param interpretation what a slot is
 */
record DraOptions(IntToLongFunction slack, long periodNanos, double memory, Interpretation interpretation) {}
