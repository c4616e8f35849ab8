/**
 * Statistics of a run: time averages, waits, trajectories, warm-up, confidence intervals and the test for a growing
 * queue.
 *
 * <p>Times are simulated nanoseconds. Sums are exact integers, so that merging gives the same bits in any order and
 * with any number of threads; only values derived at the end are doubles. Methods, formulas and sources:
 * docs/statistics.md.
 */
@NullMarked
package dev.stowage.sim.statistics;

import org.jspecify.annotations.NullMarked;
