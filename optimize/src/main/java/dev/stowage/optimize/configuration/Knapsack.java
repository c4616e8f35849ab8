package dev.stowage.optimize.configuration;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The heaviest configuration of a server: counts k that maximise the sum of w_j k_j while the sum of k_j a_j stays
 * within the capacity in every resource. A knapsack in several resources, solved exactly in whole numbers.
 *
 * <p>Of several heaviest configurations the lexicographically largest is given: as many as possible of type 0, then of
 * type 1, and so on, among the types of positive weight.
 *
 * <p>Method: branch and bound, depth first, over the types by falling weight per unit of a mix of the resources,
 * starting with the greedy filling. The bound of a branch is the least of one fractional bound per resource and one for
 * the mix, with a margin for rounding, so no heavier configuration is missed. Then each count in turn is raised as far
 * as the optimum allows. Exponential in the worst case; see docs/bounds.md for its time on the instance types of cloud
 * providers. Where the same server is asked again and again with weights that change little, a table of its rooms gives
 * better bounds, which stay good from one time to the next.
 *
 * <p>Not thread-safe: it reuses its arrays.
 */
public final class Knapsack {
    /** Relative margin of the bounds, far above the rounding of a few dozen operations. */
    private static final double MARGIN = 1 + 1e-11;
    /** Number of branches after which a search with tolerance doubles its tolerance: some ten milliseconds. */
    private static final int PATIENCE = 100_000;

    private final int types;
    private final int resources;
    private final long[] capacity;
    private final long[][] demand;
    private final MixedPrices mix;
    /** Prices of the resources in each bound: one resource alone, or the mix. */
    private final double[][] prices;
    /** Per bound and position in the order: greatest weight per price from there on. */
    private final double[][] perPrice;

    private final int[] order;
    private final double[] efficiency;
    private final int[] atMost;
    private final int[] current;
    private final int[] found;
    private final long[] left;
    private final boolean[] settled;
    private long[] weight = {};
    private int used;
    /**
     * The search looks for a configuration at least this heavy, and on success for a heavier one unless one is enough.
     */
    private long goal;

    private boolean oneIsEnough;
    /** The search ignores configurations that are heavier by less than this, relative. */
    private double tolerance;
    /** Number of branches after which the tolerance doubles. */
    private int patience;

    private int patienceAgain;
    /** Number of branches after which a search gives up. */
    private long branches = Long.MAX_VALUE;
    /** Null where it would be too large. */
    private final @Nullable RoomSearch rooms;
    /** Whether types of weight 0 fill the room that the heaviest configuration leaves. */
    private boolean fills;

    /**
     * A server and the types it may hold.
     *
     * @param capacity capacity per resource, at least 0
     * @param demand demand per type and resource, at least 0; every type must demand something
     * @throws IllegalArgumentException if sizes differ, an amount is negative, or a type demands nothing
     */
    public Knapsack(long[] capacity, long[][] demand) {
        Shapes.check(capacity, demand);
        this.types = demand.length;
        this.resources = capacity.length;
        this.capacity = capacity.clone();
        this.demand = Shapes.copy(demand);
        this.rooms = RoomSearch.of(this.capacity, this.demand);
        this.mix = new MixedPrices(this.capacity, this.demand);
        this.prices = new double[resources + 1][resources];
        this.perPrice = new double[resources + 1][types + 1];
        this.order = new int[types];
        this.efficiency = new double[types];
        this.atMost = new int[types];
        this.current = new int[types];
        this.found = new int[types];
        this.left = new long[resources];
        this.settled = new boolean[types];
        for (int r = 0; r < resources; r++) {
            prices[r][r] = 1;
            prices[resources][r] = 1.0 / Math.max(1, capacity[r]);
        }
    }

    /**
     * The prices of the resources that guided the last search that needed prices: no configuration weighs more than the
     * cost of the whole capacity times the greatest weight per price of a type, and for the weights of that search this
     * bound is close. Before the first search the price of a resource is the reciprocal of its capacity.
     *
     * @param into receives a price above 0 per resource
     */
    public void mixedPrices(double[] into) {
        System.arraycopy(prices[resources], 0, into, 0, resources);
    }

    /**
     * The heaviest configuration.
     *
     * @param weights per type; types of weight 0 or less are not used
     * @param counts receives the configuration
     * @return its weight
     * @throws ArithmeticException if a weight times a count could exceed a long
     */
    public long best(long[] weights, int[] counts) {
        Arrays.fill(atMost, Integer.MAX_VALUE);
        return solve(weights, counts);
    }

    /**
     * As {@link #best(long[], int[])}, with at most {@code limits[j]} requests of type j.
     *
     * @throws IllegalArgumentException if a limit is negative
     */
    public long best(long[] weights, int[] limits, int[] counts) {
        limit(limits);
        return solve(weights, counts);
    }

    /**
     * As {@link #best(long[], int[], int[])}, but types of weight 0 are used too, as far as they fit: the
     * lexicographically largest of all heaviest configurations.
     */
    public long fullest(long[] weights, int[] limits, int[] counts) {
        limit(limits);
        fills = true;
        try {
            return solve(weights, counts);
        } finally {
            fills = false;
        }
    }

    private void limit(int[] limits) {
        for (int j = 0; j < types; j++) {
            if (limits[j] < 0) {
                throw new IllegalArgumentException("limit " + limits[j] + " of type " + j + ", must be at least 0");
            }
        }
        System.arraycopy(limits, 0, atMost, 0, types);
    }

    /**
     * A configuration that is nearly the heaviest, and an upper bound of all weights: for large servers and many types,
     * where an exact proof takes too long. If the search takes too long even so, the tolerance doubles; the bound stays
     * valid.
     *
     * @param weights per type; types of weight 0 or less are not used
     * @param within what is heavier by less than this, relative, need not be found, above 0
     * @param counts receives the configuration
     * @return the limit: no configuration weighs more
     * @throws IllegalArgumentException if the tolerance is not above 0
     * @throws ArithmeticException if a weight times a count could exceed a long
     */
    public long nearlyBest(long[] weights, double within, int[] counts) {
        if (!(within > 0 && within < 1)) {
            throw new IllegalArgumentException("tolerance " + within + ", must be above 0 and below 1");
        }
        Arrays.fill(atMost, Integer.MAX_VALUE);
        prepare(weights, counts);
        tolerance = within;
        patience = PATIENCE;
        patienceAgain = PATIENCE;
        search(0, 0);
        System.arraycopy(found, 0, counts, 0, types);
        return goal - 1;
    }

    /**
     * Looks for a configuration that is heavier than another one by more than a tolerance. If that takes too many
     * branches, the tolerance doubles, so the time is bounded.
     *
     * @param weights per type; types of weight 0 or less are not used
     * @param within what is heavier by less than this, relative, need not be found, above 0
     * @param branches branches of the search until {@code within} doubles, at least 1
     * @param counts the configuration to be beaten; receives the heaviest found, if one was
     * @throws IllegalArgumentException if the tolerance or the branches are out of their range
     * @throws ArithmeticException if a weight times a count could exceed a long
     */
    public void improve(long[] weights, double within, int branches, int[] counts) {
        if (!(within > 0 && within < 1) || branches < 1) {
            throw new IllegalArgumentException("tolerance " + within + ", must be above 0 and below 1, and " + branches
                    + " branches, must be at least 1");
        }
        Arrays.fill(atMost, Integer.MAX_VALUE);
        prepare(weights, counts);
        System.arraycopy(counts, 0, found, 0, types);
        tolerance = within;
        patience = branches;
        patienceAgain = branches;
        goal = beyond(weigh(found));
        search(0, 0);
        System.arraycopy(found, 0, counts, 0, types);
    }

    /**
     * A heaviest configuration: of several, the choice is determined by the weights but need not be the
     * lexicographically largest. Takes a fraction of the time of {@link #best(long[], int[])}, which also breaks ties.
     *
     * @param weights per type; types of weight 0 or less are not used
     * @param reached weight of some configuration, the nearer to the greatest the quicker; or 0
     * @param counts receives the configuration
     * @return its weight
     * @throws ArithmeticException if a weight times a count could exceed a long
     */
    public long anyBest(long[] weights, long reached, int[] counts) {
        Arrays.fill(atMost, Integer.MAX_VALUE);
        prepare(weights, counts);
        searchEither(Math.max(1, reached));
        System.arraycopy(found, 0, counts, 0, types);
        return goal - 1;
    }

    /**
     * The weight of {@link #anyBest}, in a fraction of its time where few weights differ from those of the last call.
     *
     * @param weights per type; types of weight 0 or less are not used
     * @param reached weight of some configuration, the nearer to the greatest the quicker; or 0
     * @throws ArithmeticException if a weight times a count could exceed a long
     */
    public long greatestWeight(long[] weights, long reached) {
        if (rooms == null || !rooms.isMade() || weights.length != types) {
            return anyBest(weights, reached, new int[types]);
        }
        Arrays.fill(atMost, Integer.MAX_VALUE);
        use(weights);
        searchEither(Math.max(1, reached));
        return goal - 1;
    }

    private void searchAll() {
        tolerance = 0;
        patience = Integer.MAX_VALUE;
        search(0, 0);
    }

    /** Searches with the bounds at hand, for what weighs so much at least: with those of the table once it is made. */
    private void searchEither(long least) {
        goal = least;
        if (rooms == null) {
            searchAll();
            return;
        }
        if (!rooms.isMade()) {
            branches = rooms.branches;
            searchAll();
            rooms.branches = branches;
            branches = Long.MAX_VALUE;
            if (rooms.branches > 0) {
                return;
            }
        }
        goal = rooms.heaviest(weight, order, used, least, found) + 1;
    }

    private long solve(long[] weights, int[] counts) {
        prepare(weights, counts);
        searchAll();
        long best = goal - 1;
        settle(best);
        System.arraycopy(found, 0, counts, 0, types);
        return best;
    }

    private void prepare(long[] weights, int[] counts) {
        if (weights.length != types || counts.length != types) {
            throw new IllegalArgumentException(
                    weights.length + " weights and " + counts.length + " counts, must be " + types + " of each");
        }
        use(weights);
        mix.fit(weight, order, used, prices[resources]);
        sort();
        goal = 1;
        oneIsEnough = false;
    }

    private void use(long[] weights) {
        weight = weights;
        reset();
        checkOverflow();
    }

    private void reset() {
        Arrays.fill(found, 0);
        Arrays.fill(current, 0);
        Arrays.fill(settled, false);
        System.arraycopy(capacity, 0, left, 0, resources);
        chooseTypes();
    }

    private void chooseTypes() {
        used = 0;
        for (int j = 0; j < types; j++) {
            if (weight[j] > 0 && !settled[j] && most(j) > 0) {
                order[used++] = j;
            }
        }
    }

    private void checkOverflow() {
        for (int i = 0; i < used; i++) {
            Math.multiplyExact(weight[order[i]], 2L * (resources + 1) * most(order[i]));
        }
    }

    private int most(int type) {
        return Math.min(atMost[type], Shapes.most(left, demand[type]));
    }

    /** Orders the types in use by falling weight per mixed price, then by index, and prepares the bounds. */
    private void sort() {
        for (int i = 0; i < used; i++) {
            int type = order[i];
            efficiency[type] = perPrice(type, prices[resources]);
            int at = i;
            while (at > 0 && efficiency[order[at - 1]] < efficiency[type]) {
                order[at] = order[at - 1];
                at--;
            }
            order[at] = type;
        }
        for (int bound = 0; bound <= resources; bound++) {
            perPrice[bound][used] = 0;
            for (int i = used - 1; i >= 0; i--) {
                perPrice[bound][i] = Math.max(perPrice[bound][i + 1], perPrice(order[i], prices[bound]));
            }
        }
    }

    private double perPrice(int type, double[] price) {
        return MixedPrices.perPrice(weight[type], demand[type], price);
    }

    /**
     * Searches the counts of the types from {@code position} on; the counts before weigh {@code value}. True: enough
     * found.
     */
    private boolean search(int position, long value) {
        if (value >= goal) {
            System.arraycopy(current, 0, found, 0, types);
            if (oneIsEnough) {
                return true;
            }
            goal = beyond(value);
        }
        if (--branches <= 0) {
            return true;
        }
        if (position == used) {
            return false;
        }
        if (tolerance > 0 && --patience == 0) {
            tolerance *= 2;
            patience = patienceAgain;
            goal = Math.max(goal, beyond(weigh(found)));
        }
        int type = order[position];
        int count = most(type);
        boolean enough = false;
        take(type, count);
        // Because of the order, the mixed bound of the rest does not grow when there are fewer of this type.
        while (!enough && couldReachGoal(resources, position + 1, value + weight[type] * count)) {
            if (everyBoundAllows(position + 1, value + weight[type] * count)) {
                enough = search(position + 1, value + weight[type] * count);
            }
            if (count == 0) {
                break;
            }
            take(type, -1);
            count--;
        }
        take(type, -count);
        return enough;
    }

    private long beyond(long value) {
        return value + 1 + (long) (tolerance * value);
    }

    private long weigh(int[] counts) {
        long sum = 0;
        for (int i = 0; i < used; i++) {
            sum += weight[order[i]] * counts[order[i]];
        }
        return sum;
    }

    private void take(int type, int count) {
        current[type] += count;
        for (int r = 0; r < resources; r++) {
            left[r] -= demand[type][r] * count;
        }
    }

    private boolean everyBoundAllows(int position, long value) {
        for (int r = 0; r < resources; r++) {
            if (!couldReachGoal(r, position, value)) {
                return false;
            }
        }
        return true;
    }

    private boolean couldReachGoal(int bound, int position, long value) {
        if (value >= goal) {
            return true;
        }
        double best = perPrice[bound][position];
        if (best == 0) {
            return false;
        }
        if (best == Double.POSITIVE_INFINITY) {
            return true;
        }
        double worth = 0;
        for (int r = 0; r < resources; r++) {
            worth += prices[bound][r] * left[r];
        }
        return best * worth * MARGIN >= goal - value;
    }

    /** Makes the configuration found the lexicographically largest of weight {@code best}. */
    private void settle(long best) {
        oneIsEnough = true;
        goal = best;
        long value = 0;
        for (int j = 0; j < types && (fills || value < best); j++) {
            if (weight[j] < 0 || (weight[j] == 0 && !fills)) {
                continue;
            }
            settled[j] = true;
            chooseTypes();
            sort();
            int count = most(j);
            take(j, count);
            while (count > found[j] && !search(0, value + weight[j] * count)) {
                take(j, -1);
                count--;
            }
            value += weight[j] * count;
        }
    }
}
