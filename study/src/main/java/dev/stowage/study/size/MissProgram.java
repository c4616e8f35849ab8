package dev.stowage.study.size;

import dev.stowage.optimize.bound.CheapestServers.LeastCost;
import dev.stowage.optimize.lp.LinearProgram;
import dev.stowage.optimize.lp.LinearSolution;
import dev.stowage.optimize.lp.LinearSolver;
import dev.stowage.optimize.lp.LinearSolvers;
import dev.stowage.optimize.lp.SolverException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntToLongFunction;
import java.util.function.Supplier;

/**
 * The least cost of servers if some requests may miss a target, whichever are chosen: a linear program over some
 * moments. A fraction of each request may be missed. At each moment and for each resource the present requests, less
 * the missed fractions, must fit into the servers together, and no more requests may be missed than are allowed. A
 * missed request frees its amounts at all moments at which it would be present; so servers are needed if many requests
 * must be missed over a sequence of moments, even if few at each.
 *
 * <p>The bound is computed from the program's prices alone. For any prices y of a unit of a resource at a moment and
 * sigma of a miss, at least zero, such that no server is worth more than its price, by weak duality servers cost at
 * least the sum of y S over moments and resources, less sigma for each miss that is allowed, less what the amounts of
 * each request are worth above sigma.
 */
final class MissProgram {
    private static final int[] WINDOWS = {400, 200, 100, 50, 25, 12};
    private static final int MOST_ENTRIES = 120_000;

    private final double[][] size;
    private final double[] price;
    private final RequestList requests;
    private final long allowed;
    private final long[] moments;
    /** By moment and resource, the present demand less the capacity of servers that stay. */
    private final double[][] need;

    private final List<Group> groups;

    /** Requests of a kind that are present from one moment to another, both included. */
    private record Group(int kind, int first, int last, int count) {}

    /** The need at a moment. */
    private record At(long nanos, double[] need) {}

    private MissProgram(
            double[][] size,
            double[] price,
            RequestList requests,
            long allowed,
            long[] moments,
            double[][] need,
            List<Group> groups) {
        this.moments = moments;
        this.size = size;
        this.price = price;
        this.requests = requests;
        this.allowed = allowed;
        this.need = need;
        this.groups = groups;
    }

    /**
     * The bound.
     *
     * @param size by kind of server and resource
     * @param price of a server of each kind
     * @param fixed by resource, capacity of servers that stay
     * @param allowed number of allowed misses
     * @param sweeps of the requests that count
     * @param present first moment at which a request is certain to be present; {@link Long#MAX_VALUE} for one that does
     *     not count
     * @param end later moments do not count
     */
    static MissPrices least(
            double[][] size,
            double[] price,
            double[] fixed,
            RequestList requests,
            long allowed,
            Supplier<Sweep> sweeps,
            IntToLongFunction present,
            long end) {
        for (int windows : WINDOWS) {
            List<At> at = moments(fixed, sweeps.get(), end, windows);
            long[] moments = at.stream().mapToLong(At::nanos).toArray();
            List<Group> groups = groups(requests, present, moments);
            long entries = groups.stream()
                    .mapToLong(group -> group.last() - group.first() + 1)
                    .sum();
            if (entries <= MOST_ENTRIES) {
                double[][] need = at.stream().map(At::need).toArray(double[][]::new);
                return new MissProgram(size, price, requests, allowed, moments, need, groups).solve();
            }
        }
        return nothing(price.length);
    }

    private static MissPrices nothing(int kinds) {
        return new MissPrices(LeastCost.nothing(kinds), new long[0], new double[0][]);
    }

    /**
     * The least cost with the prices that prove it.
     *
     * @param moments nanoseconds, ascending
     * @param price of a unit by moment and resource, at which no server is worth more than its own price
     */
    record MissPrices(LeastCost cost, long[] moments, double[][] price) {}

    /** In each window of time the moment at which a resource is at its greatest, for each resource. */
    private static List<At> moments(double[] fixed, Sweep sweep, long end, int windows) {
        int resources = sweep.resources();
        Map<Long, At> kept = new TreeMap<>();
        long[] most = new long[resources];
        At[] best = new At[resources];
        long window = -1;
        long width = end / windows + 1;
        while (sweep.next()) {
            if (sweep.now() / width != window) {
                keep(best, kept);
                Arrays.fill(best, null);
                Arrays.fill(most, 0);
                window = sweep.now() / width;
            }
            for (int r = 0; r < resources; r++) {
                if (sweep.sum(r) > most[r]) {
                    most[r] = sweep.sum(r);
                    best[r] = new At(sweep.now(), need(fixed, sweep));
                }
            }
        }
        keep(best, kept);
        return List.copyOf(kept.values());
    }

    private static void keep(At[] best, Map<Long, At> kept) {
        for (At each : best) {
            if (each != null) {
                // At one moment requests only arrive, so a later observation has more of everything.
                kept.merge(each.nanos(), each, (a, b) -> sum(b) >= sum(a) ? b : a);
            }
        }
    }

    private static double sum(At at) {
        return Arrays.stream(at.need()).sum();
    }

    private static double[] need(double[] fixed, Sweep sweep) {
        double[] need = new double[fixed.length];
        Arrays.setAll(need, r -> sweep.sum(r) - fixed[r]);
        return need;
    }

    private static List<Group> groups(RequestList requests, IntToLongFunction present, long[] moments) {
        Map<Long, Group> groups = new TreeMap<>();
        for (int i = 0; i < requests.size(); i++) {
            long from = present.applyAsLong(i);
            long until = requests.until()[i];
            int kind = requests.kind()[i];
            int first = index(moments, from);
            int last = index(moments, until) - 1;
            if (from < until && first <= last) {
                long key = ((long) kind * moments.length + first) * moments.length + last;
                groups.merge(
                        key,
                        new Group(kind, first, last, 1),
                        (a, b) -> new Group(kind, a.first(), a.last(), a.count() + 1));
            }
        }
        return List.copyOf(groups.values());
    }

    /** Index of the first moment at or after a time. */
    private static int index(long[] moments, long nanos) {
        int found = Arrays.binarySearch(moments, nanos);
        return found >= 0 ? found : -found - 1;
    }

    private MissPrices solve() {
        int resources = need.length == 0 ? 0 : need[0].length;
        int[][] row = new int[need.length][resources];
        LinearProgram program = LinearProgram.minimize();
        boolean tight = false;
        for (int m = 0; m < need.length; m++) {
            for (int r = 0; r < resources; r++) {
                boolean matters = need[m][r] > 0 && unit(r) > 0;
                row[m][r] = matters ? program.addRow(need[m][r] / unit(r), Double.POSITIVE_INFINITY) : -1;
                tight |= matters;
            }
        }
        if (!tight) {
            return nothing(price.length);
        }
        int misses = program.addRow(Double.NEGATIVE_INFINITY, (double) allowed);
        for (int l = 0; l < price.length; l++) {
            addServers(program, row, l);
        }
        for (Group group : groups) {
            addMisses(program, row, misses, group);
        }
        try (LinearSolver solver = LinearSolvers.best().open(program)) {
            LinearSolution solution = solver.solve();
            return solution.optimal() ? byPrices(solution, row, misses) : nothing(price.length);
        } catch (SolverException e) {
            return nothing(price.length);
        }
    }

    /** Amounts are measured in capacities of the largest server. */
    private double unit(int resource) {
        double largest = 0;
        for (double[] each : size) {
            largest = Math.max(largest, each[resource]);
        }
        return largest;
    }

    private void addServers(LinearProgram program, int[][] row, int l) {
        List<Integer> rows = new ArrayList<>();
        List<Double> values = new ArrayList<>();
        for (int[] ofMoment : row) {
            for (int r = 0; r < ofMoment.length; r++) {
                if (ofMoment[r] >= 0 && size[l][r] > 0) {
                    rows.add(ofMoment[r]);
                    values.add(size[l][r] / unit(r));
                }
            }
        }
        program.addColumn(
                price[l],
                0,
                Double.POSITIVE_INFINITY,
                rows.stream().mapToInt(Integer::intValue).toArray(),
                values.stream().mapToDouble(Double::doubleValue).toArray());
    }

    private void addMisses(LinearProgram program, int[][] row, int misses, Group group) {
        long[] demand = requests.demands()[group.kind()];
        int[] rows = new int[(group.last() - group.first() + 1) * demand.length + 1];
        double[] values = new double[rows.length];
        rows[0] = misses;
        values[0] = 1;
        int entries = 1;
        for (int m = group.first(); m <= group.last(); m++) {
            for (int r = 0; r < demand.length; r++) {
                if (row[m][r] >= 0 && demand[r] > 0) {
                    rows[entries] = row[m][r];
                    values[entries++] = demand[r] / unit(r);
                }
            }
        }
        if (entries > 1) {
            program.addColumn(0, 0, group.count(), Arrays.copyOf(rows, entries), Arrays.copyOf(values, entries));
        }
    }

    private MissPrices byPrices(LinearSolution solution, int[][] row, int misses) {
        double[][] y = new double[need.length][];
        double worthOfAll = 0;
        for (int m = 0; m < need.length; m++) {
            y[m] = new double[need[m].length];
            for (int r = 0; r < need[m].length; r++) {
                y[m][r] = row[m][r] < 0 ? 0 : Math.max(0, solution.dual()[row[m][r]]) / unit(r);
                worthOfAll += y[m][r] == 0 ? 0 : y[m][r] * need[m][r];
            }
        }
        double sigma = Math.max(0, -solution.dual()[misses]);
        double above = sigma * allowed;
        for (Group group : groups) {
            above += group.count() * Math.max(0, worth(y, requests.demands()[group.kind()], group) - sigma);
        }
        double[] worth = new double[price.length];
        double scale = Double.POSITIVE_INFINITY;
        for (int l = 0; l < price.length; l++) {
            for (double[] ofMoment : y) {
                for (int r = 0; r < ofMoment.length; r++) {
                    worth[l] += ofMoment[r] * size[l][r];
                }
            }
            scale = worth[l] > 0 ? Math.min(scale, price[l] / worth[l]) : scale;
        }
        if (scale == Double.POSITIVE_INFINITY) {
            return nothing(price.length);
        }
        double factor = scale;
        LeastCost cost = new LeastCost(
                Math.max(0, factor * (worthOfAll - above)),
                solution.objective(),
                Arrays.copyOf(solution.primal(), price.length),
                Arrays.stream(worth).map(each -> each * factor).toArray(),
                new double[0],
                LeastCost.nothing(price.length).proof());
        for (double[] ofMoment : y) {
            Arrays.setAll(ofMoment, r -> ofMoment[r] * factor);
        }
        return new MissPrices(cost, moments, y);
    }

    private static double worth(double[][] y, long[] demand, Group group) {
        double worth = 0;
        for (int m = group.first(); m <= group.last(); m++) {
            for (int r = 0; r < demand.length; r++) {
                worth += y[m][r] * demand[r];
            }
        }
        return worth;
    }
}
