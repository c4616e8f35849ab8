package dev.stowage.policies.parallel;

/**
 * Scheduling a single job (SJS): choose the servers and amounts of its tasks such that the job completes as early as
 * possible, no row of the limits is exceeded, and the energy stays within a budget. Equations (30) to (35).
 */
public final class PlanningProblem {
    /** Two times, or two energies, closer than this times their size are equal. */
    static final double TOLERANCE = 1e-12;

    final ParallelJob job;
    final Limits limits;
    final double energyBudget;
    final double minimumEnergy;
    private final int[] mostEfficient;

    /**
     * A problem.
     *
     * @param energyBudget E_MAX, at least 0; infinite for none
     * @throws IllegalArgumentException if job and limits are not over the same servers, the budget is not in its range,
     *     or a task cannot run on any server
     */
    public PlanningProblem(ParallelJob job, Limits limits, double energyBudget) {
        if (job.servers() != limits.servers()) {
            throw new IllegalArgumentException("efficiencies for " + job.servers() + " servers and limits over "
                    + limits.servers() + ", must be the same number");
        }
        if (!(energyBudget >= 0)) {
            throw new IllegalArgumentException("energy budget " + energyBudget + ", must be at least 0");
        }
        this.job = job;
        this.limits = limits;
        this.energyBudget = energyBudget;
        this.mostEfficient = new int[job.tasks()];
        double[] energy = new double[ExactSum.WIDTH];
        for (int i = 0; i < mostEfficient.length; i++) {
            mostEfficient[i] = mostEfficient(i);
            ExactSum.add(energy, 0, job.energy(i, mostEfficient[i]));
        }
        this.minimumEnergy = energy[0];
    }

    private int mostEfficient(int task) {
        double[] efficiency = job.efficiency;
        int from = task * limits.servers();
        int best = -1;
        double most = 0;
        for (int j = 0; j < limits.servers(); j++) {
            if (efficiency[from + j] > most && limits.isOpen(j)) {
                most = efficiency[from + j];
                best = j;
            }
        }
        if (best < 0) {
            throw new IllegalArgumentException(nowhere(task));
        }
        return best;
    }

    private String nowhere(int task) {
        int closed = 0;
        String by = "";
        for (int j = 0; j < limits.servers(); j++) {
            if (job.efficiency(task, j) > 0) {
                closed++;
                by = by.isEmpty() ? " (" + limits.name(limits.closedBy(j)) + ", limit 0)" : by;
            }
        }
        return "task " + task + " cannot run on any server: its efficiency is 0 on " + (limits.servers() - closed)
                + " of them, and " + closed + " are in a row that allows nothing" + by;
    }

    /** The job. */
    public ParallelJob job() {
        return job;
    }

    /** The limits. */
    public Limits limits() {
        return limits;
    }

    /** E_MAX. */
    public double energyBudget() {
        return energyBudget;
    }

    /** Least energy that any placement takes. */
    public double minimumEnergy() {
        return minimumEnergy;
    }

    /** The server on which a task is most efficient, among those where it can run; the lowest of several. */
    int mostEfficientServer(int task) {
        return mostEfficient[task];
    }

    boolean canRun(int task, int server) {
        return job.efficiency(task, server) > 0 && limits.isOpen(server);
    }

    /** How long a task takes if it is alone on a server, seconds; O(rows of the server). */
    double alone(int task, int server) {
        double load = job.equivalentLoad(task, server);
        double longest = 0;
        for (int e = limits.start[server]; e < limits.start[server + 1]; e++) {
            longest = Math.max(longest, limits.coefficient[e] * load / limits.limit[limits.row[e]]);
        }
        return longest;
    }

    /** Whether no placement keeps the budget. */
    public boolean isInfeasible() {
        return !withinBudget(minimumEnergy);
    }

    boolean withinBudget(double energy) {
        return energy <= energyBudget * (1 + TOLERANCE);
    }
}
