package dev.stowage.kube.preempt;

/** What a pod that is counted on a node does there. */
public enum PodStanding {
    /** Runs, or is bound: it may be evicted. */
    BOUND,
    /** Is not evicted now: its binding is under way, or its eviction was refused a moment ago. */
    STAYS,
    /** Is being evicted. */
    LEAVING,
    /** Holds room that a node will have: nothing of it is there yet. */
    NOMINATED
}
