package dev.stowage.optimize.bound;

import java.util.Arrays;

/**
 * Equal servers.
 *
 * @param servers how many, at least 1
 * @param capacity capacity per resource
 */
public record ServerClass(int servers, long[] capacity) {
    /** Checks the number of servers. */
    public ServerClass {
        if (servers < 1) {
            throw new IllegalArgumentException(servers + " servers in a class, must be at least 1");
        }
        capacity = capacity.clone();
    }

    /** Whether one request of a demand fits an empty server. */
    public boolean fits(long[] demand) {
        for (int r = 0; r < capacity.length; r++) {
            if (demand[r] > capacity[r]) {
                return false;
            }
        }
        return true;
    }

    @Override
    public String toString() {
        return servers + " x " + Arrays.toString(capacity);
    }
}
