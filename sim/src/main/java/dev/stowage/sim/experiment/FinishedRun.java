package dev.stowage.sim.experiment;

import dev.stowage.sim.driver.RunEnd;
import dev.stowage.sim.measure.RunCollector;

/**
 * A run that is over.
 *
 * @param replication its number
 * @param seed its seed
 * @param collector what was measured
 * @param outcome how it ended
 */
record FinishedRun(int replication, long seed, RunCollector collector, RunEnd outcome) {}
