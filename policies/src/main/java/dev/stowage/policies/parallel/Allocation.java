package dev.stowage.policies.parallel;

/** How the resource is divided among tasks whose servers are known. */
public enum Allocation {
    /** Equation (16), the optimum of OptRA: by equivalent load, by the tightest row of each task. */
    EQUATION_16,
    /**
     * As equation (16), and the remaining capacity is distributed: progressive filling, max-min fair in amount per
     * equivalent load. The same job completion time, and no task gets less.
     */
    SHARED_OUT,
    /**
     * The same amount for every task of a row: B_k / (sum of A_jk over its tasks), by the tightest row of each task.
     */
    EQUAL_SHARE;

    RowTimes rowTimes(Limits limits) {
        return this == EQUAL_SHARE ? new EqualRowTimes(limits) : new ProportionalRowTimes(limits);
    }
}
