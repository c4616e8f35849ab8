package dev.stowage.policies.parallel;

import dev.stowage.optimize.lp.LinearSolvers;

/**
 * TaPRA, Algorithm 1: the relaxed program, each task where its largest part is (ties: the lowest server), REC if that
 * takes too much energy, and the local search.
 */
final class Tapra implements Planner {
    private final Allocation allocation;
    private final LinearSolvers solver;

    Tapra(Allocation allocation, LinearSolvers solver) {
        this.allocation = allocation;
        this.solver = solver;
    }

    @Override
    public Plan plan(Problem problem, long seed) {
        if (problem.isInfeasible()) {
            return Plan.infeasible(problem);
        }
        return Plan.of(place(problem, RelaxedProgram.solve(problem, solver)), allocation);
    }

    /** The placement that it ends with, of a feasible problem whose relaxation is known. */
    static Placement place(Problem problem, Relaxation relaxation) {
        Placement placement = Placement.of(problem, Allocation.EQUATION_16, relaxation.largestParts());
        EnergyRepair.repair(placement);
        LocalSearch.improve(placement);
        return placement;
    }
}
