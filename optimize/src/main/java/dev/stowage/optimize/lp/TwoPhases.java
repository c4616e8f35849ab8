package dev.stowage.optimize.lp;

/** Tells infeasible from unbounded by a second solve without objective: solvers often confuse the two. */
abstract class TwoPhases implements LinearSolver {
    @Override
    public final LinearSolution solve() {
        if (optimum(true)) {
            return solution();
        }
        return LinearSolution.without(
                optimum(false) ? LinearSolution.Status.UNBOUNDED : LinearSolution.Status.INFEASIBLE);
    }

    /** Solves with the program's objective, or with none; false if there is no optimum. */
    abstract boolean optimum(boolean withObjective);

    /** The optimum found last. */
    abstract LinearSolution solution();
}
