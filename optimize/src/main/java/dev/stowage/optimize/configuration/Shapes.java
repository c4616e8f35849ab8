package dev.stowage.optimize.configuration;

/** Checked amounts of a server and of the types it may hold. */
final class Shapes {
    private Shapes() {}

    /** Throws unless every type has an amount of every resource, none is negative, and every type demands something. */
    static void check(long[] capacity, long[][] demand) {
        for (int r = 0; r < capacity.length; r++) {
            if (capacity[r] < 0) {
                throw new IllegalArgumentException("capacity[" + r + "] is " + capacity[r] + ", must be at least 0");
            }
        }
        for (int j = 0; j < demand.length; j++) {
            if (demand[j].length != capacity.length) {
                throw new IllegalArgumentException(
                        "type " + j + " demands " + demand[j].length + " resources, the server has " + capacity.length);
            }
            long largest = 0;
            for (long amount : demand[j]) {
                if (amount < 0) {
                    throw new IllegalArgumentException("type " + j + " demands " + amount + ", must be at least 0");
                }
                largest = Math.max(largest, amount);
            }
            if (largest == 0) {
                throw new IllegalArgumentException(
                        "type " + j + " demands nothing: any number of it fits, so no configuration is largest");
            }
        }
    }

    static long[][] copy(long[][] rows) {
        long[][] copy = new long[rows.length][];
        for (int i = 0; i < rows.length; i++) {
            copy[i] = rows[i].clone();
        }
        return copy;
    }

    /** How many requests of a demand fit into what is left. */
    static int most(long[] left, long[] demand) {
        long most = Integer.MAX_VALUE;
        for (int r = 0; r < left.length; r++) {
            if (demand[r] > 0) {
                most = Math.min(most, left[r] / demand[r]);
            }
        }
        return (int) most;
    }
}
