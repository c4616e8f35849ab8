package dev.stowage.policies.parallel;

import dev.stowage.core.random.KeyedRandom;
import dev.stowage.core.random.Streams;

/**
 * Beyond the paper: a heuristic whose only guarantee is that it is never worse than TaPRA-fast. No linear program. It
 * spends energy only where that shortens the job: it bisects the job completion time, starting from TaPRA-fast's, and
 * finds for each time a placement that takes little energy ({@link TargetTime}). The shortest one within the budget is
 * improved by the local search of TaPRA and by swaps ({@link Swaps}). Then it tries to shorten the job a little more,
 * each time with other weights of tasks; the larger the problem, the fewer attempts. A plan close to a bound that is
 * quick to compute is not improved.
 */
record Thrifty(Allocation allocation, int tries) implements Planner {
    private static final long STREAM = Streams.of("parallel-thrifty");
    /** Relative width at which the bisection ends, and the least relative improvement that an attempt aims at. */
    private static final double CLOSE_ENOUGH = 1e-4;

    private static final int MOST_TIMES = 60;
    private static final double FIRST_STEP = 0.01;
    private static final double LONGER_STEP = 1.5;
    private static final double SHORTER_STEP = 0.8;
    private static final double MOST_WEIGHT = 11;
    /** Limit of attempts times tasks times servers. */
    private static final long MOST_WORK = 15_000_000;

    @Override
    public Plan plan(PlanningProblem problem, long seed) {
        if (problem.isInfeasible()) {
            return Plan.infeasible(problem);
        }
        return Plan.of(place(problem, tries, random(seed)), allocation);
    }

    /** What the weights of tasks are drawn from. */
    static KeyedRandom random(long seed) {
        return new KeyedRandom().key(seed, STREAM, 0);
    }

    /** The placement that it ends with, of a feasible problem; every attempt draws one number for each task. */
    static Placement place(PlanningProblem problem, int tries, KeyedRandom random) {
        Placement placement = TapraFast.place(problem);
        TargetTime target = new TargetTime(problem);
        double least = target.least();
        double enough = Math.max(least, target.leastTogether()) * (1 + CLOSE_ENOUGH);
        bisect(placement, target, least, enough);
        Swaps.search(placement);
        long affordable = MOST_WORK / ((long) problem.job.tasks() * problem.limits.servers());
        again(placement, target, enough, Math.min(tries, affordable), random);
        return placement;
    }

    private static void bisect(Placement placement, TargetTime target, double least, double enough) {
        int[] best = placement.servers();
        double shortest = placement.completion();
        double none = least;
        for (int n = 0; n < MOST_TIMES && shortest > enough && shortest > none * (1 + CLOSE_ENOUGH); n++) {
            double middle = Math.sqrt(none) * Math.sqrt(shortest);
            if (reached(placement, target, middle, shortest)) {
                best = placement.servers();
                shortest = placement.completion();
            } else {
                none = middle;
            }
        }
        placement.set(best);
    }

    private static void again(Placement placement, TargetTime target, double enough, long tries, KeyedRandom random) {
        int[] best = placement.servers();
        double shortest = placement.completion();
        double step = FIRST_STEP;
        for (long n = 0; n < tries && shortest > enough; n++) {
            target.weigh(random, MOST_WEIGHT);
            if (reached(placement, target, shortest * (1 - step), shortest)) {
                Swaps.search(placement);
                best = placement.servers();
                shortest = placement.completion();
                step = Math.min(0.5, step * LONGER_STEP);
            } else {
                step = Math.max(step * SHORTER_STEP, CLOSE_ENOUGH);
            }
        }
        placement.set(best);
    }

    /** Whether a placement was found that is shorter than the best, by exact sums, and within the budget. */
    private static boolean reached(Placement placement, TargetTime target, double time, double shortest) {
        if (!target.reach(time)) {
            return false;
        }
        placement.set(target.servers());
        return placement.completion() < shortest && placement.problem.withinBudget(placement.energy());
    }
}
