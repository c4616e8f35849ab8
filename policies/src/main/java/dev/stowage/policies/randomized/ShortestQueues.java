package dev.stowage.policies.randomized;

import java.util.Arrays;

/**
 * Lengths of the queues of one type, by server: how many are shortest, and the k-th of those in index order. O(log
 * servers) per change and per search. Servers that are not candidates have no length.
 */
final class ShortestQueues {
    private static final int NO_CANDIDATE = Integer.MAX_VALUE;

    private int leaves = 1;
    private int[] least = {NO_CANDIDATE, NO_CANDIDATE};
    /** Candidates of that length in the subtree. */
    private int[] count = new int[2];

    void growTo(int servers) {
        if (servers <= leaves) {
            return;
        }
        int[] old = Arrays.copyOfRange(least, leaves, 2 * leaves);
        leaves = Integer.highestOneBit(2 * servers - 1);
        least = new int[2 * leaves];
        count = new int[2 * leaves];
        Arrays.fill(least, NO_CANDIDATE);
        for (int server = 0; server < old.length; server++) {
            if (old[server] != NO_CANDIDATE) {
                set(server, old[server]);
            }
        }
    }

    void set(int server, int length) {
        change(server, length, 1);
    }

    void remove(int server) {
        change(server, NO_CANDIDATE, 0);
    }

    private void change(int server, int length, int counted) {
        int node = leaves + server;
        least[node] = length;
        count[node] = counted;
        for (node >>= 1; node >= 1; node >>= 1) {
            int low = 2 * node;
            int high = low + 1;
            least[node] = Math.min(least[low], least[high]);
            count[node] = (least[low] == least[node] ? count[low] : 0) + (least[high] == least[node] ? count[high] : 0);
        }
    }

    /** Number of shortest queues; 0 if there is no candidate. */
    int shortest() {
        return count[1];
    }

    /** Server of the k-th shortest queue. */
    int get(int k) {
        int rest = k;
        int node = 1;
        while (node < leaves) {
            int low = 2 * node;
            int below = least[low] == least[node] ? count[low] : 0;
            if (rest < below) {
                node = low;
            } else {
                rest -= below;
                node = low + 1;
            }
        }
        return node - leaves;
    }
}
