package dev.stowage.study.advise;

import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A server of a cluster.
 *
 * @param name name
 * @param capacity whole amounts, one per resource of the cluster
 * @param labels labels, by key
 * @param closed why no job may be placed here (as in "is cordoned"); empty if jobs may
 */
public record ClusterServer(String name, long[] capacity, SortedMap<String, String> labels, String closed) {
    /** Labels of servers that run the cluster itself, as Kubernetes writes them. */
    public static final Set<String> OWN_ROLES =
            Set.of("node-role.kubernetes.io/control-plane", "node-role.kubernetes.io/master");

    /** Takes copies. */
    public ClusterServer {
        capacity = capacity.clone();
        labels = new TreeMap<>(labels);
    }

    /** Whether it may be switched off when it is empty: it has no part of the cluster's own control. */
    boolean mayBeOff() {
        return labels.keySet().stream().noneMatch(OWN_ROLES::contains);
    }

    /** Switched off, if it may be. */
    ClusterServer off() {
        return mayBeOff() ? new ClusterServer(name, capacity, labels, "is switched off") : this;
    }

    /** Whether jobs may be placed here. */
    public boolean open() {
        return closed.isEmpty();
    }

    @Override
    public long[] capacity() {
        return capacity.clone();
    }
}
