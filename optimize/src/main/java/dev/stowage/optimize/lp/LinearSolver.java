package dev.stowage.optimize.lp;

/**
 * Solves one program, repeatedly while columns are added to it. May hold memory outside the heap, so it must be closed.
 * Not thread-safe.
 */
public interface LinearSolver extends AutoCloseable {
    /**
     * Solves the program as it is now.
     *
     * @throws SolverException if the solver gave up
     */
    LinearSolution solve();

    @Override
    void close();
}
