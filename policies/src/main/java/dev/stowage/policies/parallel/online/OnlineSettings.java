package dev.stowage.policies.parallel.online;

import dev.stowage.core.model.Efficiency;
import dev.stowage.policies.parallel.Planner;

/**
 * Settings of an online scheduler.
 *
 * @param order order of jobs
 * @param planner plans one job
 * @param drc whether residual capacity is distributed
 * @param periodNanos time between rounds
 * @param marForAll whether the MAR test applies to every order, not only to SJF
 * @param leastFree Max_Percent: nothing is scheduled with at most this part of the capacity free
 * @param limits fractions of available capacity that a job may hold
 * @param budgetSpread largest energy budget relative to the job's energy at efficiency 1, minus 1; infinite for no
 *     budget
 * @param efficiency of tasks on servers
 */
record OnlineSettings(
        JobOrder order,
        Planner planner,
        boolean drc,
        long periodNanos,
        boolean marForAll,
        double leastFree,
        CenterLimits limits,
        double budgetSpread,
        Efficiency efficiency) {
    /**
     * The energy budget of a job without one of its own, at a given part of the way from its energy at efficiency 1 to
     * the largest budget.
     */
    double budget(double energy, double part) {
        return Double.isInfinite(budgetSpread) ? budgetSpread : energy * (1 + budgetSpread * part);
    }
}
