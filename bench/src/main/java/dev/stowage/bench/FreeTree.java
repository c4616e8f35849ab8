package dev.stowage.bench;

import java.util.Arrays;

/**
 * First fit in two resources in logarithmic time, for requests that ask for one of a few known amounts of the first: a
 * segment tree over the servers, in which a node stores, for each known amount, the most free memory of a server below
 * it with that many cores free.
 *
 * <p>A tree with one maximum for each resource is not enough: the maxima of a node come from different servers, and at
 * 100,000 servers under the bench's workload a search runs into thousands of such nodes.
 */
final class FreeTree {
    private static final int NONE = -1;

    private final int[] cpuLevels;
    private final int leaves;
    private final int[] cpuFree;
    private final int[] memFree;
    /** By node and level: most memory free where that many cores are free, or {@link #NONE}. */
    private final int[] most;

    /** Servers all free; {@code cpuLevels} are the amounts of cores that will be asked for. */
    FreeTree(int servers, int cpuEach, int memEach, int... cpuLevels) {
        this.cpuLevels = cpuLevels.clone();
        leaves = Integer.highestOneBit(2 * servers - 1);
        cpuFree = new int[servers];
        memFree = new int[servers];
        Arrays.fill(cpuFree, cpuEach);
        Arrays.fill(memFree, memEach);
        most = new int[2 * leaves * cpuLevels.length];
        Arrays.fill(most, NONE);
        for (int i = 0; i < servers; i++) {
            refreshLeaf(i);
        }
        for (int node = leaves - 1; node > 0; node--) {
            refresh(node);
        }
    }

    /** Lowest server with that much free in both resources, or -1. */
    int firstFit(int cpuNeed, int memNeed) {
        int levels = cpuLevels.length;
        int level = 0;
        while (cpuLevels[level] != cpuNeed) {
            level++;
        }
        if (most[levels + level] < memNeed) {
            return NONE;
        }
        int node = 1;
        while (node < leaves) {
            node *= 2;
            if (most[node * levels + level] < memNeed) {
                node++;
            }
        }
        return node - leaves;
    }

    void add(int server, int cpuMore, int memMore) {
        cpuFree[server] += cpuMore;
        memFree[server] += memMore;
        refreshLeaf(server);
        int node = (leaves + server) >>> 1;
        while (node > 0 && refresh(node)) {
            node >>>= 1;
        }
    }

    private void refreshLeaf(int server) {
        int at = (leaves + server) * cpuLevels.length;
        for (int cpuLevel : cpuLevels) {
            most[at++] = cpuFree[server] >= cpuLevel ? memFree[server] : NONE;
        }
    }

    /** Computes a node from its children; false if it has not changed. */
    private boolean refresh(int node) {
        int levels = cpuLevels.length;
        int at = node * levels;
        int left = 2 * at;
        int right = left + levels;
        boolean changed = false;
        for (int level = 0; level < levels; level++) {
            int value = Math.max(most[left + level], most[right + level]);
            changed |= value != most[at + level];
            most[at + level] = value;
        }
        return changed;
    }
}
