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
 * The linear programs (6) and (7) of Psychas and Ghaderi 2020: maximise the sum of u_j Y_j such that Y_j is at most the
 * load of type j and at most the slots of type j in the configurations of the servers. With the load as mean numbers in
 * service and the number of servers it is (6), an upper bound on the reward rate of every policy; per server it is (7),
 * U*. There may be several classes of servers.
 *
 * <p>Method: column generation with an exact knapsack per class. At any prices p_j of slots the optimum is at most the
 * sum of load_j max(0, u_j - p_j) plus that of servers_l times the dearest configuration of class l (the dual program),
 * so the upper bound does not depend on the solver being right; the lower one is computed from the mix.
 *
 * <p>The solver gets rewards and servers near 1, scaled by powers of two: micro-units on thousands of servers are too
 * large for its tolerances, and scaling by powers of two causes no rounding.
 */
public final class RewardBound {
    private static final double INFINITY = Double.POSITIVE_INFINITY;
    /** Largest weight of a configuration at the rounded prices: far from overflow, fine enough for 12 digits. */
    private static final double LARGEST_WEIGHT = 1L << 50;
    /** An improvement smaller than this, relative, is rounding. */
    private static final double NO_IMPROVEMENT = 1e-11;
    /**
     * From this tolerance on configurations need not be the very heaviest: with nearly equal prices that proof takes
     * long.
     */
    private static final double COARSE = 1e-7;
    /** Part of the tolerance that a configuration may miss. */
    private static final double OF_TOLERANCE = 0.25;
    /** Relative margin far above the rounding errors of the sums here and far below any tolerance. */
    private static final double ROUNDING = 1e-12;

    private final List<ServerClass> classes;
    private final long[] reward;
    private final double[] load;
    /** The reward, and the number of servers or requests, that is 1 for the solver. */
    private final double rewardUnit;

    private final double serverUnit;
    private final Pricer[] pricers;
    private final LinearProgram program = LinearProgram.maximize();
    private final List<SupportableLoad.Share> columns = new ArrayList<>();

    private double lower;
    private double upper = INFINITY;
    private double[] prices;
    private List<SupportableLoad.Share> shares = List.of();
    private int rounds;

    private RewardBound(List<ServerClass> classes, long[][] demand, long[] reward, double[] load) {
        this.classes = classes;
        this.reward = reward;
        this.load = load;
        rewardUnit = powerOfTwo(Arrays.stream(reward).max().orElse(1));
        serverUnit = powerOfTwo(classes.stream().mapToLong(ServerClass::servers).sum());
        prices = new double[load.length];
        pricers = new Pricer[classes.size()];
        Arrays.setAll(pricers, l -> Pricer.of(classes.get(l).capacity(), demand));
        start(demand);
    }

    /**
     * The bound for a load. Stops when the bounds are within the tolerance, or no configuration improves them.
     *
     * @param classes server classes, at least one
     * @param demand demand per type and resource; every type demands something
     * @param reward reward per type, in any unit, at least 0
     * @param load per type, mean number in service if none were rejected, at least 0
     * @param tolerance largest gap between the bounds, relative; 0 for the best that the numbers allow
     * @throws IllegalArgumentException if sizes differ or a number is out of its range
     */
    public static RewardLimit of(
            List<ServerClass> classes, long[][] demand, long[] reward, double[] load, double tolerance) {
        return of(classes, demand, reward, load, tolerance, LinearSolvers.best());
    }

    /**
     * As {@link #of(List, long[][], long[], double[], double)} with a given solver; if there are several optima,
     * solvers may find different ones.
     */
    public static RewardLimit of(
            List<ServerClass> classes,
            long[][] demand,
            long[] reward,
            double[] load,
            double tolerance,
            LinearSolvers solvers) {
        if (reward.length != demand.length || load.length != demand.length) {
            throw new IllegalArgumentException(
                    reward.length + " rewards and " + load.length + " loads for " + demand.length + " types");
        }
        for (int j = 0; j < load.length; j++) {
            if (!(load[j] >= 0 && load[j] < INFINITY) || reward[j] < 0) {
                throw new IllegalArgumentException("type " + j + " has load " + load[j] + " and reward " + reward[j]
                        + ", must be numbers of at least 0");
            }
        }
        RewardBound bound = new RewardBound(List.copyOf(classes), demand, reward, load);
        bound.run(tolerance, solvers);
        return new RewardLimit(
                bound.lower * (1 - ROUNDING), bound.upper * (1 + ROUNDING), bound.prices, bound.shares, bound.rounds);
    }

    /** The largest power of two that is at most the value; 1 for values below 1. */
    private static double powerOfTwo(long value) {
        return Long.highestOneBit(Math.max(1, value));
    }

    /**
     * A row per type (served requests minus slots) and per class; columns for the served requests and for
     * configurations of a single type.
     */
    private void start(long[][] demand) {
        for (int j = 0; j < load.length; j++) {
            program.addRow(-INFINITY, 0);
        }
        for (ServerClass each : classes) {
            program.addRow(-INFINITY, each.servers() / serverUnit);
        }
        for (int j = 0; j < load.length; j++) {
            program.addColumn(reward[j] / rewardUnit, 0, load[j] / serverUnit, new int[] {j}, new double[] {1});
        }
        for (int l = 0; l < pricers.length; l++) {
            for (int j = 0; j < load.length; j++) {
                if (classes.get(l).fits(demand[j])) {
                    int[] counts = new int[load.length];
                    long[] weight = new long[load.length];
                    weight[j] = 1;
                    pricers[l].best(weight, 0, counts);
                    addColumn(l, counts);
                }
            }
        }
    }

    private void addColumn(int l, int[] counts) {
        ConfigurationColumn.add(program, 0, counts, -1, 0, load.length + l);
        columns.add(new SupportableLoad.Share(l, counts.clone(), 0));
    }

    private void run(double tolerance, LinearSolvers solvers) {
        try (LinearSolver solver = solvers.open(program)) {
            boolean improving = true;
            while (improving && (rounds == 0 || upper - lower > tolerance * upper)) {
                rounds++;
                LinearSolution solution = solver.solve();
                if (!solution.optimal()) {
                    throw new SolverException("the solver reports " + solution.status()
                            + " for rewards, but serving nothing is feasible and loads are limited");
                }
                takeMix(solution);
                improving = price(solution, tolerance < COARSE ? 0 : tolerance * OF_TOLERANCE);
            }
        }
    }

    /**
     * Takes the mix of the solution, made feasible (not more servers than there are, nothing negative), and computes
     * what it earns.
     */
    private void takeMix(LinearSolution solution) {
        double[] servers = new double[columns.size()];
        Arrays.setAll(servers, c -> serverUnit * solution.primal()[load.length + c]);
        Mix mix = Mix.of(servers, columns, classes, load.length);
        double earned = 0;
        for (int j = 0; j < load.length; j++) {
            earned += reward[j] * Math.min(load[j], mix.slots()[j]);
        }
        if (earned > lower || rounds == 1) {
            lower = earned;
            shares = mix.shares();
        }
    }

    /**
     * Asks for the dearest configuration of each class at the prices; adds those worth more than a server of the class.
     */
    private boolean price(LinearSolution solution, double tolerance) {
        double[] dual = Arrays.stream(solution.dual()).map(y -> y * rewardUnit).toArray();
        double dearest = 0;
        for (int j = 0; j < load.length; j++) {
            dearest = Math.max(dearest, dual[j]);
        }
        long[] weight = new long[load.length];
        double unit = dearest > 0 ? LARGEST_WEIGHT / (dearest * mostInAServer()) : 1;
        double bound = 0;
        for (int j = 0; j < load.length; j++) {
            weight[j] = StrictMath.round(Math.max(0, dual[j]) * unit);
            bound += load[j] * Math.max(0, reward[j] - weight[j] / unit);
        }
        boolean improving = false;
        for (int l = 0; l < pricers.length; l++) {
            int[] counts = new int[load.length];
            double heaviest = pricers[l].best(weight, tolerance, counts);
            bound += classes.get(l).servers() * (heaviest / unit);
            double server = dual[load.length + l] * unit;
            double found = 0;
            for (int j = 0; j < load.length; j++) {
                found += (double) weight[j] * counts[j];
            }
            if (found - server > NO_IMPROVEMENT * Math.max(found, server)) {
                addColumn(l, counts);
                improving = true;
            }
        }
        if (bound < upper) {
            upper = bound;
            Arrays.setAll(prices, j -> weight[j] / unit);
        }
        return improving;
    }

    /** An upper bound of the requests that a server can hold. */
    private double mostInAServer() {
        double most = 1;
        for (SupportableLoad.Share column : columns) {
            most = Math.max(most, Arrays.stream(column.counts()).sum());
        }
        return most * (load.length + 1);
    }
}
