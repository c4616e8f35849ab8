package dev.stowage.policies.parallel;

import dev.stowage.core.random.KeyedRandom;
import dev.stowage.core.random.Streams;
import dev.stowage.policies.parallel.Planners.Genetic;

/**
 * MM-GA, section 6.1.3: a genetic algorithm whose first population holds the result of Min-Min; then REC. The paper
 * gives no parameters; ours are in {@link Genetic}. The fittest survives, so before REC it is never worse than Min-Min.
 */
record MinMinGenetic(Allocation allocation, Genetic genetic) implements Planner {
    private static final long STREAM = Streams.of("parallel-mm-ga");

    @Override
    public Plan plan(PlanningProblem problem, long seed) {
        if (problem.isInfeasible()) {
            return Plan.infeasible(problem);
        }
        Placement placement = Placement.of(problem, allocation, evolve(problem, seed));
        EnergyRepair.repair(placement);
        return Plan.of(placement, allocation);
    }

    private int[] evolve(PlanningProblem problem, long seed) {
        Genes genes = new Genes(problem, allocation, new KeyedRandom().key(seed, STREAM, 0));
        int[][] population = new int[genetic.population()][];
        double[] completion = new double[population.length];
        for (int c = 0; c < population.length; c++) {
            population[c] = c == 0 ? MinMin.place(problem, allocation).servers() : genes.anyPlacement();
            completion[c] = genes.completion(population[c]);
        }
        for (int g = 0; g < genetic.generations(); g++) {
            int[][] next = new int[population.length][];
            next[0] = population[Genes.fittest(completion)];
            for (int c = 1; c < next.length; c++) {
                int[] one = population[genes.tournament(completion)];
                next[c] = genes.child(one, population[genes.tournament(completion)], genetic.crossover());
                genes.mutate(next[c], genetic.mutations() / next[c].length);
            }
            population = next;
            for (int c = 0; c < population.length; c++) {
                completion[c] = genes.completion(population[c]);
            }
        }
        return population[Genes.fittest(completion)];
    }
}
