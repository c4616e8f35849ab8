package dev.stowage.kube.preempt;

/** The state of a pod that is counted on a node, as preemption sees it. */
public enum PodStanding {
    /** Runs, or is bound: it may be evicted. */
    BOUND,
    /** Must not be evicted now: its binding is under way, or its eviction was refused recently. */
    STAYS,
    /** Is being evicted. */
    LEAVING,
    /** Has room reserved on the node, and does not run there yet. */
    NOMINATED
}
