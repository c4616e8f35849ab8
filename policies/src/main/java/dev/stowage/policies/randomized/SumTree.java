package dev.stowage.policies.randomized;

import java.util.Arrays;

/**
 * Weights in a complete binary tree of sums: setting one and drawing one in proportion to the weights cost O(log n).
 * Every sum is made of its two children in the same order, so the tree depends on the weights only, not on the order of
 * changes.
 */
final class SumTree {
    private int leaves;
    private double[] sum;

    SumTree(int size) {
        leaves = leavesFor(size);
        sum = new double[2 * leaves];
    }

    private static int leavesFor(int size) {
        return Integer.highestOneBit(Math.max(1, 2 * size - 1));
    }

    /** Makes room for {@code size} weights; new ones are 0. */
    void growTo(int size) {
        if (size <= leaves) {
            return;
        }
        double[] old = Arrays.copyOfRange(sum, leaves, 2 * leaves);
        leaves = leavesFor(size);
        sum = new double[2 * leaves];
        System.arraycopy(old, 0, sum, leaves, old.length);
        for (int node = leaves - 1; node >= 1; node--) {
            sum[node] = sum[2 * node] + sum[2 * node + 1];
        }
    }

    void set(int index, double weight) {
        int node = leaves + index;
        if (sum[node] == weight) {
            return;
        }
        sum[node] = weight;
        for (node >>= 1; node >= 1; node >>= 1) {
            sum[node] = sum[2 * node] + sum[2 * node + 1];
        }
    }

    double get(int index) {
        return sum[leaves + index];
    }

    double total() {
        return sum[1];
    }

    /** The index at a point of [0, 1) of the total, which must be above 0: never one of weight 0. */
    int at(double point) {
        double rest = point * sum[1];
        int node = 1;
        while (node < leaves) {
            int child = 2 * node;
            // Rounding may push the rest past the end: then the last child with a weight is taken.
            if (rest < sum[child] || sum[child + 1] == 0) {
                node = child;
            } else {
                rest -= sum[child];
                node = child + 1;
            }
        }
        return node - leaves;
    }
}
