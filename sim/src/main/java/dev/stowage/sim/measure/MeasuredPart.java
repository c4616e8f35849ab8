package dev.stowage.sim.measure;

/**
 * An optional part of an experiment that has metrics of its own; every run with the part has these metrics, even if
 * they are 0.
 */
public enum MeasuredPart {
    /** Servers fail. */
    FAILURES,
    /** Requests may fail to start. */
    STARTS,
    /** Requests have priorities. */
    PRIORITIES,
    /** Requests are gangs. */
    GANGS,
    /** Requests have a longest wait. */
    LONGEST_WAITS
}
