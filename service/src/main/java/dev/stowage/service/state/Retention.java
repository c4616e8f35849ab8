package dev.stowage.service.state;

/**
 * How long what is over is known to those who ask again: finished requests, and answers to changes. Part of the
 * replicated state, so that all nodes forget alike.
 *
 * @param nanos not longer than this
 * @param bytes what finished longer ago than {@link #LEAST_NANOS} is forgotten, the oldest first, while finished
 *     requests take more than so many bytes; of answers {@value #ANSWERS} are kept then. {@link #ALL} for any number
 */
public record Retention(long nanos, long bytes) {
    /** Any number of bytes: what a service does that began before there was a limit. */
    public static final long ALL = Long.MAX_VALUE;

    /** Whatever the bytes, 10 minutes: as long as a client may try again. */
    public static final long LEAST_NANOS = 600_000_000_000L;

    static final int ANSWERS = 65_536;

    /** Checks both. */
    public Retention {
        if (nanos < 1) {
            throw new IllegalArgumentException(
                    "time to keep finished requests is " + nanos + " ns, must be at least 1");
        }
        if (bytes < 0) {
            throw new IllegalArgumentException("bytes for finished requests are " + bytes + ", must be at least 0");
        }
    }

    /** Whether there is a limit of bytes. */
    boolean isBounded() {
        return bytes != ALL;
    }

    /** What ended before this time is forgotten. */
    long oldest(long now) {
        return now - nanos;
    }

    /** What ended before this time is forgotten if there is too much. */
    long spared(long now) {
        return now - Math.min(nanos, LEAST_NANOS);
    }
}
