package dev.stowage.kube.translate;

import java.util.List;

/**
 * The volume claims of a pod, and what they ask of its node.
 *
 * @param claims names of the claims, which are in the pod's namespace
 * @param nodes which nodes can have the volumes; all must hold
 * @param exclusive those of the claims that one pod at a time may use ({@code ReadWriteOncePod})
 */
public record PodVolumes(List<String> claims, List<NodeRule> nodes, List<String> exclusive) {
    /** No claims. */
    public static final PodVolumes NONE = new PodVolumes(List.of(), List.of(), List.of());

    /** Before what is said of a claim whose volume is not looked for, in {@link PodFacts#unknown}. */
    static final String UNREAD = "a volume claim, whose volume may be bound to a zone or node ";

    /** Before what keeps a pod with a claim from being placed, in {@link PodFacts#unknown}. */
    public static final String CLAIM = "its claim ";

    /** Takes copies. */
    public PodVolumes {
        claims = List.copyOf(claims);
        nodes = List.copyOf(nodes);
        exclusive = List.copyOf(exclusive);
    }

    /** Whether a node can have all of the volumes. */
    boolean admit(NodeFacts node) {
        return nodes.stream().allMatch(rule -> rule.admits(node));
    }
}
