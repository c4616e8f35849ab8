package dev.stowage.policies.parallel;

import java.util.Arrays;

/** The largest of a row of numbers, none below 0, that change one by one. A change costs O(log n), the largest O(1). */
final class RowMaximum {
    private final int leaves;
    private final double[] tree;

    RowMaximum(int numbers) {
        this.leaves = Integer.highestOneBit(Math.max(1, numbers - 1)) * 2;
        this.tree = new double[2 * leaves];
    }

    void clear() {
        Arrays.fill(tree, 0);
    }

    void set(int number, double value) {
        int node = leaves + number;
        tree[node] = value;
        for (node >>= 1; node >= 1; node >>= 1) {
            double largest = Math.max(tree[2 * node], tree[2 * node + 1]);
            if (tree[node] == largest) {
                return;
            }
            tree[node] = largest;
        }
    }

    double get(int number) {
        return tree[leaves + number];
    }

    double largest() {
        return tree[1];
    }
}
