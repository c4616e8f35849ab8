package dev.stowage.policies.parallel;

import dev.stowage.optimize.lp.LinearSolvers;

/** The planners there are. */
public final class Planners {
    private Planners() {}

    /** TaPRA, its relaxed program solved by the named solver: two solvers may find different optima, and so different plans. */
    public static Planner tapra(Allocation allocation, LinearSolvers solver) {
        return new Tapra(checked(allocation), solver);
    }

    /** TaPRA-fast. */
    public static Planner tapraFast(Allocation allocation) {
        return new TapraFast(checked(allocation));
    }

    /**
     * The relaxation of a feasible problem, a lower bound of every plan.
     *
     * @throws IllegalArgumentException if the problem is infeasible
     */
    public static Relaxation relax(Problem problem, LinearSolvers solver) {
        if (problem.isInfeasible()) {
            throw new IllegalArgumentException("energy budget " + problem.energyBudget() + ", must be at least "
                    + problem.minimumEnergy() + ", the least energy of any placement");
        }
        return RelaxedProgram.solve(problem, solver);
    }

    private static Allocation checked(Allocation allocation) {
        if (allocation == Allocation.EQUAL_SHARE) {
            throw new IllegalArgumentException(
                    "TaPRA divides by equation (16); EQUAL_SHARE is for the planners it is compared with");
        }
        return allocation;
    }
}
