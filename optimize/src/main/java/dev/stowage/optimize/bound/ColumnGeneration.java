package dev.stowage.optimize.bound;

import dev.stowage.optimize.lp.LinearProgram;
import dev.stowage.optimize.lp.LinearSolution;
import dev.stowage.optimize.lp.LinearSolver;
import dev.stowage.optimize.lp.LinearSolvers;
import dev.stowage.optimize.lp.SolverException;
import java.util.ArrayList;
import java.util.List;

/**
 * The search behind {@link CapacityRegion}: maximise zeta such that the configurations in use, x_lk servers of class l
 * with configuration k, hold zeta rho_j requests of each type j and no class uses more servers than it has. Every type
 * has a load and fits some class.
 */
final class ColumnGeneration implements AutoCloseable {
    private static final double INFINITY = Double.POSITIVE_INFINITY;
    /** Largest weight of a configuration at the rounded prices: far from overflow, fine enough for 12 digits. */
    private static final double LARGEST_WEIGHT = 1L << 50;
    /** An improvement smaller than this, relative, is rounding. */
    private static final double NO_IMPROVEMENT = 1e-11;

    private final List<ServerClass> classes;
    private final long[][] demand;
    private final double[] load;
    private final int[] kinds;
    private final Pricer[] pricers;
    private final long[] mostOf;
    private final LinearProgram program = LinearProgram.maximize();
    private final LinearSolver solver;
    private final List<SupportableLoad.Share> columns = new ArrayList<>();
    private final List<int[]> answers = new ArrayList<>();

    private double lower;
    private double upper = INFINITY;
    private long[] prices = {};
    private List<SupportableLoad.Share> shares = List.of();
    private int rounds;

    ColumnGeneration(List<ServerClass> classes, long[][] demand, double[] load, int[] kinds) {
        this.classes = classes;
        this.demand = demand;
        this.load = load;
        this.kinds = kinds;
        this.pricers = new Pricer[classes.size()];
        this.mostOf = new long[load.length];
        start();
        this.solver = LinearSolvers.best().open(program);
    }

    /**
     * A row per type (slots minus zeta times its load) and per class; columns for zeta and for configurations of a
     * single type.
     */
    private void start() {
        int[] rows = new int[load.length];
        double[] minusLoad = new double[load.length];
        for (int j = 0; j < load.length; j++) {
            rows[j] = program.addRow(0, INFINITY);
            minusLoad[j] = -load[j];
        }
        for (ServerClass each : classes) {
            program.addRow(-INFINITY, each.servers());
        }
        program.addColumn(1, 0, INFINITY, rows, minusLoad);
        for (int l = 0; l < pricers.length; l++) {
            pricers[l] = Pricer.of(classes.get(l).capacity(), demand);
            answers.add(new int[load.length]);
            for (int j = 0; j < load.length; j++) {
                if (classes.get(l).admits(kinds[j])) {
                    addAlone(l, j);
                }
            }
        }
    }

    /** The configuration of as many requests of one type as fit. */
    private void addAlone(int l, int type) {
        int[] counts = new int[load.length];
        long[] weight = new long[load.length];
        weight[type] = 1;
        mostOf[type] = Math.max(mostOf[type], pricers[l].best(weight, 0, counts));
        if (counts[type] > 0) {
            addColumn(l, counts);
        }
    }

    private void addColumn(int l, int[] counts) {
        ConfigurationColumn.add(program, 0, counts, 1, 0, load.length + l);
        columns.add(new SupportableLoad.Share(l, counts.clone(), 0));
    }

    /**
     * Improves the bounds until they are within a tolerance, no configuration improves them, or the limit of rounds is
     * reached.
     */
    void run(double tolerance, int most) {
        boolean improving = true;
        while (improving && (rounds == 0 || (rounds < most && upper - lower > tolerance * upper))) {
            rounds++;
            LinearSolution solution;
            try {
                solution = solver.solve();
            } catch (SolverException e) {
                if (rounds == 1) {
                    throw e;
                }
                // The bounds found so far hold.
                return;
            }
            if (!solution.optimal()) {
                throw new SolverException("the solver reports " + solution.status()
                        + " for a mix of configurations, but zeta = 0 is feasible and servers are limited");
            }
            takeMix(solution);
            improving = price(solution, tolerance / 2);
        }
    }

    /**
     * Takes the mix of the solution, made feasible (not more servers than there are, nothing negative), and computes
     * what it serves.
     */
    private void takeMix(LinearSolution solution) {
        double[] servers = new double[columns.size()];
        System.arraycopy(solution.primal(), 1, servers, 0, servers.length);
        Mix mix = Mix.of(servers, columns, classes, load.length);
        double scale = INFINITY;
        for (int j = 0; j < load.length; j++) {
            scale = Math.min(scale, mix.slots()[j] / load[j]);
        }
        if (scale > lower || rounds == 1) {
            lower = scale;
            shares = mix.shares();
        }
    }

    /**
     * Asks for the heaviest configuration of each class at the prices; adds those worth more than a server of the
     * class.
     */
    private boolean price(LinearSolution solution, double tolerance) {
        long[] weight = new long[load.length];
        double unit = wholePrices(solution, weight);
        double total = 0;
        boolean improving = false;
        for (int l = 0; l < pricers.length; l++) {
            int[] counts = answers.get(l);
            total += (double) pricers[l].best(admitted(l, weight), tolerance, counts)
                    * classes.get(l).servers();
            double heaviest = 0;
            for (int j = 0; j < load.length; j++) {
                heaviest += (double) weight[j] * counts[j];
            }
            double server = solution.dual()[load.length + l] * unit;
            if (heaviest - server > NO_IMPROVEMENT * Math.max(heaviest, server)) {
                addColumn(l, counts);
                improving = true;
            }
        }
        double worth = 0;
        for (int j = 0; j < load.length; j++) {
            worth += weight[j] * load[j];
        }
        if (total / worth < upper) {
            upper = total / worth;
            prices = weight;
        }
        return improving;
    }

    /** The weights, with 0 for types that a class does not admit: its configurations contain none of them. */
    private long[] admitted(int l, long[] weight) {
        if (classes.get(l).barred().isEmpty()) {
            return weight;
        }
        long[] masked = weight.clone();
        for (int j = 0; j < masked.length; j++) {
            masked[j] = classes.get(l).admits(kinds[j]) ? masked[j] : 0;
        }
        return masked;
    }

    /** Whole-number prices in proportion to the shadow prices; returns the factor. */
    private double wholePrices(LinearSolution solution, long[] weight) {
        double heaviest = 0;
        for (int j = 0; j < load.length; j++) {
            heaviest = Math.max(heaviest, -solution.dual()[j] * mostOf[j]);
        }
        double unit = LARGEST_WEIGHT / (heaviest * (load.length + 1));
        for (int j = 0; j < load.length; j++) {
            weight[j] = StrictMath.round(Math.max(0, -solution.dual()[j]) * unit);
        }
        return unit;
    }

    double lower() {
        return lower;
    }

    double upper() {
        return upper;
    }

    long[] prices() {
        return prices;
    }

    List<SupportableLoad.Share> shares() {
        return shares;
    }

    int rounds() {
        return rounds;
    }

    @Override
    public void close() {
        solver.close();
    }
}
