package dev.stowage.policies.reservation;

import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.core.policy.View;

/**
 * The workload of each type in the reference vector of DRA, before g(L) is added. Here it is Y, the running requests,
 * as in the algorithm.
 */
class PresentWorkload {
    private final long[] present;

    /** The requests present per type, kept by the owner. */
    PresentWorkload(long[] present) {
        this.present = present;
    }

    /** Requests of a type. */
    long of(int type, View view) {
        return present[type];
    }

    /** A request arrived, to be accepted or not. */
    void arrived(int type, View view) {}

    /** A request was placed. */
    void started(int job, View view) {}

    /** A request ended, or left while waiting. */
    void ended(int job, View view) {}

    /** A request lost its server. */
    void displaced(int job) {}

    /** Writes what was learnt. */
    void save(StateWriter out) {}

    /** Reads what was learnt. */
    void restore(StateReader in) {}
}
