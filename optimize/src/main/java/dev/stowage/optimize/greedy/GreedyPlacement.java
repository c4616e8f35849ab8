package dev.stowage.optimize.greedy;

/**
 * The Greedy Placement Algorithm GPA (Psychas and Ghaderi 2020, Algorithm 1): gives servers to the configuration of
 * greatest reward until one of its types has no requests left, and repeats this without that type.
 *
 * <p>What the paper leaves open: requests left never fall below 0; if several types run out at the same number of
 * servers, the lowest is removed; there are as many iterations as types that fit the server, and those after the last
 * server give no servers.
 *
 * <p>O(types squared) once {@link MaxReward} has solved the sets of types; allocates nothing.
 */
public final class GreedyPlacement {
    private final MaxReward maxReward;
    private final int iterations;
    private final int[] sets;
    private final long[] servers;

    /** A placement by configurations of greatest reward. */
    public GreedyPlacement(MaxReward maxReward) {
        this.maxReward = maxReward;
        iterations = maxReward.types(maxReward.all()).length;
        sets = new int[iterations];
        servers = new long[iterations];
    }

    /**
     * Places requests on servers.
     *
     * @param left requests per type; receives the requests that are left
     * @param available number of servers
     */
    public void place(long[] left, long available) {
        int set = maxReward.all();
        long unused = available;
        for (int i = 0; i < iterations; i++) {
            int[] counts = maxReward.configuration(set);
            int type = firstToRunOut(counts, left, maxReward.types(set));
            sets[i] = set;
            servers[i] = Math.min(serversFor(left[type], counts[type]), unused);
            unused -= servers[i];
            for (int j : maxReward.types(set)) {
                left[j] = Math.max(0, left[j] - servers[i] * counts[j]);
            }
            set = maxReward.without(set, type);
        }
    }

    private static int firstToRunOut(int[] counts, long[] left, int[] types) {
        int first = -1;
        for (int j : types) {
            if (counts[j] > 0
                    && (first < 0 || serversFor(left[j], counts[j]) < serversFor(left[first], counts[first]))) {
                first = j;
            }
        }
        return first;
    }

    private static long serversFor(long requests, int perServer) {
        return (requests + perServer - 1) / perServer;
    }

    /** Number of iterations: the number of types that fit the server. */
    public int iterations() {
        return iterations;
    }

    /**
     * The set of types of an iteration, J[i + 1] in the paper; its configuration is {@link MaxReward#configuration}.
     */
    public int set(int iteration) {
        return sets[iteration];
    }

    /** Counts per type of the configuration of an iteration, k[i + 1]; not to be changed. */
    public int[] configuration(int iteration) {
        return maxReward.configuration(sets[iteration]);
    }

    /** Servers given to the configuration of an iteration. */
    public long servers(int iteration) {
        return servers[iteration];
    }
}
