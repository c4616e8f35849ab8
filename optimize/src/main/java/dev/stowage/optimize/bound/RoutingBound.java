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
 * The linear program (2)-(7) of Guo, Stolyar and Walid 2013: route loads to blocks of equal servers, at sites with
 * pools, and mix configurations in each block, so that rho, the largest of all utilizations, is minimal. Any number of
 * resources, pools and blocks of a site (each block has a utilization of its own, remark 1). Beyond the paper, part of
 * a type's requests may be limited to some sites: a class of demand has a row (5) of its own and routes to blocks of
 * its sites only; slots and configurations are of types as before.
 *
 * <p>Method: column generation with a knapsack per block, exact or with a limit that no configuration exceeds. For any
 * prices w of slots and p of pools, at least 0, each type i costs at least y_i = min over the blocks b it may run at of
 * w_bi / servers_b + sum of p_k a_ik / capacity_k, and rho is at least the sum of load_i y_i over the sum of all p and
 * of the dearest configuration of each block (the dual program); so the lower bound does not depend on the solver being
 * right. The upper one is computed from routing and mix.
 *
 * <p>One file of 500 lines, because program, prices and certificate share the numbering of rows and columns.
 */
public final class RoutingBound {
    private static final double INFINITY = Double.POSITIVE_INFINITY;
    /** Largest weight of a configuration at the rounded prices: far from overflow, fine enough for 12 digits. */
    private static final double LARGEST_WEIGHT = 1L << 50;
    /** An improvement smaller than this, relative to all prices, is rounding. */
    private static final double NO_IMPROVEMENT = 1e-11;
    /** Relative margin far above the rounding errors of the sums here and far below any tolerance. */
    private static final double ROUNDING = 1e-12;

    /**
     * A block of servers.
     *
     * @param site index of its site
     * @param servers its servers
     */
    public record Block(int site, ServerClass servers) {}

    /**
     * Requests of a type that the same sites may run.
     *
     * @param type index of the type
     * @param sites indexes of the sites that may run them; none for every site
     * @param load mean number in service if all are served, at least 0
     */
    public record RoutedLoad(int type, List<Integer> sites, double load) {
        /** Unmodifiable. */
        public RoutedLoad {
            sites = List.copyOf(sites);
        }

        private boolean allows(int site) {
            return sites.isEmpty() || sites.contains(site);
        }
    }

    private final List<Block> blocks;
    private final long[][] pools;
    private final long[][] demand;
    private final long[][] pooledDemand;
    private final List<RoutedLoad> classes;
    private final Pricer[] pricers;

    private final LinearProgram program = LinearProgram.minimize();
    /** Columns of routes by class of demand and block, or -1; of configurations with their blocks. */
    private final int[][] routeColumn;

    private final List<SupportableLoad.Share> configurations = new ArrayList<>();
    private final List<Integer> configurationColumn = new ArrayList<>();

    private double lower;
    private double upper = INFINITY;
    private double[][] table = {};
    private List<SupportableLoad.Share> shares = List.of();
    private double[] usedServers = {};
    private double[][] usedPools = {};
    private int rounds;

    private RoutingBound(
            List<Block> blocks, long[][] pools, long[][] demand, long[][] pooledDemand, List<RoutedLoad> classes) {
        this.blocks = blocks;
        this.pools = pools;
        this.demand = demand;
        this.pooledDemand = pooledDemand;
        this.classes = classes;
        pricers = new Pricer[blocks.size()];
        routeColumn = new int[classes.size()][blocks.size()];
    }

    /**
     * The bound for a load of which parts may be limited to sites.
     *
     * @param blocks blocks of servers, at least one
     * @param pools capacity per site and pool
     * @param demand demand per type and resource; every type demands something
     * @param pooledDemand demand per type and pool
     * @param classes the load; table and misfits of the result are by class
     * @param tolerance largest gap between the bounds, relative; 0 for the best that the numbers allow
     * @throws IllegalArgumentException if sizes differ or a number is out of its range
     */
    public static RoutingLimit of(
            List<Block> blocks,
            long[][] pools,
            long[][] demand,
            long[][] pooledDemand,
            List<RoutedLoad> classes,
            double tolerance) {
        check(blocks, pools, demand, pooledDemand, classes);
        RoutingBound bound = new RoutingBound(List.copyOf(blocks), pools, demand, pooledDemand, List.copyOf(classes));
        List<Integer> misfits = bound.misfits();
        if (!misfits.isEmpty()) {
            return new RoutingLimit(
                    INFINITY, INFINITY, misfits, new double[0][0], List.of(), new double[0], new double[0][0], 0);
        }
        bound.start();
        bound.run(tolerance);
        return new RoutingLimit(
                bound.lower * (1 - ROUNDING),
                bound.upper * (1 + ROUNDING),
                misfits,
                bound.table,
                bound.shares,
                bound.usedServers,
                bound.usedPools,
                bound.rounds);
    }

    private static void check(
            List<Block> blocks, long[][] pools, long[][] demand, long[][] pooledDemand, List<RoutedLoad> classes) {
        if (blocks.isEmpty() || demand.length == 0) {
            throw new IllegalArgumentException(
                    blocks.size() + " blocks and " + demand.length + " types, must be at least 1 of each");
        }
        if (pooledDemand.length != demand.length) {
            throw new IllegalArgumentException(pooledDemand.length + " pooled demands for " + demand.length + " types");
        }
        for (Block block : blocks) {
            if (block.site() < 0 || block.site() >= pools.length) {
                throw new IllegalArgumentException("a block of site " + block.site() + ", must be from 0 to "
                        + (pools.length - 1) + ": pool capacities are given for " + pools.length + " sites");
            }
        }
        classes.forEach(each -> check(each, demand.length, pools.length));
        for (int i = 0; i < demand.length; i++) {
            for (long[] pool : pools) {
                if (pool.length != pooledDemand[i].length) {
                    throw new IllegalArgumentException("type " + i + " demands " + pooledDemand[i].length
                            + " pooled resources, a site has " + pool.length);
                }
            }
        }
    }

    private static void check(RoutedLoad each, int types, int sites) {
        if (each.type() < 0 || each.type() >= types) {
            throw new IllegalArgumentException("demand of type " + each.type() + ", must be 0 to " + (types - 1));
        }
        if (!(each.load() >= 0 && each.load() < INFINITY)) {
            throw new IllegalArgumentException(
                    "load of type " + each.type() + " is " + each.load() + ", must be 0 or more");
        }
        for (int site : each.sites()) {
            if (site < 0 || site >= sites) {
                throw new IllegalArgumentException("type " + each.type() + " is limited to site " + site
                        + " among others, must be 0 to " + (sites - 1));
            }
        }
    }

    private boolean mayRun(RoutedLoad each, int b) {
        return each.allows(blocks.get(b).site()) && fits(each.type(), b);
    }

    private boolean fits(int type, int b) {
        long[] pool = pools[blocks.get(b).site()];
        for (int k = 0; k < pool.length; k++) {
            if (pooledDemand[type][k] > pool[k]) {
                return false;
            }
        }
        return blocks.get(b).servers().fits(demand[type]);
    }

    private List<Integer> misfits() {
        List<Integer> misfits = new ArrayList<>();
        for (int c = 0; c < classes.size(); c++) {
            boolean fits = false;
            for (int b = 0; b < blocks.size(); b++) {
                fits |= mayRun(classes.get(c), b);
            }
            if (classes.get(c).load() > 0 && !fits) {
                misfits.add(c);
            }
        }
        return misfits;
    }

    /** Row of (4) for a pool, after those of (5) for the classes of demand. */
    private int poolRow(int site, int pool) {
        return classes.size() + site * poolsPerSite() + pool;
    }

    private int poolsPerSite() {
        return pools.length == 0 ? 0 : pools[0].length;
    }

    /** Row of (6) for a block and type. */
    private int slotRow(int b, int type) {
        return poolRow(pools.length, 0) + b * (demand.length + 1) + type;
    }

    /** Row of (7) for a block, as an inequality, so that some servers may stay without a configuration. */
    private int blockRow(int b) {
        return slotRow(b, demand.length);
    }

    private void start() {
        for (RoutedLoad each : classes) {
            program.addRow(each.load(), each.load());
        }
        for (int row = classes.size(); row < slotRow(blocks.size(), 0); row++) {
            program.addRow(-INFINITY, 0);
        }
        addRho();
        for (int b = 0; b < blocks.size(); b++) {
            pricers[b] = Pricer.of(blocks.get(b).servers().capacity(), demand);
            boolean[] begun = new boolean[demand.length];
            for (int c = 0; c < classes.size(); c++) {
                routeColumn[c][b] = -1;
                if (mayRun(classes.get(c), b)) {
                    addRoute(c, b);
                    if (!begun[classes.get(c).type()]) {
                        begun[classes.get(c).type()] = true;
                        addFullOf(classes.get(c).type(), b);
                    }
                }
            }
        }
    }

    /** A server full of one type. */
    private void addFullOf(int type, int b) {
        long[] weight = new long[demand.length];
        int[] counts = new int[demand.length];
        weight[type] = 1;
        pricers[b].best(weight, 0, counts);
        addConfiguration(b, counts);
    }

    /** The first column. */
    private void addRho() {
        int[] rows = new int[pools.length * poolsPerSite() + blocks.size()];
        double[] values = new double[rows.length];
        Arrays.fill(values, -1);
        int entries = 0;
        for (int site = 0; site < pools.length; site++) {
            for (int k = 0; k < poolsPerSite(); k++) {
                rows[entries++] = poolRow(site, k);
            }
        }
        for (int b = 0; b < blocks.size(); b++) {
            rows[entries++] = blockRow(b);
        }
        program.addColumn(1, 0, INFINITY, rows, values);
    }

    private void addRoute(int c, int b) {
        int type = classes.get(c).type();
        int site = blocks.get(b).site();
        int[] rows = new int[poolsPerSite() + 2];
        double[] values = new double[rows.length];
        rows[0] = c;
        values[0] = 1;
        rows[1] = slotRow(b, type);
        values[1] = 1.0 / blocks.get(b).servers().servers();
        int entries = 2;
        for (int k = 0; k < poolsPerSite(); k++) {
            if (pooledDemand[type][k] > 0) {
                rows[entries] = poolRow(site, k);
                values[entries++] = (double) pooledDemand[type][k] / pools[site][k];
            }
        }
        routeColumn[c][b] =
                program.addColumn(0, 0, INFINITY, Arrays.copyOf(rows, entries), Arrays.copyOf(values, entries));
    }

    private void addConfiguration(int b, int[] counts) {
        configurationColumn.add(ConfigurationColumn.add(program, 0, counts, -1, slotRow(b, 0), blockRow(b)));
        configurations.add(new SupportableLoad.Share(b, counts.clone(), 0));
    }

    private void run(double tolerance) {
        try (LinearSolver solver = LinearSolvers.best().open(program)) {
            boolean improving = true;
            while (improving && (rounds == 0 || upper - lower > tolerance * upper)) {
                rounds++;
                LinearSolution solution = solver.solve();
                if (!solution.optimal()) {
                    throw new SolverException("the solver reports " + solution.status()
                            + " for routing, but every demand has a block and utilization has no limit");
                }
                takeRouting(solution);
                improving = price(solution, tolerance / 2);
            }
        }
    }

    /**
     * Takes routing and mix of the solution, made feasible (all load routed, nothing negative), and computes their
     * utilization.
     */
    private void takeRouting(LinearSolution solution) {
        double[][] routed = routed(solution);
        double[][] poolUse = new double[pools.length][poolsPerSite()];
        double[] serverUse = new double[blocks.size()];
        double largest = 0;
        List<SupportableLoad.Share> mix = new ArrayList<>();
        for (int b = 0; b < blocks.size(); b++) {
            int site = blocks.get(b).site();
            for (int k = 0; k < poolsPerSite(); k++) {
                for (int c = 0; c < classes.size(); c++) {
                    long each = pooledDemand[classes.get(c).type()][k];
                    poolUse[site][k] += routed[c][b] == 0 ? 0 : routed[c][b] * each / pools[site][k];
                }
                largest = Math.max(largest, poolUse[site][k]);
            }
            serverUse[b] = takeMix(solution, b, routed, mix);
            largest = Math.max(largest, serverUse[b]);
        }
        if (largest < upper) {
            upper = largest;
            table = routed;
            shares = mix;
            usedServers = serverUse;
            usedPools = poolUse;
        }
    }

    private double[][] routed(LinearSolution solution) {
        double[][] routed = new double[classes.size()][blocks.size()];
        for (int c = 0; c < classes.size(); c++) {
            double sum = 0;
            for (int b = 0; b < blocks.size(); b++) {
                int column = routeColumn[c][b];
                routed[c][b] = column < 0 ? 0 : Math.max(0, solution.primal()[column]);
                sum += routed[c][b];
            }
            for (int b = 0; b < blocks.size() && sum > 0; b++) {
                routed[c][b] *= classes.get(c).load() / sum;
            }
        }
        return routed;
    }

    /** The mix of a block, scaled to the load that is routed there; returns the part of the servers in use. */
    private double takeMix(LinearSolution solution, int b, double[][] routed, List<SupportableLoad.Share> mix) {
        double[] slots = new double[demand.length];
        double[] needed = new double[demand.length];
        for (int c = 0; c < classes.size(); c++) {
            needed[classes.get(c).type()] += routed[c][b];
        }
        double sum = 0;
        int servers = blocks.get(b).servers().servers();
        for (int c = 0; c < configurations.size(); c++) {
            if (configurations.get(c).serverClass() == b) {
                double part = Math.max(0, solution.primal()[configurationColumn.get(c)]);
                sum += part;
                for (int type = 0; type < demand.length; type++) {
                    slots[type] += part * configurations.get(c).counts()[type];
                }
            }
        }
        double factor = 0;
        for (int type = 0; type < demand.length; type++) {
            factor = needed[type] == 0 ? factor : Math.max(factor, needed[type] / servers / slots[type]);
        }
        for (int c = 0; c < configurations.size(); c++) {
            SupportableLoad.Share each = configurations.get(c);
            double part = Math.max(0, solution.primal()[configurationColumn.get(c)]);
            if (each.serverClass() == b && part > 0 && factor > 0) {
                mix.add(new SupportableLoad.Share(b, each.counts(), part * factor * servers));
            }
        }
        return sum * factor;
    }

    /**
     * Asks for the dearest configuration of each block at the prices; adds those worth more than a server of the block.
     */
    private boolean price(LinearSolution solution, double tolerance) {
        double worth = 0;
        double[] poolPrice = new double[pools.length * poolsPerSite()];
        for (int site = 0; site < pools.length; site++) {
            for (int k = 0; k < poolsPerSite(); k++) {
                poolPrice[site * poolsPerSite() + k] = Math.max(0, -solution.dual()[poolRow(site, k)]);
                worth += poolPrice[site * poolsPerSite() + k];
            }
        }
        double[] cheapest = new double[classes.size()];
        Arrays.fill(cheapest, INFINITY);
        boolean improving = false;
        for (int b = 0; b < blocks.size(); b++) {
            long[] weight = new long[demand.length];
            double unit = wholePrices(solution, b, weight);
            int[] counts = new int[demand.length];
            worth += pricers[b].best(weight, tolerance, counts) / unit;
            double heaviest = 0;
            for (int type = 0; type < demand.length; type++) {
                heaviest += weight[type] * (counts[type] / unit);
            }
            if (heaviest + solution.dual()[blockRow(b)] > NO_IMPROVEMENT) {
                addConfiguration(b, counts);
                improving = true;
            }
            for (int c = 0; c < classes.size(); c++) {
                if (mayRun(classes.get(c), b)) {
                    cheapest[c] = Math.min(cheapest[c], cost(classes.get(c).type(), b, weight, unit, poolPrice));
                }
            }
        }
        double least = 0;
        for (int c = 0; c < classes.size(); c++) {
            double load = classes.get(c).load();
            least += load == 0 ? 0 : load * cheapest[c];
        }
        lower = worth > 0 ? Math.max(lower, least / worth) : lower;
        return improving;
    }

    /** What a request of a type costs in a block. */
    private double cost(int type, int b, long[] weight, double unit, double[] poolPrice) {
        double cost = weight[type] / unit / blocks.get(b).servers().servers();
        int site = blocks.get(b).site();
        for (int k = 0; k < poolsPerSite(); k++) {
            cost += pooledDemand[type][k] == 0
                    ? 0
                    : poolPrice[site * poolsPerSite() + k] * pooledDemand[type][k] / pools[site][k];
        }
        return cost;
    }

    /** Whole-number prices of the slots of a block, in proportion to the shadow prices; returns the factor. */
    private double wholePrices(LinearSolution solution, int b, long[] weight) {
        double dearest = 0;
        for (int type = 0; type < demand.length; type++) {
            dearest = Math.max(dearest, -solution.dual()[slotRow(b, type)] * most(type, b));
        }
        double unit = dearest > 0 ? LARGEST_WEIGHT / (dearest * (demand.length + 1)) : 1;
        for (int type = 0; type < demand.length; type++) {
            weight[type] = fits(type, b) ? StrictMath.round(Math.max(0, -solution.dual()[slotRow(b, type)]) * unit) : 0;
        }
        return unit;
    }

    /** Most requests of a type on a server of a block. */
    private long most(int type, int b) {
        long most = 0;
        long[] capacity = blocks.get(b).servers().capacity();
        for (int r = 0; r < capacity.length; r++) {
            long here = demand[type][r] == 0 ? Long.MAX_VALUE : capacity[r] / demand[type][r];
            most = r == 0 ? here : Math.min(most, here);
        }
        return most;
    }
}
