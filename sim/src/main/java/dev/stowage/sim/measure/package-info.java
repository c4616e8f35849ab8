/**
 * Measuring a run: listens to effects, and turns them into the metrics, series and distributions of docs/results.md.
 */
@NullMarked
package dev.stowage.sim.measure;

import org.jspecify.annotations.NullMarked;
