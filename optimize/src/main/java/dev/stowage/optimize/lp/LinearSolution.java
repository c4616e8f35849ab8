package dev.stowage.optimize.lp;

/**
 * A solver's answer to a program. Not to be trusted before {@link Certificate} has checked it.
 *
 * @param status whether there is an optimum; without one the arrays are empty and the objective is not a number
 * @param objective value of the objective
 * @param primal value per column
 * @param dual shadow price per row: by how much the optimal objective rises per unit that the row's binding bound
 *     rises, whether the program minimises or maximises
 */
public record LinearSolution(Status status, double objective, double[] primal, double[] dual) {
    /** Outcome of a solver. */
    public enum Status {
        /** There is an optimum. */
        OPTIMAL,
        /** No point keeps all bounds. */
        INFEASIBLE,
        /** The objective has no limit. */
        UNBOUNDED
    }

    static LinearSolution without(Status status) {
        return new LinearSolution(status, Double.NaN, new double[0], new double[0]);
    }

    /** Whether there is an optimum. */
    public boolean optimal() {
        return status == Status.OPTIMAL;
    }
}
