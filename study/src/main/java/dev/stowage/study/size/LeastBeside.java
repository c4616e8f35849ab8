package dev.stowage.study.size;

import dev.stowage.optimize.lp.LinearProgram;
import dev.stowage.optimize.lp.LinearSolution;
import dev.stowage.optimize.lp.LinearSolver;
import dev.stowage.optimize.lp.LinearSolvers;
import dev.stowage.optimize.lp.SolverException;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Below which cost no servers bought beside some that stay have as much of every resource as is asked for at a moment:
 * a linear program over parts of servers. What it says follows from its prices of the resources alone, at which no
 * server that is on offer is worth more than its price.
 */
final class LeastBeside {
    /** Far more than the rounding of sums of prices. */
    private static final double ROUNDING = 1e-9;

    private final long[][] offered;
    private final double[] price;

    /**
     * For kinds on offer.
     *
     * @param offered by kind and resource
     */
    LeastBeside(long[][] offered, double[] price) {
        this.offered = offered;
        this.price = price;
    }

    /** The least cost. */
    double cost(double[] missing) {
        double[] largest = new double[missing.length];
        for (int r = 0; r < missing.length; r++) {
            int resource = r;
            largest[r] = Arrays.stream(offered)
                    .mapToDouble(kind -> kind[resource])
                    .max()
                    .orElse(0);
        }
        int[] asked = IntStream.range(0, missing.length)
                .filter(r -> missing[r] > 0 && largest[r] > 0)
                .toArray();
        if (asked.length == 0) {
            return 0;
        }
        LinearProgram program = LinearProgram.minimize();
        int[] rows = Arrays.stream(asked)
                .map(r -> program.addRow(missing[r] / largest[r], Double.POSITIVE_INFINITY))
                .toArray();
        for (int l = 0; l < offered.length; l++) {
            int kind = l;
            program.addColumn(
                    price[l],
                    0,
                    Double.POSITIVE_INFINITY,
                    rows,
                    Arrays.stream(asked)
                            .mapToDouble(r -> offered[kind][r] / largest[r])
                            .toArray());
        }
        try (LinearSolver solver = LinearSolvers.best().open(program)) {
            LinearSolution solution = solver.solve();
            return solution.optimal() ? proven(asked, missing, largest, solution.dual()) : 0;
        } catch (SolverException e) {
            return 0;
        }
    }

    /** At prices that are scaled down until no server is worth more than it costs. */
    private double proven(int[] asked, double[] missing, double[] largest, double[] dual) {
        double[] worth = new double[offered.length];
        double sum = 0;
        for (int i = 0; i < asked.length; i++) {
            double each = Math.max(0, dual[i]) / largest[asked[i]];
            sum += each * missing[asked[i]];
            for (int l = 0; l < worth.length; l++) {
                worth[l] += each * offered[l][asked[i]];
            }
        }
        double most = 1;
        for (int l = 0; l < worth.length; l++) {
            most = Math.max(most, worth[l] / price[l]);
        }
        return sum / most * (1 - ROUNDING);
    }
}
