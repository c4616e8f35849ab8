package dev.stowage.policies.randomized;

import java.util.Arrays;

/** A set of servers with a count per subtree: membership, and the k-th member in index order, in O(log servers). */
final class FittingServers {
    private int leaves = 1;
    private int[] count = new int[2];

    void growTo(int servers) {
        if (servers <= leaves) {
            return;
        }
        int[] old = Arrays.copyOfRange(count, leaves, 2 * leaves);
        leaves = Integer.highestOneBit(2 * servers - 1);
        count = new int[2 * leaves];
        System.arraycopy(old, 0, count, leaves, old.length);
        for (int node = leaves - 1; node >= 1; node--) {
            count[node] = count[2 * node] + count[2 * node + 1];
        }
    }

    void set(int server, boolean member) {
        int change = (member ? 1 : 0) - count[leaves + server];
        for (int node = leaves + server; change != 0 && node >= 1; node >>= 1) {
            count[node] += change;
        }
    }

    int size() {
        return count[1];
    }

    int get(int k) {
        int rest = k;
        int node = 1;
        while (node < leaves) {
            node *= 2;
            if (rest >= count[node]) {
                rest -= count[node];
                node++;
            }
        }
        return node - leaves;
    }
}
