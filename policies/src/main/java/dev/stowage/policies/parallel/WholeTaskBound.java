package dev.stowage.policies.parallel;

import dev.stowage.optimize.lp.LinearSolvers;

/**
 * A bound that uses that a task is not divided: a plan that completes before T puts no task on a server where it alone
 * takes T, so the relaxed program without those pairs bounds all such plans. The greatest T that this excludes is found
 * by bisection between the bound of the relaxed program and a plan's completion time. After J. K. Lenstra, D. B.
 * Shmoys, E. Tardos, Approximation Algorithms for Scheduling Unrelated Parallel Machines, Mathematical Programming 46,
 * 1990.
 *
 * <p>Each step is a certified bound, so the result is one too. It is tighter if few large tasks decide the completion
 * time. It does not use that the budget can be spent on whole tasks only.
 */
final class WholeTaskBound {
    private static final int MOST_STEPS = 20;
    /** Relative width at which the bisection ends. */
    private static final double CLOSE_ENOUGH = 1e-4;

    private final PlanningProblem problem;
    private final LinearSolvers solver;

    private WholeTaskBound(PlanningProblem problem, LinearSolvers solver) {
        this.problem = problem;
        this.solver = solver;
    }

    /** A lower bound of every plan, seconds, at least {@code least}, which is one, and at most {@code completion}. */
    static double of(PlanningProblem problem, LinearSolvers solver, double least, double completion) {
        WholeTaskBound bound = new WholeTaskBound(problem, solver);
        double below = least;
        double above = completion;
        for (int n = 0; n < MOST_STEPS && above > below * (1 + CLOSE_ENOUGH); n++) {
            double middle = (below + above) / 2;
            double before = bound.before(middle);
            if (before >= middle) {
                below = middle;
            } else {
                below = Math.max(below, before);
                above = middle;
            }
        }
        return below;
    }

    /** A lower bound of all plans that are complete before a time; infinite if there are none. */
    private double before(double time) {
        ParallelJob job = problem.job;
        int servers = problem.limits.servers();
        double[] efficiency = job.efficiency.clone();
        for (int i = 0; i < job.tasks(); i++) {
            boolean somewhere = false;
            for (int j = 0; j < servers; j++) {
                if (problem.canRun(i, j) && problem.alone(i, j) < time) {
                    somewhere = true;
                } else {
                    efficiency[i * servers + j] = 0;
                }
            }
            if (!somewhere) {
                return Double.POSITIVE_INFINITY;
            }
        }
        ParallelJob restricted = new ParallelJob(job.load, job.power, efficiency);
        PlanningProblem sooner = new PlanningProblem(restricted, problem.limits, problem.energyBudget);
        return sooner.isInfeasible()
                ? Double.POSITIVE_INFINITY
                : RelaxedProgram.solve(sooner, solver).bound();
    }
}
