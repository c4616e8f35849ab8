package dev.stowage.kube.schedule;

import dev.stowage.kube.translate.PodFacts;
import java.util.List;

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

    /**
     * A pod is to have a node when these have gone from it: it is written into its status, then they are evicted, one
     * after the other, as far as their disruption budgets allow it. The pod is counted on the node from now on. What is
     * refused is told to {@link ClusterEngine#notEvicted}. Only where {@link ClusterEngine#preempt} is called.
     *
     * @param victims pods of lower priority; none where enough leave already
     * @param reason why this node, for people
     */
    default void nominate(PodFacts pod, String node, List<PodFacts> victims, String reason) {
        throw new UnsupportedOperationException("nobody is evicted for " + pod.path());
    }

    /** A pod that was to have a node is not to have it any more. */
    default void notNominated(PodFacts pod) {}

    /** A pod waits. */
    void waits(PodFacts pod);

    /** Nobody else is to be evicted for a pod: it is gone, or has its room. */
    default void promiseEnds(PodFacts pod) {}
}
