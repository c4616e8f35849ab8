package dev.stowage.sim.unit;

import java.util.List;

/** Where the runs of an experiment come from: threads, a directory of units, a cluster. */
public interface UnitSource {
    /** These units will be taken, one after the other in this order; each is wanted once. */
    void want(List<UnitKey> units) throws InterruptedException;

    /**
     * A unit that was wanted, once it is there; it is handed out once.
     *
     * @throws RuntimeException if its run failed; a source says how
     */
    FinishedRun take(UnitKey unit) throws InterruptedException;
}
