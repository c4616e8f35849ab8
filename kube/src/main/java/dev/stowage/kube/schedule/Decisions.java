package dev.stowage.kube.schedule;

import dev.stowage.kube.translate.PodFacts;

/** Hears what the {@link ClusterEngine} decides. It must not call it from inside a call. */
public interface Decisions {
    /**
     * A pod is to be bound to a node. It is counted there from now on.
     *
     * @param reason the rule that chose the node, and what the next best would have been
     */
    void bind(PodFacts pod, String node, String reason);

    /**
     * A bound pod is to be evicted, if its disruption budget allows that now.
     *
     * @param reason for people
     */
    void evict(PodFacts pod, String reason);

    /** A pod waits. */
    void waits(PodFacts pod);
}
