package dev.stowage.sim.measure;

/** What only some experiments have, and measures of its own; these are there in each of its runs, also where 0. */
public enum MeasuredPart {
    /** Servers fail. */
    FAILURES,
    /** Requests may fail to start. */
    STARTS,
    /** Requests have priorities. */
    PRIORITIES,
    /** Requests are gangs. */
    GANGS
}
