package dev.stowage.study.size;

import java.util.Arrays;

/**
 * Whether requests fit servers, by trying where each can go, up to a number of tries. What is found is a placement;
 * that none is found says nothing.
 */
final class PackingSearch {
    /** More requests are not tried. */
    static final int MOST_REQUESTS = 300;

    private static final int MOST_TRIES = 20_000;

    private final long[][] demand;
    private final long[][] free;
    /** What all requests from one on need, by resource. */
    private final long[][] rest;

    private int tries;

    /**
     * A search.
     *
     * @param demand of each request by resource, the largest first
     * @param capacity of each server by resource
     */
    PackingSearch(long[][] demand, long[][] capacity) {
        this.demand = demand;
        free = Arrays.stream(capacity).map(long[]::clone).toArray(long[][]::new);
        rest = new long[demand.length + 1][capacity.length == 0 ? 0 : capacity[0].length];
        for (int i = demand.length - 1; i >= 0; i--) {
            for (int r = 0; r < rest[i].length; r++) {
                rest[i][r] = rest[i + 1][r] + demand[i][r];
            }
        }
    }

    boolean found() {
        return demand.length <= MOST_REQUESTS && placed(0, 0);
    }

    /** Places a request and those after it; on a server from one on, as one that is alike is on the one before. */
    private boolean placed(int i, int from) {
        if (i == demand.length) {
            return true;
        }
        if (tries++ >= MOST_TRIES || !enough(rest[i])) {
            return false;
        }
        for (int s = from; s < free.length; s++) {
            if (fits(demand[i], free[s]) && !isTried(s, from)) {
                add(free[s], demand[i], -1);
                boolean same = i + 1 < demand.length && Arrays.equals(demand[i], demand[i + 1]);
                boolean all = placed(i + 1, same ? s : 0);
                add(free[s], demand[i], 1);
                if (all) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean enough(long[] needed) {
        for (int r = 0; r < needed.length; r++) {
            long sum = 0;
            for (long[] each : free) {
                sum += each[r];
            }
            if (sum < needed[r]) {
                return false;
            }
        }
        return true;
    }

    /** Whether a server before has as much free. */
    private boolean isTried(int server, int from) {
        for (int s = from; s < server; s++) {
            if (Arrays.equals(free[s], free[server])) {
                return true;
            }
        }
        return false;
    }

    private static boolean fits(long[] demand, long[] free) {
        for (int r = 0; r < demand.length; r++) {
            if (demand[r] > free[r]) {
                return false;
            }
        }
        return true;
    }

    private static void add(long[] free, long[] demand, int sign) {
        for (int r = 0; r < demand.length; r++) {
            free[r] += sign * demand[r];
        }
    }
}
