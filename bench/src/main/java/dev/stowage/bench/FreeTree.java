package dev.stowage.bench;

/** Free capacity of servers in two resources: a segment tree of maxima, for first fit in about logarithmic time. */
final class FreeTree {
    private final int leaves;
    private final int[] cpu;
    private final int[] mem;

    FreeTree(int servers, int cpuEach, int memEach) {
        leaves = Math.max(1, Integer.highestOneBit(2 * servers - 1));
        cpu = new int[2 * leaves];
        mem = new int[2 * leaves];
        for (int i = 0; i < servers; i++) {
            cpu[leaves + i] = cpuEach;
            mem[leaves + i] = memEach;
        }
        for (int i = leaves + servers; i < 2 * leaves; i++) {
            cpu[i] = -1;
            mem[i] = -1;
        }
        for (int i = leaves - 1; i > 0; i--) {
            refresh(i);
        }
    }

    /** Lowest server with that much free in both resources, or -1. */
    int firstFit(int cpuNeed, int memNeed) {
        int node = 1;
        while (true) {
            if (cpu[node] >= cpuNeed && mem[node] >= memNeed) {
                if (node >= leaves) {
                    return node - leaves;
                }
                node = 2 * node;
            } else {
                // The maxima of a node may be of two different servers, so a descent can fail and has to go on
                // rightwards.
                while ((node & 1) == 1) {
                    node >>>= 1;
                }
                if (node == 0) {
                    return -1;
                }
                node++;
            }
        }
    }

    void add(int server, int cpuMore, int memMore) {
        int node = leaves + server;
        cpu[node] += cpuMore;
        mem[node] += memMore;
        while (node > 1) {
            node >>>= 1;
            int cpuBefore = cpu[node];
            int memBefore = mem[node];
            refresh(node);
            if (cpu[node] == cpuBefore && mem[node] == memBefore) {
                return;
            }
        }
    }

    private void refresh(int node) {
        cpu[node] = Math.max(cpu[2 * node], cpu[2 * node + 1]);
        mem[node] = Math.max(mem[2 * node], mem[2 * node + 1]);
    }
}
