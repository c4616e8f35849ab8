package dev.stowage.optimize.bound;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * How far a load of any distribution of demands may grow: rho* of Theorem 1 (Psychas and Ghaderi 2019) for a load of
 * probabilities, in any number of resources and for unequal servers.
 *
 * <p>The demands are divided into classes. Rounded up to the maximum of their class they are harder to serve, rounded
 * down to the minimum easier: {@link CapacityRegion} gives a lower bound for the first and an upper bound for the
 * second. The partition is refined until the bounds meet within a tolerance.
 *
 * @param lower lower bound of the rounded-up load, rounded down
 * @param upper upper bound of the rounded-down load, rounded up
 * @param classes classes of the partition
 * @param misfits classes with a request that fits no server; if there are any, the lower bound is 0
 * @param lowerProof proof of the lower bound, over the types {@code demand}
 * @param demand demand of the classes, rounded up
 * @param end why the classes were not refined any more
 */
public record LoadBound(
        double lower,
        double upper,
        int classes,
        int misfits,
        SupportableLoad lowerProof,
        List<long[]> demand,
        End end) {
    /** Why refining ended. */
    public enum End {
        /** The bounds meet within the tolerance. */
        WITHIN_TOLERANCE,
        /** Every class is one of the given cells. */
        FINEST,
        /** Every class has a single demand, and the search for configurations proves no more. */
        SEARCH,
        /** There are as many classes as were allowed. */
        MOST_CLASSES
    }

    /** BF-J/S supports at least this part of rho*, where sizes have a lower limit (Theorem 2). */
    public static final double BEST_FIT_GUARANTEE = 1.0 / 2;

    /**
     * VQS supports at least this part of rho*, where sizes are at least 2^-J (Theorem 3), and so does VQS-BF (Corollary
     * 1).
     */
    public static final double VIRTUAL_QUEUES_GUARANTEE = 2.0 / 3;

    private static final int FIRST = 16;

    /**
     * Bounds within a tolerance, if the limit on classes allows it.
     *
     * @param servers server classes
     * @param cells the load
     * @param tolerance largest gap between the bounds, relative; above 0
     * @param mostClasses where refining ends
     * @throws IllegalArgumentException if there is no load, or a tolerance or number of classes out of range
     */
    public static LoadBound of(List<ServerClass> servers, List<LoadCell> cells, double tolerance, int mostClasses) {
        if (!(tolerance > 0 && tolerance < 1) || mostClasses < 1) {
            throw new IllegalArgumentException(
                    "tolerance " + tolerance + " must be between 0 and 1, and " + mostClasses + " classes at least 1");
        }
        List<LoadCell> loaded = cells.stream().filter(cell -> cell.load() > 0).toList();
        if (loaded.isEmpty()) {
            throw new IllegalArgumentException("no demand has a load above 0");
        }
        DemandPartition partition = new DemandPartition(loaded, largest(servers));
        double lower = 0;
        double upper = Double.POSITIVE_INFINITY;
        for (int classes = Math.min(FIRST, mostClasses); ; classes = Math.min(2 * classes, mostClasses)) {
            partition.refine(classes);
            List<LoadCell> parts = partition.classes();
            boolean points = parts.stream().allMatch(part -> Arrays.equals(part.least(), part.most()));
            // Half of the tolerance is for the rounding, half for the search.
            SupportableLoad up = scale(servers, parts, true, tolerance / 2);
            SupportableLoad down = points ? up : scale(servers, parts, false, tolerance / 2);
            lower = Math.max(lower, up.lower());
            upper = Math.min(upper, down.upper());
            boolean within = upper - lower <= tolerance * upper;
            if (within || partition.finest() || classes >= mostClasses) {
                List<long[]> demand = parts.stream().map(LoadCell::most).toList();
                End end = within
                        ? End.WITHIN_TOLERANCE
                        : points ? End.SEARCH : partition.finest() ? End.FINEST : End.MOST_CLASSES;
                return new LoadBound(lower, upper, parts.size(), up.misfits().size(), up, demand, end);
            }
        }
    }

    private static long[] largest(List<ServerClass> servers) {
        long[] largest = servers.get(0).capacity().clone();
        for (ServerClass each : servers) {
            for (int r = 0; r < largest.length; r++) {
                largest[r] = Math.max(largest[r], each.capacity()[r]);
            }
        }
        return largest;
    }

    /** The capacity region of the classes rounded up or down; classes rounded down to zero demand need no capacity. */
    private static SupportableLoad scale(
            List<ServerClass> servers, List<LoadCell> parts, boolean up, double tolerance) {
        List<long[]> demand = new ArrayList<>();
        List<Double> load = new ArrayList<>();
        List<Integer> kinds = new ArrayList<>();
        for (LoadCell part : parts) {
            long[] each = up ? part.most() : part.least();
            if (Arrays.stream(each).anyMatch(amount -> amount > 0)) {
                demand.add(each);
                load.add(part.load());
                kinds.add(part.kind());
            }
        }
        if (demand.isEmpty()) {
            return new SupportableLoad(
                    Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, new long[0], List.of(), List.of(), 0);
        }
        return new CapacityRegion(
                        servers,
                        demand.toArray(long[][]::new),
                        kinds.stream().mapToInt(Integer::intValue).toArray())
                .scale(load.stream().mapToDouble(Double::doubleValue).toArray(), tolerance);
    }

    /** Difference of the bounds, relative to the upper one. */
    public double gap() {
        return upper > lower ? (upper - lower) / upper : 0;
    }
}
