package dev.stowage.policies.parallel;

import dev.stowage.core.random.KeyedRandom;
import dev.stowage.core.random.Streams;
import dev.stowage.optimize.lp.LinearSolvers;

/**
 * Beyond the paper: an iterated local search guided by the prices of the relaxed program. It starts from the better
 * result of TaPRA and TaPRA-fast, and improves it by swaps too ({@link Swaps}). Then it repeatedly moves a few tasks to
 * servers that are cheap at the prices of the relaxation, runs REC and the search, and undoes what is not better. It
 * stops early within a relative 1e-4 of the bound. Never worse than TaPRA or TaPRA-fast, nor than {@link Thrifty} where
 * it starts from that, too.
 *
 * @param triesOfThrifty of {@link Thrifty}, whose result is one more start; negative for none
 */
record PricedSearch(Allocation allocation, LinearSolvers solver, int tries, int triesOfThrifty) implements Planner {
    private static final long STREAM = Streams.of("parallel-priced-search");
    /** Number of cheap servers to choose from for a moved task. */
    private static final int CHEAP = 8;
    /** Most tasks moved at a time. */
    private static final int THROWN = 6;

    private static final double CLOSE_ENOUGH = 1e-4;

    @Override
    public Plan plan(PlanningProblem problem, long seed) {
        if (problem.isInfeasible()) {
            return Plan.infeasible(problem);
        }
        Relaxation relaxation = RelaxedProgram.solve(problem, solver);
        Placement placement = Tapra.place(problem, relaxation);
        Placement fast = TapraFast.place(problem);
        Swaps.search(placement);
        Swaps.search(fast);
        if (fast.completion() < placement.completion()) {
            placement = fast;
        }
        if (triesOfThrifty >= 0) {
            Placement thrifty = Thrifty.place(problem, triesOfThrifty, Thrifty.random(seed));
            if (thrifty.completion() < placement.completion()) {
                placement = thrifty;
            }
        }
        improve(placement, relaxation, new KeyedRandom().key(seed, STREAM, 0));
        return Plan.of(placement, allocation, relaxation);
    }

    private void improve(Placement placement, Relaxation relaxation, KeyedRandom random) {
        PlanningProblem problem = placement.problem;
        int[][] cheap = relaxation.cheapest(CHEAP);
        int[] best = placement.servers();
        double least = placement.completion();
        for (int t = 0; t < tries && least > relaxation.bound() * (1 + CLOSE_ENOUGH); t++) {
            int[] thrown = best.clone();
            for (int n = 1 + random.nextInt(THROWN); n > 0; n--) {
                int task = random.nextInt(thrown.length);
                thrown[task] = cheap[task][random.nextInt(cheap[task].length)];
            }
            placement.set(thrown);
            if (!problem.withinBudget(placement.energy())) {
                EnergyRepair.repair(placement);
            }
            Swaps.search(placement);
            if (placement.completion() <= least) {
                least = placement.completion();
                best = placement.servers();
            }
        }
        placement.set(best);
    }
}
