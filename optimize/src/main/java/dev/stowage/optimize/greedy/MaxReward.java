package dev.stowage.optimize.greedy;

import dev.stowage.optimize.configuration.Knapsack;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * MaxReward (Psychas and Ghaderi 2020, Definition 2.3): the configuration of greatest reward among those of a set of
 * types, exact, in whole micro-units. Of several the lexicographically largest (Definition 2.2); so a type without
 * reward fills the room that the others leave.
 *
 * <p>Sets of types are numbers: {@link #all} is the set of the types that fit the server and demand something, and
 * {@link #without} removes one. A set is solved once and remembered, so asking again costs O(1). The knapsack behind it
 * is exponential in the worst case; the instance types of cloud providers take milliseconds.
 */
public final class MaxReward {
    private static final int UNKNOWN = -1;

    private final Knapsack knapsack;
    /** Types that fit the server and demand something, ascending, and their rewards. */
    private final int[] candidates;

    private final long[] reward;
    private final int types;

    private final SortedMap<int[], Integer> numbers = new TreeMap<>(Arrays::compare);
    private final List<int[]> sets = new ArrayList<>();
    private final List<int[]> configurations = new ArrayList<>();
    private final List<int[]> without = new ArrayList<>();

    /**
     * A server and the types it may hold.
     *
     * @param capacity capacity per resource
     * @param demand demand per type and resource
     * @param rewards reward per type, micro-units per hour, at least 0
     * @throws IllegalArgumentException if sizes differ or a reward is negative
     */
    public MaxReward(long[] capacity, long[][] demand, long[] rewards) {
        types = demand.length;
        if (rewards.length != types) {
            throw new IllegalArgumentException(rewards.length + " rewards for " + types + " types");
        }
        candidates = candidates(capacity, demand);
        long[][] demands = new long[candidates.length][];
        reward = new long[candidates.length];
        for (int i = 0; i < candidates.length; i++) {
            demands[i] = demand[candidates[i]];
            reward[i] = rewards[candidates[i]];
            if (reward[i] < 0) {
                throw new IllegalArgumentException(
                        "reward of type " + candidates[i] + " is " + reward[i] + ", must be at least 0");
            }
        }
        knapsack = new Knapsack(capacity, demands);
        number(candidates);
    }

    private static int[] candidates(long[] capacity, long[][] demand) {
        int[] found = new int[demand.length];
        int size = 0;
        for (int j = 0; j < demand.length; j++) {
            boolean fits = true;
            long most = 0;
            for (int r = 0; r < capacity.length; r++) {
                fits &= demand[j][r] <= capacity[r];
                most = Math.max(most, demand[j][r]);
            }
            if (fits && most > 0) {
                found[size++] = j;
            }
        }
        return Arrays.copyOf(found, size);
    }

    /** The set of all types that fit the server and demand something. */
    public int all() {
        return 0;
    }

    /** The types of a set, ascending; not to be changed. */
    public int[] types(int set) {
        return sets.get(set);
    }

    /** The set without one of its types. */
    public int without(int set, int type) {
        int[] links = without.get(set);
        if (links[type] == UNKNOWN) {
            links[type] = number(
                    Arrays.stream(sets.get(set)).filter(each -> each != type).toArray());
        }
        return links[type];
    }

    /**
     * Counts per type of the configuration of greatest reward of a set; not to be changed. All zero only for the empty
     * set.
     */
    public int[] configuration(int set) {
        return configurations.get(set);
    }

    /** Number of sets asked for so far; sets are numbered from 0. */
    public int sets() {
        return sets.size();
    }

    private int number(int[] set) {
        Integer known = numbers.get(set);
        if (known != null) {
            return known;
        }
        int number = sets.size();
        numbers.put(set, number);
        sets.add(set);
        configurations.add(solve(set));
        int[] links = new int[types];
        Arrays.fill(links, UNKNOWN);
        without.add(links);
        return number;
    }

    private int[] solve(int[] set) {
        int[] limits = new int[candidates.length];
        for (int type : set) {
            limits[Arrays.binarySearch(candidates, type)] = Integer.MAX_VALUE;
        }
        int[] counts = new int[candidates.length];
        knapsack.fullest(reward, limits, counts);
        int[] configuration = new int[types];
        for (int i = 0; i < candidates.length; i++) {
            configuration[candidates[i]] = counts[i];
        }
        return configuration;
    }
}
