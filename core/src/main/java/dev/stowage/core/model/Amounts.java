package dev.stowage.core.model;

import java.util.Arrays;

/** Whole amounts, one per resource, all at least 0: a demand or a capacity. Immutable; compares by value. */
public final class Amounts {
    /** No amount of no resource. */
    public static final Amounts NONE = new Amounts(new long[0]);

    private final long[] values;

    private Amounts(long[] values) {
        this.values = values;
    }

    /**
     * The amounts in the order of the cluster's resources.
     *
     * @throws IllegalArgumentException if one is negative
     */
    public static Amounts of(long... values) {
        for (int r = 0; r < values.length; r++) {
            if (values[r] < 0) {
                throw new IllegalArgumentException("amount " + values[r] + " of resource " + r + " is negative");
            }
        }
        return new Amounts(values.clone());
    }

    /** Number of resources. */
    public int size() {
        return values.length;
    }

    /** Amount of one resource. */
    public long get(int resource) {
        return values[resource];
    }

    /** A copy as an array. */
    public long[] toArray() {
        return values.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Amounts that && Arrays.equals(values, that.values);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(values);
    }

    @Override
    public String toString() {
        return Arrays.toString(values);
    }
}
