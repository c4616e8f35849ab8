package dev.stowage.sim.experiment;

/** Hears how far an experiment is, from any thread. */
@FunctionalInterface
public interface ProgressListener {
    /** A listener that does nothing. */
    ProgressListener NONE = (runsDone, runsTotal, requestsDone) -> {};

    /**
     * The experiment is this far.
     *
     * @param runsDone runs finished, running ones counted by the fraction of their time that has passed
     * @param runsTotal all runs
     * @param requestsDone requests simulated in all runs together
     */
    void progress(double runsDone, int runsTotal, long requestsDone);

    /** The replications of a point were compared with the wanted precision; {@code text} has the result. */
    default void looked(String text) {}

    /** A point ends without the wanted precision; {@code warning} is for whoever reads its rows. */
    default void missed(String warning) {}
}
