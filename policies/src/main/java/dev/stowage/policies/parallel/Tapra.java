package dev.stowage.policies.parallel;

import dev.stowage.optimize.lp.LinearSolvers;

/**
 * TaPRA, Algorithm 1: solves the relaxed program, places each task where its largest part is (ties: the lowest server),
 * repairs the placement by REC if it takes too much energy, and improves it by the local search. If the solvers gave
 * up, the largest parts are those of the best round, or the servers of TaPRA-fast.
 */
record Tapra(Allocation allocation, LinearSolvers solver) implements Planner {
    @Override
    public Plan plan(PlanningProblem problem, long seed) {
        if (problem.isInfeasible()) {
            return Plan.infeasible(problem);
        }
        Relaxation relaxation = RelaxedProgram.solve(problem, solver);
        return Plan.of(place(problem, relaxation), allocation, relaxation);
    }

    /** The placement that it ends with, of a feasible problem whose relaxation is known. */
    static Placement place(PlanningProblem problem, Relaxation relaxation) {
        Placement placement = Placement.of(problem, Allocation.EQUATION_16, relaxation.largestParts());
        EnergyRepair.repair(placement);
        LocalSearch.improve(placement);
        return placement;
    }
}
