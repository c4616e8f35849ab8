package dev.stowage.policies.randomized;

import dev.stowage.core.policy.View;
import dev.stowage.core.random.KeyedRandom;
import dev.stowage.optimize.configuration.Configurations;
import dev.stowage.optimize.configuration.Knapsack;
import dev.stowage.optimize.configuration.TooManyConfigurationsException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The max-weight configuration of the servers of one capacity class. Its maximal configurations are enumerated once,
 * and ties are broken uniformly at random; if there are more than {@value #MOST}, an exact knapsack finds the heaviest,
 * ties to the lexicographically largest among the types of positive weight, and the room left is filled with the other
 * types by index. Both ways are exact.
 */
final class HeaviestConfigurations {
    private static final int MOST = 20_000;

    /** Types that demand something and fit an empty server; configurations are over these types. */
    private final int[] types;

    private final long[] capacity;
    private final long[][] demand;
    private final List<int[]> maximal;
    private final @Nullable Knapsack knapsack;
    private final long[] weights;
    private final long[] lastWeights;
    private final int[] lastCounts;

    HeaviestConfigurations(View view, int capacityClass) {
        this(view, capacityClass, MOST);
    }

    /** With another limit of enumeration. */
    HeaviestConfigurations(View view, int capacityClass, int most) {
        capacity = new long[view.resources()];
        Arrays.setAll(capacity, r -> view.classCapacity(capacityClass, r));
        types = fitting(view, capacity);
        demand = new long[types.length][capacity.length];
        for (int i = 0; i < types.length; i++) {
            int type = types[i];
            Arrays.setAll(demand[i], r -> view.typeDemand(type, r));
        }
        weights = new long[types.length];
        lastWeights = new long[types.length];
        Arrays.fill(lastWeights, -1);
        lastCounts = new int[types.length];
        List<int[]> enumerated = List.of();
        Knapsack search = null;
        try {
            enumerated = Configurations.maximal(capacity, demand, most);
        } catch (TooManyConfigurationsException e) {
            search = new Knapsack(capacity, demand);
        }
        maximal = enumerated;
        knapsack = search;
    }

    private static int[] fitting(View view, long[] capacity) {
        List<Integer> found = new ArrayList<>();
        for (int type = 0; type < view.types(); type++) {
            boolean fits = true;
            for (int r = 0; r < capacity.length; r++) {
                fits &= view.typeDemand(type, r) <= capacity[r];
            }
            if (fits && demandsSomething(view, type)) {
                found.add(type);
            }
        }
        return found.stream().mapToInt(Integer::intValue).toArray();
    }

    /** Whether a type demands any resource of a server; otherwise any number of it would fit. */
    static boolean demandsSomething(View view, int type) {
        for (int r = 0; r < view.resources(); r++) {
            if (view.typeDemand(type, r) > 0) {
                return true;
            }
        }
        return false;
    }

    /**
     * Chooses the heaviest of the maximal configurations.
     *
     * @param queueLengths weight by type: those of the server are {@code queueLengths[j]}
     * @param random breaks ties
     * @param counts receives the configuration, by type, from {@code first} on
     * @return its weight; with weight 0 a maximal configuration is drawn at random (or, not enumerated,
     *     the lexicographically largest)
     */
    long choose(int[] queueLengths, KeyedRandom random, int[] counts, int first) {
        for (int i = 0; i < types.length; i++) {
            weights[i] = queueLengths[types[i]];
        }
        int[] chosen = knapsack == null ? draw(random) : search(knapsack);
        long weight = 0;
        for (int i = 0; i < types.length; i++) {
            counts[first + types[i]] = chosen[i];
            weight += weights[i] * chosen[i];
        }
        return weight;
    }

    private int[] draw(KeyedRandom random) {
        long heaviest = -1;
        int ties = 0;
        for (int[] each : maximal) {
            long weight = weigh(each);
            if (weight > heaviest) {
                heaviest = weight;
                ties = 1;
            } else if (weight == heaviest) {
                ties++;
            }
        }
        int skip = ties > 1 ? random.nextInt(ties) : 0;
        for (int[] each : maximal) {
            if (weigh(each) == heaviest && skip-- == 0) {
                return each;
            }
        }
        throw new IllegalStateException("no maximal configuration");
    }

    private long weigh(int[] counts) {
        long weight = 0;
        for (int i = 0; i < counts.length; i++) {
            weight += weights[i] * counts[i];
        }
        return weight;
    }

    private int[] search(Knapsack among) {
        if (!Arrays.equals(weights, lastWeights)) {
            among.best(weights, lastCounts);
            fillUp(lastCounts);
            System.arraycopy(weights, 0, lastWeights, 0, weights.length);
        }
        return lastCounts;
    }

    /** Makes a configuration maximal: as many as fit of each type, in order. */
    private void fillUp(int[] counts) {
        long[] left = capacity.clone();
        for (int i = 0; i < counts.length; i++) {
            take(left, i, counts[i]);
        }
        for (int i = 0; i < counts.length; i++) {
            int more = most(demand[i], left);
            take(left, i, more);
            counts[i] += more;
        }
    }

    private void take(long[] left, int type, int count) {
        for (int r = 0; r < left.length; r++) {
            left[r] -= demand[type][r] * count;
        }
    }

    /** How many requests of a nonzero demand fit into the free amounts. */
    private static int most(long[] demand, long[] left) {
        long most = Integer.MAX_VALUE;
        for (int r = 0; r < left.length; r++) {
            if (demand[r] > 0) {
                most = Math.min(most, left[r] / demand[r]);
            }
        }
        return (int) most;
    }
}
