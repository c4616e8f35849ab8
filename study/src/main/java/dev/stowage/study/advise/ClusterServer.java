package dev.stowage.study.advise;

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
    /** Takes copies. */
    public ClusterServer {
        capacity = capacity.clone();
        labels = new TreeMap<>(labels);
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
