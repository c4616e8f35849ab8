package dev.stowage.kube.translate;

/**
 * A topology spread: limits how many more of the selected pods the domain that gets the pod may have, or should have,
 * than the domain with the fewest.
 *
 * @param maxSkew how many more
 * @param key the label whose values are the domains
 * @param selector which pods are counted, of the pod's own namespace
 * @param minDomains with fewer domains the fewest count as none
 * @param anyNode whether nodes count that the pod does not ask for ({@code nodeAffinityPolicy: Ignore})
 * @param tolerated whether only nodes count whose taints it tolerates ({@code nodeTaintsPolicy: Honor})
 */
public record EvenSpread(
        int maxSkew, String key, PodSelector selector, int minDomains, boolean anyNode, boolean tolerated) {
    /** Whether it says by itself which nodes count: then pods on other nodes are not counted. */
    boolean choosesNodes() {
        return anyNode || tolerated;
    }

    /** Whether a node counts for a pod. */
    boolean counts(PodFacts pod, NodeFacts node) {
        return (anyNode || pod.nodes().admits(node))
                && !(tolerated && node.untolerated(pod.tolerations()).isPresent());
    }

    /** Whether it is of the form that Kubernetes has had from the start. */
    public boolean isPlain() {
        return minDomains <= 1 && !choosesNodes();
    }
}
