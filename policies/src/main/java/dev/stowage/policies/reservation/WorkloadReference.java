package dev.stowage.policies.reservation;

import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.core.policy.View;

/** The workload of each type in the reference vector of DRA, before g(L) is added. */
interface WorkloadReference {
    /** Requests of a type. */
    long of(int type, View view);

    /** A request arrived, to be accepted or not. */
    default void arrived(int type, View view) {}

    /** A request was placed. */
    default void started(int job, View view) {}

    /** A request ended, or left while waiting. */
    default void ended(int job, View view) {}

    /** A request lost its server. */
    default void displaced(int job) {}

    /** Writes what was learnt. */
    default void save(StateWriter out) {}

    /** Reads what was learnt. */
    default void restore(StateReader in) {}
}
