package dev.stowage.optimize.bound;

import dev.stowage.optimize.lp.LinearProgram;
import dev.stowage.optimize.lp.LinearSolution;
import dev.stowage.optimize.lp.LinearSolver;
import dev.stowage.optimize.lp.LinearSolvers;
import dev.stowage.optimize.lp.SolverException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The least cost of servers that hold given requests at one moment, of several kinds of servers with a price each: the
 * vector packing program over configurations (P. C. Gilmore and R. E. Gomory: A linear programming approach to the
 * cutting-stock problem, Operations Research 9, 1961), by column generation. With one kind at price 1 it is the least
 * number of servers.
 *
 * <p>The bound needs no trust in the solver. For prices w_j of requests, whole numbers, no server of kind l holds more
 * than the heaviest configuration h_l, an exact knapsack; so with s = min over l of p_l / h_l every set of servers
 * that holds n_j requests of each type costs at least s times the sum of w_j n_j. Where a requests may be left out,
 * the worth of the a dearest is taken off.
 */
public final class CheapestServers {
    /** Largest weight of a configuration at the rounded prices: far from overflow, fine enough for 12 digits. */
    private static final double LARGEST_WEIGHT = 1L << 50;
    /** An improvement smaller than this, relative, is rounding. */
    private static final double NO_IMPROVEMENT = 1e-11;
    /** Far above the rounding of the sums here, far below any tolerance. */
    private static final double ROUNDING = 1e-12;

    private static final double INFINITY = Double.POSITIVE_INFINITY;

    private final long[][] capacity;
    private final double[] price;
    private final long[][] demand;
    private final Pricer[] pricers;
    /** By kind: the first that holds the same. */
    private final int[] alike;
    /** By kind, of those that are alike the first: numbers of requests by type. */
    private final List<List<int[]>> configurations = new ArrayList<>();

    /**
     * Kinds of servers and types of requests.
     *
     * @param capacity per kind and resource
     * @param price of a server of each kind, above 0
     * @param demand per type and resource; every type demands something and fits some kind
     */
    public CheapestServers(long[][] capacity, double[] price, long[][] demand) {
        if (capacity.length == 0 || capacity.length != price.length || demand.length == 0) {
            throw new IllegalArgumentException(capacity.length + " kinds of servers, " + price.length + " prices, "
                    + demand.length + " types of requests");
        }
        this.capacity = capacity.clone();
        this.price = price.clone();
        this.demand = demand.clone();
        pricers = new Pricer[capacity.length];
        alike = new int[capacity.length];
        for (int l = 0; l < pricers.length; l++) {
            if (!(price[l] > 0 && price[l] < INFINITY)) {
                throw new IllegalArgumentException("price " + price[l] + " of a server must be above 0");
            }
            pricers[l] = Pricer.of(capacity[l], demand);
            configurations.add(new ArrayList<>());
            while (!Arrays.equals(capacity[alike[l]], capacity[l])) {
                alike[l]++;
            }
        }
    }

    /**
     * The least cost, and what leads to it.
     *
     * @param atLeast no servers that hold the requests cost less
     * @param atMost what the mix of the program costs, servers in parts
     * @param servers by kind, the mix of the program, in parts
     * @param worth by kind, what a server of it can hold at the prices of the program: one of a greater price is not
     *     worth it
     * @param prices per type, of one request, in the unit of the servers' prices
     * @param proof what {@code atLeast} follows from
     */
    public record LeastCost(
            double atLeast, double atMost, double[] servers, double[] worth, double[] prices, Weights proof) {
        /** No cost is known, whatever the kinds are. */
        public static LeastCost nothing(int kinds) {
            return new LeastCost(
                    0,
                    0,
                    new double[kinds],
                    new double[kinds],
                    new double[0],
                    new Weights(new long[0], new long[kinds]));
        }
    }

    /**
     * Prices in whole numbers: a set of servers costs at least the weight of what it holds, times the least price over
     * the heaviest of a kind.
     *
     * @param ofType of a request, per type
     * @param heaviest per kind of server, what no configuration exceeds
     */
    public record Weights(long[] ofType, long[] heaviest) {}

    /** Configurations of a kind of servers that were found, by which the next program begins. */
    public List<int[]> found(int kind) {
        return List.copyOf(configurations.get(alike[kind]));
    }

    /** Begins with configurations that were {@link #found} for servers that hold the same, and the same types. */
    public void startWith(int kind, List<int[]> known) {
        if (alike[kind] == kind) {
            configurations.get(kind).addAll(known);
        }
    }

    /**
     * Solves it, beginning with the configurations that were found before.
     *
     * @param number per type, how many requests there are
     * @param leftOut how many of them, of whichever type, need not be held
     * @param tolerance the search ends when the bounds are so near, relative
     * @param rounds most rounds
     */
    public LeastCost solve(double[] number, double leftOut, double tolerance, int rounds) {
        if (number.length != demand.length) {
            throw new IllegalArgumentException(number.length + " numbers for " + demand.length + " types");
        }
        Search search = new Search(number, leftOut);
        try (LinearSolver solver = LinearSolvers.best().open(search.program)) {
            for (int round = 0; round < rounds && search.improve(solver, tolerance); round++) {
                // Until the bounds meet, or nothing improves them.
            }
        }
        return search.answer();
    }

    private final class Search {
        private final double[] number;
        private final double leftOut;
        private final int leftOutRow;
        private final LinearProgram program = LinearProgram.minimize();
        private final List<Integer> kindOf = new ArrayList<>();
        private double lower;
        private double upper = INFINITY;
        private double[] servers = new double[price.length];
        private double[] worth = new double[price.length];
        private double[] prices = new double[demand.length];
        private Weights proof = new Weights(new long[demand.length], new long[price.length]);

        Search(double[] number, double leftOut) {
            this.number = number.clone();
            this.leftOut = leftOut;
            int[] rows = new int[number.length];
            for (int j = 0; j < number.length; j++) {
                rows[j] = program.addRow(number[j], INFINITY);
            }
            leftOutRow = leftOut > 0 ? program.addRow(-INFINITY, leftOut) : -1;
            for (int j = 0; j < number.length && leftOutRow >= 0; j++) {
                program.addColumn(0, 0, INFINITY, new int[] {rows[j], leftOutRow}, new double[] {1, 1});
                kindOf.add(-1);
            }
            for (int l = 0; l < price.length; l++) {
                for (int j = 0; j < number.length; j++) {
                    addAlone(l, j);
                }
                for (int[] counts : configurations.get(alike[l])) {
                    addColumn(l, counts);
                }
            }
        }

        private void addAlone(int l, int type) {
            int[] counts = new int[number.length];
            long[] weight = new long[number.length];
            weight[type] = 1;
            pricers[l].best(weight, 0, counts);
            if (counts[type] > 0) {
                addColumn(l, counts);
            }
        }

        private void addColumn(int l, int[] counts) {
            ConfigurationColumn.add(program, price[l], counts, 1, 0, ConfigurationColumn.NO_ROW);
            kindOf.add(l);
        }

        /** One round; false where the bounds are near enough, nothing improves them, or the solver gave up. */
        boolean improve(LinearSolver solver, double tolerance) {
            LinearSolution solution;
            try {
                solution = solver.solve();
            } catch (SolverException e) {
                return false;
            }
            if (!solution.optimal()) {
                return false;
            }
            take(solution);
            return price(solution, tolerance) && upper - lower > tolerance * upper;
        }

        private void take(LinearSolution solution) {
            if (solution.objective() < upper) {
                upper = solution.objective();
                servers = new double[price.length];
                for (int c = 0; c < kindOf.size(); c++) {
                    if (kindOf.get(c) >= 0) {
                        servers[kindOf.get(c)] += Math.max(0, solution.primal()[c]);
                    }
                }
            }
        }

        private boolean price(LinearSolution solution, double tolerance) {
            long[] weight = new long[number.length];
            double unit = whole(solution.dual(), weight);
            if (unit == 0) {
                return false;
            }
            boolean improving = false;
            double scale = INFINITY;
            long[] heaviest = new long[price.length];
            int[][] best = new int[price.length][];
            for (int l = 0; l < price.length; l++) {
                int first = alike[l];
                int[] counts = first < l ? best[first] : new int[number.length];
                best[l] = counts;
                heaviest[l] = first < l ? heaviest[first] : pricers[l].best(weight, tolerance / 2, counts);
                scale = heaviest[l] > 0 ? Math.min(scale, price[l] / heaviest[l]) : scale;
                double found = 0;
                for (int j = 0; j < number.length; j++) {
                    found += (double) weight[j] * counts[j];
                }
                if (found - price[l] * unit > NO_IMPROVEMENT * found) {
                    addColumn(l, counts);
                    if (configurations.get(first).stream().noneMatch(known -> Arrays.equals(known, counts))) {
                        configurations.get(first).add(counts);
                    }
                    improving = true;
                }
            }
            double worthOfAll = worth(weight);
            if (scale * worthOfAll > lower) {
                lower = scale * worthOfAll;
                for (int l = 0; l < price.length; l++) {
                    worth[l] = scale * heaviest[l];
                }
                for (int j = 0; j < number.length; j++) {
                    prices[j] = scale * weight[j];
                }
                proof = new Weights(weight, heaviest);
            }
            return improving;
        }

        /** What the requests weigh that must be held, whichever are left out. */
        private double worth(long[] weight) {
            double sum = 0;
            for (int j = 0; j < number.length; j++) {
                sum += weight[j] * number[j];
            }
            Integer[] dearest = new Integer[number.length];
            Arrays.setAll(dearest, j -> j);
            Arrays.sort(dearest, (a, b) -> Long.compare(weight[b], weight[a]));
            double left = leftOut;
            for (int j : dearest) {
                double taken = Math.min(left, number[j]);
                sum -= taken * weight[j];
                left -= taken;
            }
            return Math.max(0, sum);
        }

        /** Whole weights in proportion to the shadow prices; how many make a price of 1. */
        private double whole(double[] dual, long[] weight) {
            double heaviest = 0;
            for (int j = 0; j < number.length; j++) {
                heaviest = Math.max(heaviest, dual[j] * mostOf(j));
            }
            if (!(heaviest > 0)) {
                return 0;
            }
            double unit = LARGEST_WEIGHT / (heaviest * (number.length + 1));
            for (int j = 0; j < number.length; j++) {
                weight[j] = StrictMath.round(Math.max(0, dual[j]) * unit);
            }
            return unit;
        }

        private long mostOf(int type) {
            long most = 0;
            for (long[] server : capacity) {
                long fit = Long.MAX_VALUE;
                for (int r = 0; r < server.length; r++) {
                    fit = demand[type][r] > 0 ? Math.min(fit, server[r] / demand[type][r]) : fit;
                }
                most = Math.max(most, fit);
            }
            return most;
        }

        LeastCost answer() {
            return new LeastCost(lower * (1 - ROUNDING), upper, servers, worth, prices, proof);
        }
    }
}
