package dev.stowage.policies.parallel;

import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A plan for a job: a server and an amount of the resource for each task. If no placement keeps the energy budget, it
 * is infeasible, and reports how much energy is missing.
 */
public final class Plan {
    private final PlanningProblem problem;
    private final int[] server;
    private final double[] amount;
    private final double completion;
    private final double energy;
    private final @Nullable Relaxation relaxation;

    private Plan(
            PlanningProblem problem,
            int[] server,
            double[] amount,
            double completion,
            double energy,
            @Nullable Relaxation relaxation) {
        this.problem = problem;
        this.server = server;
        this.amount = amount;
        this.completion = completion;
        this.energy = energy;
        this.relaxation = relaxation;
    }

    /** The plan of a placement, with its allocation. */
    static Plan of(Placement placement, Allocation allocation) {
        return of(placement, allocation, null);
    }

    /** The plan of a placement that was found with the help of a relaxation. */
    static Plan of(Placement placement, Allocation allocation, @Nullable Relaxation relaxation) {
        return new Plan(
                placement.problem,
                placement.servers(),
                TaskAmounts.of(placement, allocation),
                placement.completion(),
                placement.energy(),
                relaxation);
    }

    /** The plan of a problem whose least energy is above its budget. */
    static Plan infeasible(PlanningProblem problem) {
        return new Plan(problem, new int[0], new double[0], Double.POSITIVE_INFINITY, problem.minimumEnergy(), null);
    }

    /** The problem. */
    public PlanningProblem problem() {
        return problem;
    }

    /** Whether every task has a server, and the energy budget is kept. */
    public boolean feasible() {
        return missingEnergy() == 0;
    }

    /** By how much the energy exceeds the budget: for an infeasible problem, the least amount missing; else 0. */
    public double missingEnergy() {
        return problem.withinBudget(energy) ? 0 : energy - problem.energyBudget;
    }

    /** The server of a task. */
    public int server(int task) {
        return server[task];
    }

    /** The server of each task; empty if infeasible. */
    public int[] servers() {
        return server.clone();
    }

    /** The amount of the resource that a task gets, c_i. */
    public double amount(int task) {
        return amount[task];
    }

    /** The amounts; empty if infeasible. */
    public double[] amounts() {
        return amount.clone();
    }

    /** Sum of the amounts. */
    public double totalAmount() {
        double total = 0;
        for (double one : amount) {
            total += one;
        }
        return total;
    }

    /** How long a task runs, seconds: et_i. */
    public double time(int task) {
        return problem.job.equivalentLoad(task, server[task]) / amount[task];
    }

    /** The job completion time, seconds; infinite if infeasible. */
    public double completion() {
        return completion;
    }

    /** The energy; for an infeasible plan the least possible energy. */
    public double energy() {
        return energy;
    }

    /**
     * The relaxation that the planner solved, if it did, so that it need not be solved again for its bound.
     */
    public Optional<Relaxation> relaxation() {
        return Optional.ofNullable(relaxation);
    }

    @Override
    public String toString() {
        return "Plan[completion=" + completion + ", energy=" + energy + ", servers=" + Arrays.toString(server) + "]";
    }
}
