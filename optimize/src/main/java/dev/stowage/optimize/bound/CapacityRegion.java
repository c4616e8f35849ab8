package dev.stowage.optimize.bound;

import java.util.ArrayList;
import java.util.List;

/**
 * The capacity region C of a cluster: the loads rho with rho &le; sum over servers l of x_l, x_l in the convex hull of
 * the configurations of l (Ghaderi 2016, section III; Psychas and Ghaderi 2019, equation (4)). A load inside can be
 * supported by some policy, a load outside by none. Any number of resources, types and classes of equal servers.
 *
 * <p>Method: column generation. A linear program mixes the configurations known so far; with its shadow prices, rounded
 * to whole numbers, an exact knapsack per class looks for a configuration worth more. The bounds do not depend on the
 * solver of the linear programs being right: the lower one is computed from the mix, the upper one from the prices and
 * the exact answers of the knapsacks, and is valid for any prices. See docs/bounds.md.
 */
public final class CapacityRegion {
    /** Relative margin far above the rounding errors of the sums here and far below any tolerance. */
    private static final double ROUNDING = 1e-12;

    private final List<ServerClass> classes;
    private final long[][] demand;
    private final int[] kinds;

    /**
     * A cluster and the types of its requests.
     *
     * @param classes server classes, at least one
     * @param demand demand per type and resource; every type demands something
     * @throws IllegalArgumentException if there is no class or type, sizes differ, or a type demands nothing
     */
    public CapacityRegion(List<ServerClass> classes, long[][] demand) {
        this(classes, demand, new int[demand.length]);
    }

    /** The same with the kind of each type, which some classes of servers do not admit. */
    public CapacityRegion(List<ServerClass> classes, long[][] demand, int[] kinds) {
        if (classes.isEmpty() || demand.length == 0) {
            throw new IllegalArgumentException(
                    classes.size() + " classes of servers and " + demand.length + " types, must be at least 1 of each");
        }
        this.classes = List.copyOf(classes);
        this.demand = demand.clone();
        this.kinds = kinds.clone();
        if (kinds.length != demand.length) {
            throw new IllegalArgumentException(kinds.length + " kinds for " + demand.length + " types");
        }
        for (int j = 0; j < demand.length; j++) {
            this.demand[j] = demand[j].clone();
            check(j);
        }
    }

    private void check(int type) {
        long largest = 0;
        for (long amount : demand[type]) {
            if (amount < 0) {
                throw new IllegalArgumentException("type " + type + " demands " + amount + ", must be at least 0");
            }
            largest = Math.max(largest, amount);
        }
        if (largest == 0) {
            throw new IllegalArgumentException("type " + type + " demands nothing: any load of it is supportable");
        }
        for (ServerClass each : classes) {
            if (each.capacity().length != demand[type].length) {
                throw new IllegalArgumentException("type " + type + " demands " + demand[type].length
                        + " resources, servers have " + each.capacity().length);
            }
        }
    }

    /**
     * How far a load may grow. Stops when the bounds are within the tolerance, or no configuration improves them.
     *
     * @param load per type, mean number in service: arrivals per second times mean service time in seconds
     * @param tolerance largest gap between the bounds, relative; 0 for the best that the numbers allow
     * @throws IllegalArgumentException if a load is negative or not a number, all are 0, or there are not as many as
     *     types
     */
    public SupportableLoad scale(double[] load, double tolerance) {
        return scale(load, tolerance, Integer.MAX_VALUE);
    }

    /**
     * As {@link #scale(double[], double)}, with a limit on the rounds: the bounds are valid, but their gap may be
     * larger.
     */
    public SupportableLoad scale(double[] load, double tolerance, int rounds) {
        List<Integer> wanted = new ArrayList<>();
        List<Integer> misfits = new ArrayList<>();
        check(load);
        for (int j = 0; j < load.length; j++) {
            if (load[j] > 0) {
                int type = j;
                wanted.add(j);
                if (classes.stream().noneMatch(each -> each.admits(kinds[type]) && each.fits(demand[type]))) {
                    misfits.add(j);
                }
            }
        }
        if (!misfits.isEmpty()) {
            return new SupportableLoad(0, 0, new long[load.length], List.of(), misfits, 0);
        }
        long[][] demands = new long[wanted.size()][];
        double[] loads = new double[wanted.size()];
        int[] kindOf = new int[wanted.size()];
        for (int i = 0; i < loads.length; i++) {
            demands[i] = demand[wanted.get(i)];
            loads[i] = load[wanted.get(i)];
            kindOf[i] = kinds[wanted.get(i)];
        }
        try (ColumnGeneration search = new ColumnGeneration(classes, demands, loads, kindOf)) {
            search.run(tolerance, rounds);
            return spread(search, wanted, load.length);
        }
    }

    private void check(double[] load) {
        if (load.length != demand.length) {
            throw new IllegalArgumentException(load.length + " loads for " + demand.length + " types");
        }
        double sum = 0;
        for (int j = 0; j < load.length; j++) {
            if (!(load[j] >= 0 && load[j] < Double.POSITIVE_INFINITY)) {
                throw new IllegalArgumentException("load of type " + j + " is " + load[j] + ", must be 0 or more");
            }
            sum += load[j];
        }
        if (!(sum > 0)) {
            throw new IllegalArgumentException("the load of every type is 0; at least one must be above 0");
        }
    }

    /** The result in terms of all types: those without load have no price and no requests. */
    private static SupportableLoad spread(ColumnGeneration search, List<Integer> wanted, int types) {
        long[] prices = new long[types];
        for (int i = 0; i < wanted.size(); i++) {
            prices[wanted.get(i)] = search.prices()[i];
        }
        List<SupportableLoad.Share> shares = new ArrayList<>();
        for (SupportableLoad.Share share : search.shares()) {
            int[] counts = new int[types];
            for (int i = 0; i < wanted.size(); i++) {
                counts[wanted.get(i)] = share.counts()[i];
            }
            shares.add(new SupportableLoad.Share(share.serverClass(), counts, share.servers()));
        }
        return new SupportableLoad(
                search.lower() * (1 - ROUNDING),
                search.upper() * (1 + ROUNDING),
                prices,
                shares,
                List.of(),
                search.rounds());
    }
}
