package dev.stowage.kube.schedule;

import dev.stowage.kube.translate.PodFacts;
import java.util.List;

/** Receives the decisions of the {@link ClusterEngine}, and must not call the engine from inside these methods. */
public interface Decisions {
    /**
     * A pod must be bound to a node, where it is counted from now on.
     *
     * @param reason the rule that chose the node, and what the next best would have been
     */
    void bind(PodFacts pod, String node, String reason);

    /**
     * A bound pod must be evicted, if its disruption budget allows that now.
     *
     * @param reason for people
     */
    void evict(PodFacts pod, String reason);

    /**
     * A pod gets a node when the victims have left it: the node is written into the pod's status, then the victims are
     * evicted, one after the other, as far as their disruption budgets allow it. The pod is counted on the node from
     * now on. Refusals are passed to {@link ClusterEngine#notEvicted}. Called only if {@link ClusterEngine#preempt} is
     * used.
     *
     * @param victims pods of lower priority; none if enough are terminating already
     * @param reason why this node, for people
     */
    default void nominate(PodFacts pod, String node, List<PodFacts> victims, String reason) {
        throw new UnsupportedOperationException("no pod is evicted for " + pod.path());
    }

    /** A pod loses its nominated node. */
    default void notNominated(PodFacts pod) {}

    /** A pod waits. */
    void waits(PodFacts pod);

    /** No further pod must be evicted for this one: it is gone, or has its room. */
    default void promiseEnds(PodFacts pod) {}
}
