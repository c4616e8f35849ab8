package dev.stowage.optimize.lp;

/**
 * The check of a solution, independent of the solver that gave it.
 *
 * <p>First the signs of the shadow prices are corrected: a price that would need an infinite bound is set to zero. For
 * any such prices the bounds of rows and columns give a bound on the objective of every feasible point (weak duality);
 * a column whose reduced cost would need an infinite bound counts in the dual residual. With y of rows and d_j = c_j -
 * sum of y_i a_ij, for a program that minimises: objective >= sum of y_i (lower_i if y_i > 0, else upper_i) + sum of
 * d_j (l_j if d_j > 0, else u_j).
 *
 * @param primalResidual the most by which a row or column is outside its bounds, relative to max(1, |bound|)
 * @param dualResidual greatest reduced cost that points to an infinite bound
 * @param objective value of the objective at the solution
 * @param bound the bound on the objective of every feasible point, valid if the dual residual is zero
 */
public record Certificate(double primalResidual, double dualResidual, double objective, double bound) {
    /** The check of an optimal solution of a program. */
    public static Certificate of(LinearProgram program, LinearSolution solution) {
        if (!solution.optimal()) {
            throw new IllegalArgumentException("status " + solution.status() + ", must be OPTIMAL");
        }
        int sign = program.maximizes() ? -1 : 1;
        double[] price = prices(program, solution, sign);
        double[] activity = new double[program.rows()];
        double outside = 0;
        double objective = 0;
        double bound = 0;
        double dualResidual = 0;
        for (int j = 0; j < program.columns(); j++) {
            double x = solution.primal()[j];
            double reduced = sign * program.cost(j);
            for (int e = 0; e < program.entries(j); e++) {
                activity[program.entryRow(j, e)] += program.entryValue(j, e) * x;
                reduced -= program.entryValue(j, e) * price[program.entryRow(j, e)];
            }
            outside = Math.max(outside, outside(x, program.columnLower(j), program.columnUpper(j)));
            objective += program.cost(j) * x;
            double at = reduced > 0 ? program.columnLower(j) : program.columnUpper(j);
            if (Double.isInfinite(at)) {
                dualResidual = Math.max(dualResidual, Math.abs(reduced));
            } else {
                bound += reduced * at;
            }
        }
        for (int i = 0; i < program.rows(); i++) {
            outside = Math.max(outside, outside(activity[i], program.rowLower(i), program.rowUpper(i)));
            bound += price[i] == 0 ? 0 : price[i] * (price[i] > 0 ? program.rowLower(i) : program.rowUpper(i));
        }
        return new Certificate(outside, dualResidual, objective, sign * bound);
    }

    /** The shadow prices of the program as a minimisation, without those that point to an infinite bound. */
    private static double[] prices(LinearProgram program, LinearSolution solution, int sign) {
        double[] price = new double[program.rows()];
        for (int i = 0; i < price.length; i++) {
            double y = sign * solution.dual()[i];
            price[i] = Double.isInfinite(y > 0 ? program.rowLower(i) : program.rowUpper(i)) ? 0 : y;
        }
        return price;
    }

    private static double outside(double x, double lower, double upper) {
        double below = (lower - x) / Math.max(1, Math.abs(lower));
        double above = (x - upper) / Math.max(1, Math.abs(upper));
        return Math.max(
                0,
                Math.max(lower == Double.NEGATIVE_INFINITY ? 0 : below, upper == Double.POSITIVE_INFINITY ? 0 : above));
    }

    /** Difference between objective and bound, relative to max(1, |objective|). */
    public double gap() {
        return Math.abs(bound - objective) / Math.max(1, Math.abs(objective));
    }

    /** Whether residuals and gap are numbers within a tolerance. */
    public boolean holds(double tolerance) {
        return primalResidual <= tolerance && dualResidual <= tolerance && gap() <= tolerance;
    }
}
