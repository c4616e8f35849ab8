package dev.stowage.policies.parallel;

import dev.stowage.core.random.KeyedRandom;
import dev.stowage.core.random.Streams;
import dev.stowage.policies.parallel.Planners.Annealing;
import dev.stowage.policies.parallel.Planners.Genetic;
import org.jspecify.annotations.Nullable;

/**
 * The genetic algorithms of section 6.1.3, then REC. MM-GA: the first population holds the result of Min-Min; the
 * fittest survives, so before REC it is never worse than that. GSA: in each generation simulated annealing improves
 * every child. The paper gives no parameters; ours are in {@link Genetic} and {@link Annealing}. A step of the
 * annealing moves one task to any server, at a cost of O(rows per server) if refused.
 *
 * @param annealing of GSA; null for MM-GA
 */
record Evolution(
        Allocation allocation, Genetic genetic, @Nullable Annealing annealing) implements Planner {
    private static final long MM_GA_STREAM = Streams.of("parallel-mm-ga");
    private static final long GSA_STREAM = Streams.of("parallel-gsa");

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
        KeyedRandom random = new KeyedRandom().key(seed, annealing == null ? MM_GA_STREAM : GSA_STREAM, 0);
        Genes genes = new Genes(problem, allocation, random);
        Placement placement = new Placement(problem, allocation);
        int[][] population = new int[genetic.population()][];
        double[] completion = new double[population.length];
        for (int c = 0; c < population.length; c++) {
            population[c] = c == 0 && annealing == null
                    ? MinMin.place(problem, allocation).servers()
                    : genes.anyPlacement();
            completion[c] = genes.completion(population[c]);
        }
        double temperature = annealing == null ? 0 : annealing.start() * completion[Genes.fittest(completion)];
        for (int g = 0; g < genetic.generations(); g++) {
            int[][] next = new int[population.length][];
            double[] nextCompletion = new double[population.length];
            int fittest = Genes.fittest(completion);
            next[0] = population[fittest];
            nextCompletion[0] = completion[fittest];
            for (int c = 1; c < next.length; c++) {
                int[] one = population[genes.tournament(completion)];
                int[] child = genes.child(one, population[genes.tournament(completion)], genetic.crossover());
                genes.mutate(child, genetic.mutations() / child.length);
                if (annealing == null) {
                    next[c] = child;
                    nextCompletion[c] = genes.completion(child);
                } else {
                    placement.set(child);
                    anneal(annealing.steps(), placement, genes, random, temperature);
                    next[c] = placement.servers();
                    nextCompletion[c] = placement.completion();
                }
            }
            population = next;
            completion = nextCompletion;
            temperature *= annealing == null ? 1 : annealing.cooling();
        }
        return population[Genes.fittest(completion)];
    }

    private static void anneal(int steps, Placement placement, Genes genes, KeyedRandom random, double temperature) {
        for (int s = 0; s < steps; s++) {
            int task = random.nextInt(placement.problem.job.tasks());
            int server = genes.anyServer(task);
            double before = placement.completion();
            placement.lift(task);
            double after = Math.max(placement.completion(), placement.timeOn(task, server, Double.POSITIVE_INFINITY));
            if (after <= before || random.nextDouble() < StrictMath.exp((before - after) / temperature)) {
                placement.move(task, server);
            } else {
                placement.putBack();
            }
        }
    }
}
