package dev.stowage.optimize.configuration;

import java.util.ArrayList;
import java.util.List;

/**
 * All configurations of a server: the feasible ones, and the maximal ones, to which no request of any type can be
 * added. In lexicographic order, the largest first. Their number grows fast with the number of types; beyond a limit
 * enumeration throws and returns no partial list.
 */
public final class Configurations {
    private final long[] capacity;
    private final long[][] demand;
    private final boolean onlyMaximal;
    private final int limit;
    private final List<int[]> found = new ArrayList<>();
    private final int[] current;
    private final long[] left;

    private Configurations(long[] capacity, long[][] demand, boolean onlyMaximal, int limit) {
        Shapes.check(capacity, demand);
        this.capacity = capacity;
        this.demand = demand;
        this.onlyMaximal = onlyMaximal;
        this.limit = limit;
        this.current = new int[demand.length];
        this.left = capacity.clone();
    }

    /**
     * The maximal configurations of a server, counts per type.
     *
     * @param capacity capacity per resource
     * @param demand demand per type and resource; every type demands something
     * @param limit most configurations to enumerate
     * @throws TooManyConfigurationsException if there are more
     */
    public static List<int[]> maximal(long[] capacity, long[][] demand, int limit) {
        return new Configurations(capacity, demand, true, limit).enumerate();
    }

    /** As {@link #maximal}, of all feasible configurations, the empty one included. */
    public static List<int[]> feasible(long[] capacity, long[][] demand, int limit) {
        return new Configurations(capacity, demand, false, limit).enumerate();
    }

    /**
     * The given distinct configurations without those that a convex combination of the others reaches or exceeds in
     * every type, in the same order. For any nonnegative weights a heaviest configuration is among the result (Guo,
     * Stolyar and Walid 2013, section II-B).
     */
    public static List<int[]> undominated(List<int[]> configurations) {
        List<int[]> kept = new ArrayList<>(configurations);
        for (int i = kept.size() - 1; i >= 0; i--) {
            int[] configuration = kept.remove(i);
            if (!Dominance.holds(configuration, kept)) {
                kept.add(i, configuration);
            }
        }
        return kept;
    }

    private List<int[]> enumerate() {
        choose(0);
        return found;
    }

    private void choose(int type) {
        if (type == demand.length) {
            if (!onlyMaximal || isMaximal()) {
                add();
            }
            return;
        }
        int most = Shapes.most(left, demand[type]);
        take(type, most);
        for (int count = most; ; count--) {
            if (!onlyMaximal || count == most || othersCouldFill(type)) {
                choose(type + 1);
            }
            if (count == 0) {
                return;
            }
            take(type, -1);
        }
    }

    /**
     * Whether the types after this one could leave less free than its demand; otherwise one more request of it always
     * fits.
     */
    private boolean othersCouldFill(int type) {
        for (int j = type + 1; j < demand.length; j++) {
            if (Shapes.most(left, demand[j]) > 0) {
                for (int r = 0; r < left.length; r++) {
                    if (demand[j][r] > 0 && demand[type][r] > 0) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    private boolean isMaximal() {
        for (long[] each : demand) {
            if (Shapes.most(left, each) > 0) {
                return false;
            }
        }
        return true;
    }

    private void add() {
        if (found.size() == limit) {
            throw new TooManyConfigurationsException(limit, demand.length, capacity);
        }
        found.add(current.clone());
    }

    private void take(int type, int count) {
        current[type] += count;
        for (int r = 0; r < left.length; r++) {
            left[r] -= demand[type][r] * count;
        }
    }
}
