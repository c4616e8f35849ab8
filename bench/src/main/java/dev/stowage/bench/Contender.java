package dev.stowage.bench;

/** A system that can place a {@link BenchWorkload}: a request that fits no server on arrival is rejected. */
public interface Contender {
    /** Short name for the table, with the settings that matter. */
    String name();

    /**
     * Builds the servers, then places the requests in order of arrival and frees them when their work is done, until
     * all are gone or the budget is used up.
     *
     * @param servers number of servers of the workload's size, all empty
     * @param budgetNanos wall time after which to stop; servers are built outside it
     */
    Result run(BenchWorkload workload, int servers, long budgetNanos);
}
