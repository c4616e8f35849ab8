package dev.stowage.policies.fit;

import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import java.util.Arrays;

/** A set of small numbers; filling it, visiting it in ascending order and clearing it take time in its size. */
public final class NumberSet {
    private int[] members = new int[16];
    private boolean[] present = new boolean[16];
    private int size;

    /** Adds a number, at least 0. */
    public void add(int number) {
        if (number >= present.length) {
            present = Arrays.copyOf(present, Math.max(number + 1, 2 * present.length));
        }
        if (present[number]) {
            return;
        }
        if (size == members.length) {
            members = Arrays.copyOf(members, 2 * size);
        }
        present[number] = true;
        members[size++] = number;
    }

    /** Number of members. */
    public int size() {
        return size;
    }

    /** The k-th member, in ascending order after {@link #sort}. */
    public int get(int k) {
        return members[k];
    }

    /** Removes the last member. */
    public int removeLast() {
        present[members[--size]] = false;
        return members[size];
    }

    /** Puts the members into ascending order. */
    public void sort() {
        if (size > 1) {
            Arrays.sort(members, 0, size);
        }
    }

    /** Removes all. */
    public void clear() {
        while (size > 0) {
            present[members[--size]] = false;
        }
    }

    /** Writes the members, in their order. */
    public void save(StateWriter out) {
        out.putInts(members, size);
    }

    /** Reads the members. */
    public void restore(StateReader in) {
        for (int number : in.getInts()) {
            add(number);
        }
    }
}
