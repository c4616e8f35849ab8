package dev.stowage.policies.bestfit;

import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.core.policy.View;

/**
 * How J, the depth of the partition, is chosen. It only grows: a larger J costs time, not throughput.
 *
 * <ul>
 *   <li>fixed: a given number;
 *   <li>auto: the smallest J with 2^-J at most the smallest size declared or seen so far, so that no size is rounded up
 *       (Theorem 3);
 *   <li>adaptive: the smallest J for which less than a fraction epsilon of the requests so far had sizes of at most
 *       2^-J (Corollary 1), checked whenever the number of requests has doubled, from 64 on.
 * </ul>
 */
final class Levels {
    private static final int FIRST_LOOK = 64;
    /** More halvings than any size above 0 has. */
    private static final int NO_SIZE = 62;

    private final Rule rule;
    private final long[] requestsByHalvings = new long[NO_SIZE + 1];
    private final long[] demand;
    private long requests;
    private int wanted;

    /**
     * The rule.
     *
     * @param fixed J, or 0
     * @param epsilon fraction of requests that may be rounded up, or 0; where both are 0 the rule is auto
     */
    record Rule(int fixed, double epsilon) {}

    Levels(View view, Rule rule) {
        this.rule = rule;
        demand = new long[view.resources()];
        wanted = Math.max(Partition.LEAST_LEVELS, rule.fixed);
    }

    /** Takes the declared request types into account. */
    void declared(View view, ServerFamilies families) {
        for (int type = 0; type < view.types() && isAuto(); type++) {
            for (int r = 0; r < demand.length; r++) {
                demand[r] = view.typeDemand(type, r);
            }
            raise(families);
        }
    }

    /** Takes an arrived request into account; its size is that of its dominant resource. */
    void arrived(View view, ServerFamilies families, int job) {
        if (rule.fixed > 0) {
            return;
        }
        for (int r = 0; r < demand.length; r++) {
            demand[r] = view.demand(job, r);
        }
        if (isAuto()) {
            raise(families);
        } else {
            count(families);
        }
    }

    private boolean isAuto() {
        return rule.fixed == 0 && rule.epsilon == 0;
    }

    private void raise(ServerFamilies families) {
        for (int family = 0; family < families.size(); family++) {
            int least = NO_SIZE;
            for (int r = 0; r < demand.length; r++) {
                if (demand[r] > 0 && demand[r] <= families.largest(family, r)) {
                    least = Math.min(least, Partition.levelsFor(demand[r], families.largest(family, r)));
                }
            }
            wanted = least == NO_SIZE ? wanted : Math.max(wanted, least);
        }
    }

    /** If families differ, a request counts with its smallest size. */
    private void count(ServerFamilies families) {
        int most = 0;
        for (int family = 0; family < families.size(); family++) {
            int least = NO_SIZE;
            for (int r = 0; r < demand.length; r++) {
                if (demand[r] > 0 && demand[r] <= families.largest(family, r)) {
                    least = Math.min(least, Partition.halvings(demand[r], families.largest(family, r)));
                }
            }
            most = Math.max(most, least);
        }
        requestsByHalvings[most]++;
        requests++;
        look();
    }

    private void look() {
        if (requests < FIRST_LOOK || Long.bitCount(requests) != 1) {
            return;
        }
        long rounded = 0;
        int levels = requestsByHalvings.length;
        while (levels > wanted && rounded + requestsByHalvings[levels - 1] < rule.epsilon * requests) {
            rounded += requestsByHalvings[--levels];
        }
        wanted = levels;
    }

    /** J for these servers by the rule, limited so that amounts can be compared exactly. */
    int levels(View view, ServerFamilies families) {
        int most = NO_SIZE;
        for (int family = 0; family < families.size(); family++) {
            for (int r = 0; r < view.resources(); r++) {
                most = Math.min(most, Partition.mostLevels(families.largest(family, r)));
            }
        }
        int least = families.mostHalvings() + Partition.LEAST_LEVELS;
        if (least > most) {
            throw new IllegalArgumentException("capacities differ by 2^" + families.mostHalvings()
                    + " and are too large to be compared exactly; use a larger unit");
        }
        return Math.max(least, Math.min(most, wanted));
    }

    void save(StateWriter out) {
        out.putInt(wanted);
        out.putLong(requests);
        out.putLongs(requestsByHalvings, requestsByHalvings.length);
    }

    void restore(StateReader in) {
        wanted = in.getInt();
        requests = in.getLong();
        System.arraycopy(in.getLongs(), 0, requestsByHalvings, 0, requestsByHalvings.length);
    }
}
