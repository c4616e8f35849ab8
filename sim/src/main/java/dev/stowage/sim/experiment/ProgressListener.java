package dev.stowage.sim.experiment;

/** Hears how far an experiment is, from any thread. */
@FunctionalInterface
public interface ProgressListener {
    /** A listener that does nothing. */
    ProgressListener NONE = (runsDone, runsTotal, requestsDone) -> {};

    /**
     * The experiment is this far.
     *
     * @param runsDone runs finished, the running ones counted by the fraction of their time that is over
     * @param runsTotal all runs
     * @param requestsDone requests simulated in all runs together
     */
    void progress(double runsDone, int runsTotal, long requestsDone);

    /** The replications of a point were looked at for the wanted precision; {@code text} says what was found. */
    default void looked(String text) {}
}
