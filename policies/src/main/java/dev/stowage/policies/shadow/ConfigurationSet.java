package dev.stowage.policies.shadow;

import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.optimize.configuration.Configurations;
import dev.stowage.optimize.configuration.Knapsack;
import dev.stowage.optimize.configuration.TooManyConfigurationsException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The configurations that the servers of a block may be designated with, counts per type: all maximal ones that no
 * convex combination of others dominates, in lexicographic order, the largest first. If there are more maximal ones
 * than a limit, they are not listed: the set starts with one configuration per type and adds each one that the knapsack
 * finds, the heaviest or one that is nearly as heavy.
 */
final class ConfigurationSet {
    private static final String LISTED = "there is no knapsack: the configurations are listed";
    /** Number of branches of a search for nearly the heaviest: some ten microseconds. */
    private static final int BRANCHES = 300;

    private final int types;
    private final long[] capacity;
    /** Types that fit, by the knapsack's numbers, and their demands. */
    private final int[] fitting;

    private final long[][] demand;
    private final @Nullable Knapsack knapsack;
    private final long[] weights;
    private final int[] found;
    private final double within;

    private final List<int[]> counts = new ArrayList<>();
    /** Types of each configuration, ascending. */
    private final List<int[]> typesOf = new ArrayList<>();
    /** Per type: the configurations that have it, and how many of it, in pairs. */
    private final int[][] having;

    private final int[] pairs;
    private final double[] prices;

    /**
     * The configurations of one shape of servers.
     *
     * @param capacity capacity per resource
     * @param typeDemand demand per type and resource; a type that does not fit or demands nothing is null
     * @param limit most maximal configurations to list
     * @param within see {@link ShadowOptions#within}
     */
    ConfigurationSet(long[] capacity, long[] @Nullable [] typeDemand, int limit, double within) {
        this.within = within;
        this.types = typeDemand.length;
        this.capacity = capacity;
        List<Integer> some = new ArrayList<>();
        List<long[]> demands = new ArrayList<>();
        for (int type = 0; type < types; type++) {
            long[] each = typeDemand[type];
            if (each != null) {
                some.add(type);
                demands.add(each);
            }
        }
        fitting = some.stream().mapToInt(Integer::intValue).toArray();
        demand = demands.toArray(long[][]::new);
        weights = new long[fitting.length];
        found = new int[fitting.length];
        having = new int[types][0];
        pairs = new int[types];
        prices = new double[capacity.length];
        knapsack = list(fitting.length == 0 ? 1 : limit) ? null : new Knapsack(capacity, demand);
        if (knapsack != null) {
            addOnePerType();
        }
    }

    private boolean list(int limit) {
        try {
            for (int[] each : Configurations.undominated(Configurations.maximal(capacity, demand, limit))) {
                add(spread(each));
            }
            return true;
        } catch (TooManyConfigurationsException tooMany) {
            return false;
        }
    }

    private void addOnePerType() {
        for (int i = 0; i < fitting.length; i++) {
            Arrays.fill(found, 0);
            fill(i);
            addFilled();
        }
    }

    /** Whether the set has all configurations that it needs. */
    boolean isListed() {
        return knapsack == null;
    }

    /** Whether the heaviest known configuration is used in place of the heaviest of all. */
    boolean knownWillDo() {
        return isListed() || within > 0;
    }

    int size() {
        return counts.size();
    }

    int count(int configuration, int type) {
        return counts.get(configuration)[type];
    }

    /** Types of a configuration, ascending. */
    int[] typesOf(int configuration) {
        return typesOf.get(configuration);
    }

    /** Place of a type among those of a configuration. */
    int position(int configuration, int type) {
        int[] among = typesOf.get(configuration);
        int at = 0;
        while (among[at] != type) {
            at++;
        }
        return at;
    }

    /** Number of configurations that have a type. */
    int havingCount(int type) {
        return pairs[type];
    }

    /** The k-th configuration that has a type, ascending. */
    int having(int type, int k) {
        return having[type][2 * k];
    }

    /** How many of the type that configuration has. */
    int slots(int type, int k) {
        return having[type][2 * k + 1];
    }

    /**
     * The cost of a request of each type as a part of a server's cost, at the resource prices of the last search for
     * the heaviest configuration; only for a set that is not listed.
     */
    void parts(double[] part) {
        Objects.requireNonNull(knapsack, LISTED).mixedPrices(prices);
        double whole = cost(capacity);
        for (int i = 0; i < fitting.length; i++) {
            part[fitting[i]] = cost(demand[i]) / whole;
        }
    }

    private double cost(long[] amounts) {
        double cost = 0;
        for (int r = 0; r < prices.length; r++) {
            cost += prices[r] * amounts[r];
        }
        return cost;
    }

    /** Most types that a configuration can have, known or still to be found. */
    int mostTypes() {
        int most = knapsack == null ? 0 : types;
        for (int[] each : typesOf) {
            most = Math.max(most, each.length);
        }
        return most;
    }

    /** The lowest configuration with at least these counts by type; added if the set is not listed; or -1. */
    int covering(int[] wanted) {
        for (int configuration = 0; configuration < size(); configuration++) {
            if (covers(counts.get(configuration), wanted)) {
                return configuration;
            }
        }
        if (isListed()) {
            return -1;
        }
        for (int i = 0; i < fitting.length; i++) {
            found[i] = wanted[fitting[i]];
        }
        return addFilled();
    }

    private static boolean covers(int[] counts, int[] wanted) {
        for (int type = 0; type < wanted.length; type++) {
            if (counts[type] < wanted[type]) {
                return false;
            }
        }
        return true;
    }

    /**
     * Weight of the heaviest configuration for weights by type, if some configuration is known to reach a weight; only
     * for a set that is not listed.
     */
    long heaviestWeight(long[] weightOfType, long reached) {
        weigh(weightOfType);
        return Objects.requireNonNull(knapsack, LISTED).greatestWeight(weights, reached);
    }

    private void weigh(long[] weightOfType) {
        for (int i = 0; i < fitting.length; i++) {
            weights[i] = weightOfType[fitting[i]];
        }
    }

    /**
     * A configuration that is clearly heavier than a known one, or else the known one; only for a set that is not
     * listed; added if it is new.
     */
    int improved(long[] weightOfType, int known) {
        weigh(weightOfType);
        for (int i = 0; i < fitting.length; i++) {
            found[i] = counts.get(known)[fitting[i]];
        }
        Objects.requireNonNull(knapsack, LISTED).improve(weights, within, BRANCHES, found);
        return addFilled();
    }

    /** The configuration of {@link #heaviestWeight}, added if it is new. */
    int heaviest(long[] weightOfType, long reached) {
        weigh(weightOfType);
        Objects.requireNonNull(knapsack, LISTED).anyBest(weights, reached, found);
        return addFilled();
    }

    /** Makes the found configuration maximal, lowest types first, and returns its number. */
    private int addFilled() {
        for (int i = 0; i < fitting.length; i++) {
            fill(i);
        }
        int[] spread = spread(found);
        for (int configuration = 0; configuration < size(); configuration++) {
            if (Arrays.equals(counts.get(configuration), spread)) {
                return configuration;
            }
        }
        add(spread);
        return size() - 1;
    }

    private void fill(int i) {
        long most = Integer.MAX_VALUE;
        for (int r = 0; r < capacity.length; r++) {
            long left = capacity[r];
            for (int j = 0; j < fitting.length; j++) {
                left -= found[j] * demand[j][r];
            }
            if (demand[i][r] > 0) {
                most = Math.min(most, left / demand[i][r]);
            }
        }
        found[i] += (int) most;
    }

    private int[] spread(int[] ofFitting) {
        int[] spread = new int[types];
        for (int i = 0; i < fitting.length; i++) {
            spread[fitting[i]] = ofFitting[i];
        }
        return spread;
    }

    private void add(int[] configuration) {
        int[] among = new int[types];
        int size = 0;
        for (int type = 0; type < types; type++) {
            if (configuration[type] > 0) {
                among[size++] = type;
                int at = 2 * pairs[type]++;
                if (at == having[type].length) {
                    having[type] = Arrays.copyOf(having[type], Math.max(8, 2 * at));
                }
                having[type][at] = counts.size();
                having[type][at + 1] = configuration[type];
            }
        }
        typesOf.add(Arrays.copyOf(among, size));
        counts.add(configuration);
    }

    /** Writes what was found. */
    void save(StateWriter out) {
        if (!isListed()) {
            out.putInt(size());
            for (int[] each : counts) {
                out.putInts(each, types);
            }
        }
    }

    /** Reads the found configurations; the initial ones are in the set already. */
    void restore(StateReader in) {
        if (!isListed()) {
            int saved = in.getInt();
            for (int configuration = 0; configuration < saved; configuration++) {
                int[] each = in.getInts();
                if (configuration >= size()) {
                    add(each);
                }
            }
        }
    }
}
