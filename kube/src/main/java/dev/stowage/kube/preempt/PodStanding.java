package dev.stowage.kube.preempt;

/** The state of a pod that is counted on a node, as preemption sees it. */
public enum PodStanding {
    /** Runs, or is bound: it may be evicted. */
    BOUND,
    /** Must not be evicted now: its binding is under way, or its eviction was refused recently. */
    STAYS,
    /** Is being evicted. */
    LEAVING,
    /** Is being evicted, and has not ended although its grace period is long over: it counts as staying. */
    STUCK,
    /** Has room reserved on the node, and does not run there yet. */
    NOMINATED
}
