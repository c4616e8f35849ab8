package dev.stowage.sim.experiment;

/**
 * What is cut from the start of every run before anything is averaged.
 *
 * @param automatic chosen from the number of requests in the system
 * @param nanos the given length; 0 if automatic
 */
public record WarmUpRule(boolean automatic, long nanos) {
    /** Chosen from the run. */
    public static final WarmUpRule AUTOMATIC = new WarmUpRule(true, 0);

    /** Nothing is cut. */
    public static final WarmUpRule NONE = new WarmUpRule(false, 0);

    /** A given length. */
    public static WarmUpRule of(long nanos) {
        return new WarmUpRule(false, nanos);
    }
}
