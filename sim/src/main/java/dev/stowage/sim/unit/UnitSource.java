package dev.stowage.sim.unit;

import java.util.List;

/** Where the runs of an experiment come from: threads, a directory of units, a cluster. */
public interface UnitSource {
    /** Announces units that will be taken, one after the other in this order; each is announced once. */
    void want(List<UnitKey> units) throws InterruptedException;

    /**
     * Waits for a unit that was announced, and returns it; each can be taken once.
     *
     * @throws RuntimeException if its run failed; each source says which
     */
    FinishedRun take(UnitKey unit) throws InterruptedException;
}
