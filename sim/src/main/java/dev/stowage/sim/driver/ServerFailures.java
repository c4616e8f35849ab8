package dev.stowage.sim.driver;

import dev.stowage.sim.workload.Distribution;

/**
 * Servers that fail and are repaired, each on its own. All are new at the start, and as new when they are repaired. A
 * server that fails is lost: what ran there starts anew.
 *
 * @param from number of the first server
 * @param count how many servers with consecutive numbers
 * @param toFailure how long a server is up, seconds
 * @param toRepair how long it is then down, seconds
 */
public record ServerFailures(int from, int count, Distribution toFailure, Distribution toRepair) {
    /** Whether a server is among these. */
    public boolean has(int server) {
        return server >= from && server < from + count;
    }
}
