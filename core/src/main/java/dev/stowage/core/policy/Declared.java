package dev.stowage.core.policy;

/**
 * What a task declares beside its demand if there is a divisible resource: as demands of the resources with the names
 * below, of which every server has plenty ({@link #PLENTY}). Without a resource of a name nothing is declared for it.
 */
public final class Declared {
    /** How long a task runs with one unit of the divisible resource at efficiency 1, milliseconds. */
    public static final String LOAD = "load_ms";
    /** Number of the job that it belongs to, from 1; tasks of no job (0) that arrive at one instant are one. */
    public static final String JOB = "job";
    /** Its row in a table of efficiencies, from 1. */
    public static final String KIND = "kind";
    /** Milliwatts per unit of the divisible resource; 1000 if it is not declared. */
    public static final String POWER = "power_mw";
    /**
     * What it adds to the energy budget of its job, joules; a job whose tasks declare none has no budget of its own.
     */
    public static final String BUDGET = "budget_j";
    /** Capacity of a server of each: enough for all tasks. */
    public static final long PLENTY = 1_000_000_000_000L;

    private static final int WATT = 1000;

    private final int load;
    private final int job;
    private final int kind;
    private final int power;
    private final int budget;

    /** What the tasks of a system declare. */
    public Declared(View view) {
        this.job = find(view, JOB);
        this.kind = find(view, KIND);
        this.power = find(view, POWER);
        this.budget = find(view, BUDGET);
        int named = find(view, LOAD);
        this.load = named == View.NONE ? other(view) : named;
    }

    /** Whether a resource only carries what tasks declare, so that servers never run short of it. */
    public static boolean isDeclared(String resource) {
        return resource.equals(LOAD)
                || resource.equals(JOB)
                || resource.equals(KIND)
                || resource.equals(POWER)
                || resource.equals(BUDGET);
    }

    private static int find(View view, String name) {
        for (int r = 0; r < view.resources(); r++) {
            if (view.resourceName(r).equals(name)) {
                return r;
            }
        }
        return View.NONE;
    }

    /** The first resource that is neither divisible nor declared. */
    private static int other(View view) {
        for (int r = 0; r < view.resources(); r++) {
            if (r != view.divisibleResource() && !isDeclared(view.resourceName(r))) {
                return r;
            }
        }
        return View.NONE;
    }

    private static long amount(View view, int task, int resource) {
        return resource == View.NONE ? 0 : view.demand(task, resource);
    }

    /**
     * Declared load of a task, at least 1: the demand of {@link #LOAD}, or if there is no such resource, of the first
     * other resource.
     */
    public long load(View view, int task) {
        return Math.max(1, amount(view, task, load));
    }

    /** Number of the job of a task; 0 for none. */
    public long job(View view, int task) {
        return amount(view, task, job);
    }

    /** Kind of a task; 0 for none. */
    public int kind(View view, int task) {
        return (int) amount(view, task, kind);
    }

    /** Power of a task, watts per unit of the divisible resource. */
    public double power(View view, int task) {
        return power == View.NONE ? 1 : (double) amount(view, task, power) / WATT;
    }

    /**
     * What a task adds to the energy budget of its job, in watts times units of load: millijoules if the load is in
     * milliseconds.
     */
    public double budget(View view, int task) {
        return 1000.0 * amount(view, task, budget);
    }
}
