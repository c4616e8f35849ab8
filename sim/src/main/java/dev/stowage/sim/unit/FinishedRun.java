package dev.stowage.sim.unit;

import dev.stowage.sim.driver.RunEnd;
import dev.stowage.sim.measure.Measurements;

/**
 * A run that is over.
 *
 * @param replication its number
 * @param seed its seed
 * @param measured what was measured
 * @param outcome how it ended
 */
public record FinishedRun(int replication, long seed, Measurements measured, RunEnd outcome) {}
