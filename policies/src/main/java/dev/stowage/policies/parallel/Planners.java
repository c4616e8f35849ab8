package dev.stowage.policies.parallel;

import dev.stowage.optimize.lp.LinearSolvers;

/** All planners. */
public final class Planners {
    private Planners() {}

    /**
     * TaPRA, its relaxed program solved by the named solver: two solvers may find different optima, and so different
     * plans.
     */
    public static Planner tapra(Allocation allocation, LinearSolvers solver) {
        return new Tapra(checked(allocation), solver);
    }

    /** TaPRA-fast. */
    public static Planner tapraFast(Allocation allocation) {
        return new TapraFast(checked(allocation));
    }

    /**
     * Beyond the paper: energy is spent where it shortens the job, without a linear program.
     *
     * @param tries most attempts to shorten the job a little more
     */
    public static Planner thrifty(Allocation allocation, int tries) {
        return new Thrifty(checked(allocation), checked(tries));
    }

    /**
     * Parameters of a genetic algorithm with tournaments of two, crossover at one point and mutation to any server.
     *
     * @param population chromosomes of a generation, at least 2
     * @param generations generations after the first
     * @param crossover probability that a child has two parents, else one
     * @param mutations tasks that change server by mutation, per child, on average
     */
    public record Genetic(int population, int generations, double crossover, double mutations) {
        /** Ours for MM-GA. */
        public static final Genetic MM_GA = new Genetic(100, 200, 0.9, 1);

        /** Ours for GSA, whose children are annealed as well. */
        public static final Genetic GSA = new Genetic(40, 100, 0.9, 1);

        /** Checks the ranges. */
        public Genetic {
            if (population < 2 || generations < 0 || !(crossover >= 0 && crossover <= 1) || !(mutations >= 0)) {
                throw new IllegalArgumentException(
                        "population " + population + " must be at least 2, generations " + generations
                                + " at least 0, crossover " + crossover + " from 0 to 1, mutations " + mutations
                                + " at least 0");
            }
        }
    }

    /**
     * Parameters of simulated annealing.
     *
     * @param steps movements tried per child
     * @param start temperature of the first generation, relative to the fittest of the first population
     * @param cooling factor of the temperature from generation to generation, above 0 and at most 1
     */
    public record Annealing(int steps, double start, double cooling) {
        /** Ours. */
        public static final Annealing GSA = new Annealing(20, 0.1, 0.95);

        /** Checks the ranges. */
        public Annealing {
            if (steps < 0 || !(start > 0) || !(cooling > 0 && cooling <= 1)) {
                throw new IllegalArgumentException("steps " + steps + " must be at least 0, start " + start
                        + " above 0, cooling " + cooling + " above 0 and at most 1");
            }
        }
    }

    /** Min-Min with REC. */
    public static Planner minMin(Allocation allocation) {
        return new MinMin(allocation);
    }

    /** MM-GA with REC. */
    public static Planner mmGa(Allocation allocation, Genetic genetic) {
        return new Evolution(allocation, genetic, null);
    }

    /** GSA with REC. */
    public static Planner gsa(Allocation allocation, Genetic genetic, Annealing annealing) {
        return new Evolution(allocation, genetic, annealing);
    }

    /**
     * Beyond the paper: from TaPRA and TaPRA-fast on, an iterated local search with swaps, guided by the prices of the
     * relaxation.
     */
    public static Planner pricedSearch(Allocation allocation, LinearSolvers solver, int tries) {
        return new PricedSearch(checked(allocation), solver, checked(tries), -1);
    }

    /**
     * Beyond the paper: {@link #pricedSearch} that starts from {@link #thrifty}, too, and so is never worse.
     *
     * @param tries of both
     */
    public static Planner thriftySearch(Allocation allocation, LinearSolvers solver, int tries) {
        return new PricedSearch(checked(allocation), solver, checked(tries), tries);
    }

    /**
     * The relaxation of a feasible problem, a lower bound for every plan. If the solver gives up, the other one
     * continues; if that gives up too, or there are more than 20,000 tasks and servers, the relaxation is the best
     * certified one ({@link Relaxation#source}).
     *
     * @throws IllegalArgumentException if the problem is infeasible
     */
    public static Relaxation relax(PlanningProblem problem, LinearSolvers solver) {
        if (problem.isInfeasible()) {
            throw new IllegalArgumentException("energy budget " + problem.energyBudget() + ", must be at least "
                    + problem.minimumEnergy() + ", the least energy of any placement");
        }
        return RelaxedProgram.solve(problem, solver);
    }

    /**
     * A lower bound for every plan of a feasible problem that also uses that tasks are not divided: at least the
     * relaxation's. Up to 20 linear programs.
     *
     * @param completion of a plan, seconds
     * @return seconds
     */
    public static double wholeTaskBound(
            PlanningProblem problem, Relaxation relaxation, double completion, LinearSolvers solver) {
        return WholeTaskBound.of(problem, solver, relaxation.bound(), completion);
    }

    /** The least time by which every task alone could be complete, a lower bound for every plan, in seconds. */
    public static double longestTaskBound(PlanningProblem problem) {
        return new TargetTime(problem).least();
    }

    private static int checked(int tries) {
        if (tries < 0) {
            throw new IllegalArgumentException("tries " + tries + ", must be at least 0");
        }
        return tries;
    }

    private static Allocation checked(Allocation allocation) {
        if (allocation == Allocation.EQUAL_SHARE) {
            throw new IllegalArgumentException(
                    "TaPRA divides by equation (16); EQUAL_SHARE is for the planners it is compared with");
        }
        return allocation;
    }
}
