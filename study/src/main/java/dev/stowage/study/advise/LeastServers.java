package dev.stowage.study.advise;

import dev.stowage.optimize.lp.LinearProgram;
import dev.stowage.optimize.lp.LinearSolution;
import dev.stowage.optimize.lp.LinearSolver;
import dev.stowage.optimize.lp.LinearSolvers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A lower bound, by linear programming, on the number of servers that can hold the running jobs.
 *
 * <p>Jobs may be divided among servers (a kind of job to a kind of server at most as often as whole jobs fit there),
 * budgets and rules on neighbours other than those per server are ignored, and a server may always keep what it holds
 * now. The program is solved over groups of alike jobs and servers; its shadow prices are then the certificate: for any
 * prices pi (of a unit of a resource) and mu (of one job on a server) at least zero, by weak duality,
 *
 * <pre>  servers &gt;= sum over jobs j of min over servers c that may hold j of (pi_c d_j + mu_jc)
 *             + sum over servers c of min(0, 1 - pi_c C_c - sum over kinds k of m_kc mu_kc),</pre>
 *
 * without the outer minimum for servers that hold a job that cannot be moved. This sum is computed over the single jobs
 * and servers, so neither the grouping nor the solver's tolerance can make the bound too large; {@link #MARGIN} is
 * subtracted for rounding errors before rounding up.
 */
final class LeastServers {
    /** Larger than the error of the sum in double precision at a million jobs. */
    static final double MARGIN = 1e-6;

    private static final int MOST_KINDS = 400;
    private static final int MOST_COLUMNS = 40_000;
    /** A row that limits the number of a kind is left out if the rows of amounts imply nearly the same. */
    private static final double BITES = 0.93;

    private final BoundKinds kinds;
    private final int resources;

    private LeastServers(ClusterState state) {
        kinds = BoundKinds.of(state, MOST_KINDS, MOST_COLUMNS);
        resources = state.resources().size();
    }

    /**
     * The bound, and what a unit of each resource is worth in servers, by the program.
     *
     * @param servers no packing uses fewer
     * @param exact the certificate's value before rounding up
     * @param prices worth of a unit of each resource, averaged over servers, at least 0
     */
    record Bound(int servers, double exact, double[] prices) {
        /** Takes a copy. */
        Bound {
            prices = prices.clone();
        }
    }

    /** The bound of a cluster. */
    static Bound of(ClusterState state) {
        return new LeastServers(state).bound();
    }

    private Bound bound() {
        double[][] pi = new double[kinds.groups()][resources];
        double[][] mu = new double[kinds.jobKinds()][kinds.groups()];
        double best = kinds.value(pi, mu);
        double[] prices = new double[resources];
        LinearSolution solution = solve();
        if (solution.optimal()) {
            read(solution, pi, mu);
            double value = kinds.value(pi, mu);
            best = Math.max(best, value);
            for (int g = 0; g < kinds.groups(); g++) {
                for (int r = 0; r < resources; r++) {
                    prices[r] += pi[g][r] * kinds.size(g) / Math.max(1, kinds.servers());
                }
            }
        }
        return new Bound(Math.max(0, (int) Math.ceil(best - MARGIN)), best, prices);
    }

    private final List<int[]> few = new ArrayList<>();

    private LinearSolution solve() {
        LinearProgram program = LinearProgram.minimize();
        for (int k = 0; k < kinds.jobKinds(); k++) {
            program.addRow(kinds.jobs(k), Double.POSITIVE_INFINITY);
        }
        for (int g = 0; g < kinds.groups(); g++) {
            for (int r = 0; r < resources; r++) {
                program.addRow(0, Double.POSITIVE_INFINITY);
            }
        }
        int[][] fewRow = new int[kinds.jobKinds()][kinds.groups()];
        for (int k = 0; k < kinds.jobKinds(); k++) {
            Arrays.fill(fewRow[k], -1);
            for (int g = 0; g < kinds.groups(); g++) {
                if (kinds.admits(g, k) && kinds.most(g, k) > 0 && kinds.share(g, k) * kinds.most(g, k) < BITES) {
                    fewRow[k][g] = program.addRow(0, Double.POSITIVE_INFINITY);
                    few.add(new int[] {fewRow[k][g], k, g});
                }
            }
        }
        for (int g = 0; g < kinds.groups(); g++) {
            addServers(program, g, fewRow);
            for (int k = 0; k < kinds.jobKinds(); k++) {
                if (kinds.admits(g, k)) {
                    addJobs(program, g, k, fewRow[k][g]);
                }
            }
        }
        try (LinearSolver solver = LinearSolvers.best().open(program)) {
            return solver.solve();
        }
    }

    private void addServers(LinearProgram program, int g, int[][] fewRow) {
        int[] rows = new int[resources + kinds.jobKinds()];
        double[] values = new double[rows.length];
        int size = 0;
        for (int r = 0; r < resources; r++) {
            if (kinds.capacity(g, r) > 0) {
                rows[size] = kinds.jobKinds() + g * resources + r;
                values[size++] = kinds.capacity(g, r) / kinds.scale(r);
            }
        }
        for (int k = 0; k < kinds.jobKinds(); k++) {
            if (fewRow[k][g] >= 0) {
                rows[size] = fewRow[k][g];
                values[size++] = kinds.most(g, k);
            }
        }
        double least = kinds.held(g) ? kinds.size(g) : 0;
        program.addColumn(1, least, kinds.size(g), Arrays.copyOf(rows, size), Arrays.copyOf(values, size));
    }

    private void addJobs(LinearProgram program, int g, int k, int fewRow) {
        int[] rows = new int[resources + 2];
        double[] values = new double[rows.length];
        rows[0] = k;
        values[0] = 1;
        int size = 1;
        for (int r = 0; r < resources; r++) {
            if (kinds.demand(k, r) > 0) {
                rows[size] = kinds.jobKinds() + g * resources + r;
                values[size++] = -kinds.demand(k, r) / kinds.scale(r);
            }
        }
        if (fewRow >= 0) {
            rows[size] = fewRow;
            values[size++] = -1;
        }
        program.addColumn(0, 0, Double.POSITIVE_INFINITY, Arrays.copyOf(rows, size), Arrays.copyOf(values, size));
    }

    private void read(LinearSolution solution, double[][] pi, double[][] mu) {
        for (int g = 0; g < kinds.groups(); g++) {
            for (int r = 0; r < resources; r++) {
                double price = solution.dual()[kinds.jobKinds() + g * resources + r];
                pi[g][r] = Math.max(0, price) / kinds.scale(r);
            }
        }
        for (int[] one : few) {
            mu[one[1]][one[2]] = Math.max(0, solution.dual()[one[0]]);
        }
    }
}
