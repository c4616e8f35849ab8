package dev.stowage.policies.parallel.online;

import dev.stowage.policies.parallel.FatTree.Fractions;
import dev.stowage.policies.parallel.Limits;

/**
 * Limits on the presently available capacity that a job may hold, in a fat tree whose servers are numbered rack by
 * rack.
 *
 * @param fractions of center, pods and racks
 * @param arity of the tree; 0 for the smallest tree with enough places for all servers; its last racks may have fewer
 *     servers
 */
record CenterLimits(Fractions fractions, int arity) {
    /** The rows, including the free capacities of servers. */
    Limits of(double[] free) {
        int half = (arity == 0 ? smallestArity(free.length) : arity) / 2;
        Limits.Builder rows = Limits.over(free.length);
        addRows(rows, "center", free.length, fractions.center(), free);
        addRows(rows, "pod", half * half, fractions.pod(), free);
        addRows(rows, "rack", half, fractions.rack(), free);
        return rows.capacities(free).build();
    }

    private static int smallestArity(int servers) {
        int arity = 2;
        while (arity * arity * arity / 4 < servers) {
            arity += 2;
        }
        return arity;
    }

    private static void addRows(Limits.Builder rows, String name, int size, double fraction, double[] free) {
        for (int from = 0; from < free.length; from += size) {
            int to = Math.min(from + size, free.length);
            double sum = 0;
            for (int j = from; j < to; j++) {
                sum += free[j];
            }
            rows.range(name, fraction * sum, from, to);
        }
    }
}
