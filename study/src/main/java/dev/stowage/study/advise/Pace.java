package dev.stowage.study.advise;

/** Time, for those who carry out a plan; and whether they should stop. */
public interface Pace {
    /**
     * Waits for so many nanoseconds, or until it is to stop.
     *
     * @return whether to go on
     */
    boolean pause(long nanos);

    /** Waits for so many nanoseconds, also where it is to stop. */
    void rest(long nanos);

    /** Whether it is to stop. */
    boolean stopped();

    /** Nanoseconds since some moment. */
    long now();
}
