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
 * The linear program (2)-(7) of shadow.txt: route loads to blocks of equal servers, at sites with pools, and mix configurations in
 * each block, so that the largest of all utilizations, rho, is least. Any number of resources, pools and blocks of a site (each block has
 * a utilization of its own, remark 1).
 *
 * <p>Method: column generation with a knapsack per block, exact or with a limit that no configuration exceeds. For any prices w of slots and p of pools, at least 0, each type i
 * costs at least y_i = min over blocks b of w_bi / servers_b + sum of p_k a_ik / capacity_k, and rho is at least the sum of load_i y_i
 * over the sum of all p and of the dearest configuration of each block (the dual program); so the lower bound needs no trust in
 * the solver. The upper one is worked out from routing and mix.
 */
public final class RoutingBound {
    private static final double INFINITY = Double.POSITIVE_INFINITY;
    /** Largest weight of a configuration at the rounded prices: far from overflow, fine enough for 12 digits. */
    private static final double LARGEST_WEIGHT = 1L << 50;
    /** An improvement smaller than this, relative to all prices, is rounding. */
    private static final double NO_IMPROVEMENT = 1e-11;
    /** Far above the rounding of the sums here, far below any tolerance. */
    private static final double ROUNDING = 1e-12;

    /**
     * A block of servers.
     *
     * @param site index of its site
     * @param servers its servers
     */
    public record Block(int site, ServerClass servers) {}

    private final List<Block> blocks;
    private final long[][] pools;
    private final long[][] demand;
    private final long[][] pooledDemand;
    private final double[] load;
    private final Pricer[] pricers;

    private final LinearProgram program = LinearProgram.minimize();
    /** Columns of routes by type and block, or -1; of configurations with their blocks. */
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

    private RoutingBound(List<Block> blocks, long[][] pools, long[][] demand, long[][] pooledDemand, double[] load) {
        this.blocks = blocks;
        this.pools = pools;
        this.demand = demand;
        this.pooledDemand = pooledDemand;
        this.load = load;
        pricers = new Pricer[blocks.size()];
        routeColumn = new int[load.length][blocks.size()];
    }

    /**
     * The bound for a load.
     *
     * @param blocks blocks of servers, at least one
     * @param pools capacity per site and pool
     * @param demand demand per type and resource; every type demands something
     * @param pooledDemand demand per type and pool
     * @param load per type, mean number in service if all are served, at least 0
     * @param tolerance largest gap between the bounds, relative; 0 for the best that the numbers allow
     * @throws IllegalArgumentException if sizes differ or a number is out of its range
     */
    public static RoutingLimit of(
            List<Block> blocks,
            long[][] pools,
            long[][] demand,
            long[][] pooledDemand,
            double[] load,
            double tolerance) {
        check(blocks, pools, demand, pooledDemand, load);
        RoutingBound bound = new RoutingBound(List.copyOf(blocks), pools, demand, pooledDemand, load);
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
            List<Block> blocks, long[][] pools, long[][] demand, long[][] pooledDemand, double[] load) {
        if (blocks.isEmpty() || demand.length == 0) {
            throw new IllegalArgumentException(
                    blocks.size() + " blocks and " + demand.length + " types, must be at least 1 of each");
        }
        if (pooledDemand.length != demand.length || load.length != demand.length) {
            throw new IllegalArgumentException(pooledDemand.length + " pooled demands and " + load.length
                    + " loads for " + demand.length + " types");
        }
        for (Block block : blocks) {
            if (block.site() < 0 || block.site() >= pools.length) {
                throw new IllegalArgumentException("a block of site " + block.site() + ", must be from 0 to "
                        + (pools.length - 1) + ": there are capacities of so many pools");
            }
        }
        for (int i = 0; i < load.length; i++) {
            if (!(load[i] >= 0 && load[i] < INFINITY)) {
                throw new IllegalArgumentException("load of type " + i + " is " + load[i] + ", must be 0 or more");
            }
            for (long[] pool : pools) {
                if (pool.length != pooledDemand[i].length) {
                    throw new IllegalArgumentException("type " + i + " demands " + pooledDemand[i].length
                            + " pooled resources, a site has " + pool.length);
                }
            }
        }
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
        for (int type = 0; type < load.length; type++) {
            boolean fits = false;
            for (int b = 0; b < blocks.size(); b++) {
                fits |= fits(type, b);
            }
            if (load[type] > 0 && !fits) {
                misfits.add(type);
            }
        }
        return misfits;
    }

    /** Row of (4) for a pool, after those of (5) for the types. */
    private int poolRow(int site, int pool) {
        return load.length + site * poolsPerSite() + pool;
    }

    private int poolsPerSite() {
        return pools.length == 0 ? 0 : pools[0].length;
    }

    /** Row of (6) for a block and type. */
    private int slotRow(int b, int type) {
        return poolRow(pools.length, 0) + b * (load.length + 1) + type;
    }

    /** Row of (7) for a block, as an inequality: configurations not used may be left out. */
    private int blockRow(int b) {
        return slotRow(b, load.length);
    }

    private void start() {
        for (double each : load) {
            program.addRow(each, each);
        }
        for (int row = load.length; row < slotRow(blocks.size(), 0); row++) {
            program.addRow(-INFINITY, 0);
        }
        addRho();
        for (int b = 0; b < blocks.size(); b++) {
            pricers[b] = Pricer.of(blocks.get(b).servers().capacity(), demand);
            for (int type = 0; type < load.length; type++) {
                routeColumn[type][b] = -1;
                if (fits(type, b)) {
                    addRoute(type, b);
                    long[] weight = new long[load.length];
                    int[] counts = new int[load.length];
                    weight[type] = 1;
                    pricers[b].best(weight, 0, counts);
                    addConfiguration(b, counts);
                }
            }
        }
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

    private void addRoute(int type, int b) {
        int site = blocks.get(b).site();
        int[] rows = new int[poolsPerSite() + 2];
        double[] values = new double[rows.length];
        rows[0] = type;
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
        routeColumn[type][b] =
                program.addColumn(0, 0, INFINITY, Arrays.copyOf(rows, entries), Arrays.copyOf(values, entries));
    }

    private void addConfiguration(int b, int[] counts) {
        int[] rows = new int[load.length + 1];
        double[] values = new double[load.length + 1];
        int entries = 0;
        for (int type = 0; type < load.length; type++) {
            if (counts[type] > 0) {
                rows[entries] = slotRow(b, type);
                values[entries++] = -counts[type];
            }
        }
        rows[entries] = blockRow(b);
        values[entries++] = 1;
        configurationColumn.add(
                program.addColumn(0, 0, INFINITY, Arrays.copyOf(rows, entries), Arrays.copyOf(values, entries)));
        configurations.add(new SupportableLoad.Share(b, counts.clone(), 0));
    }

    private void run(double tolerance) {
        try (LinearSolver solver = LinearSolvers.best().open(program)) {
            boolean improving = true;
            while (improving && (rounds == 0 || upper - lower > tolerance * upper)) {
                rounds++;
                LinearSolution solution = solver.solve();
                if (!solution.optimal()) {
                    throw new SolverException("routing was called " + solution.status()
                            + " where every type has a block and utilization has no limit");
                }
                takeRouting(solution);
                improving = price(solution, tolerance / 2);
            }
        }
    }

    /** Routing and mix as they are, loads met and nothing negative, and what utilization they lead to. */
    private void takeRouting(LinearSolution solution) {
        double[][] routed = routed(solution);
        double[][] poolUse = new double[pools.length][poolsPerSite()];
        double[] serverUse = new double[blocks.size()];
        double largest = 0;
        List<SupportableLoad.Share> mix = new ArrayList<>();
        for (int b = 0; b < blocks.size(); b++) {
            int site = blocks.get(b).site();
            for (int k = 0; k < poolsPerSite(); k++) {
                for (int type = 0; type < load.length; type++) {
                    poolUse[site][k] +=
                            routed[type][b] == 0 ? 0 : routed[type][b] * pooledDemand[type][k] / pools[site][k];
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
        double[][] routed = new double[load.length][blocks.size()];
        for (int type = 0; type < load.length; type++) {
            double sum = 0;
            for (int b = 0; b < blocks.size(); b++) {
                int column = routeColumn[type][b];
                routed[type][b] = column < 0 ? 0 : Math.max(0, solution.primal()[column]);
                sum += routed[type][b];
            }
            for (int b = 0; b < blocks.size() && sum > 0; b++) {
                routed[type][b] *= load[type] / sum;
            }
        }
        return routed;
    }

    /** The mix of a block, as large as what is routed there needs; returns the part of the servers in use. */
    private double takeMix(LinearSolution solution, int b, double[][] routed, List<SupportableLoad.Share> mix) {
        double[] slots = new double[load.length];
        double sum = 0;
        int servers = blocks.get(b).servers().servers();
        for (int c = 0; c < configurations.size(); c++) {
            if (configurations.get(c).serverClass() == b) {
                double part = Math.max(0, solution.primal()[configurationColumn.get(c)]);
                sum += part;
                for (int type = 0; type < load.length; type++) {
                    slots[type] += part * configurations.get(c).counts()[type];
                }
            }
        }
        double factor = 0;
        for (int type = 0; type < load.length; type++) {
            double needed = routed[type][b] / servers;
            factor = needed == 0 ? factor : Math.max(factor, needed / slots[type]);
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

    /** Asks for the dearest configuration of each block at the prices; adds those worth more than a server of the block. */
    private boolean price(LinearSolution solution, double tolerance) {
        double worth = 0;
        double[] poolPrice = new double[pools.length * poolsPerSite()];
        for (int site = 0; site < pools.length; site++) {
            for (int k = 0; k < poolsPerSite(); k++) {
                poolPrice[site * poolsPerSite() + k] = Math.max(0, -solution.dual()[poolRow(site, k)]);
                worth += poolPrice[site * poolsPerSite() + k];
            }
        }
        double[] cheapest = new double[load.length];
        Arrays.fill(cheapest, INFINITY);
        boolean improving = false;
        for (int b = 0; b < blocks.size(); b++) {
            long[] weight = new long[load.length];
            double unit = wholePrices(solution, b, weight);
            int[] counts = new int[load.length];
            worth += pricers[b].best(weight, tolerance, counts) / unit;
            double heaviest = 0;
            for (int type = 0; type < load.length; type++) {
                heaviest += weight[type] * (counts[type] / unit);
            }
            if (heaviest + solution.dual()[blockRow(b)] > NO_IMPROVEMENT) {
                addConfiguration(b, counts);
                improving = true;
            }
            for (int type = 0; type < load.length; type++) {
                if (fits(type, b)) {
                    double cost = weight[type] / unit / blocks.get(b).servers().servers();
                    int site = blocks.get(b).site();
                    for (int k = 0; k < poolsPerSite(); k++) {
                        cost += pooledDemand[type][k] == 0
                                ? 0
                                : poolPrice[site * poolsPerSite() + k] * pooledDemand[type][k] / pools[site][k];
                    }
                    cheapest[type] = Math.min(cheapest[type], cost);
                }
            }
        }
        double least = 0;
        for (int type = 0; type < load.length; type++) {
            least += load[type] == 0 ? 0 : load[type] * cheapest[type];
        }
        lower = worth > 0 ? Math.max(lower, least / worth) : lower;
        return improving;
    }

    /** Whole prices of the slots of a block, in proportion to the shadow prices; returns how many make one. */
    private double wholePrices(LinearSolution solution, int b, long[] weight) {
        double dearest = 0;
        for (int type = 0; type < load.length; type++) {
            dearest = Math.max(dearest, -solution.dual()[slotRow(b, type)] * most(type, b));
        }
        double unit = dearest > 0 ? LARGEST_WEIGHT / (dearest * (load.length + 1)) : 1;
        for (int type = 0; type < load.length; type++) {
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
