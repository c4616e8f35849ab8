package dev.stowage.optimize.bound;

import java.util.Arrays;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;

/**
 * Equal servers.
 *
 * @param servers how many, at least 1
 * @param capacity capacity per resource
 * @param barred kinds of requests ({@link LoadCell}) that they may not run
 */
public record ServerClass(int servers, long[] capacity, Set<Integer> barred) {
    /** Checks the number of servers. */
    public ServerClass {
        if (servers < 1) {
            throw new IllegalArgumentException(servers + " servers in a class, must be at least 1");
        }
        capacity = capacity.clone();
        barred = Collections.unmodifiableSet(new TreeSet<>(barred));
    }

    /** Servers that may run requests of every kind. */
    public ServerClass(int servers, long[] capacity) {
        this(servers, capacity, Collections.emptySet());
    }

    /** Whether requests of a kind may run here. */
    public boolean admits(int kind) {
        return !barred.contains(kind);
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
        String all = servers + " x " + Arrays.toString(capacity);
        return barred.isEmpty() ? all : all + " without kinds " + barred;
    }
}
