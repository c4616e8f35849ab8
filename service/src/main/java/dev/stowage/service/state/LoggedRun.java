package dev.stowage.service.state;

/**
 * How long a request has run, or ran until it ended, computed from its changes. A request that loses its server starts
 * anew elsewhere, so the time on a lost server does not count; one that is moved goes on.
 */
public final class LoggedRun {
    private static final long NONE = Long.MIN_VALUE;

    /** When it started to run, nanoseconds since 1970. */
    private long started = NONE;

    private long ended = NONE;

    /** Forgets all: another request begins. */
    void begin() {
        started = NONE;
        ended = NONE;
    }

    /** Records a change; changes must be given in order. */
    public void changed(Request now) {
        switch (now.state()) {
            case RUNNING -> started = started == NONE ? now.since() : started;
            case RELEASED -> ended = now.since();
            case WAITING, REJECTED, EXPIRED -> started = NONE;
        }
    }

    /** Nanoseconds until its end, or until now if it has not ended; -1 if it does not run and did not at its end. */
    public long nanos(long now) {
        return started == NONE ? -1 : (ended == NONE ? now : ended) - started;
    }

    /** Whether it ran until it was released. */
    public boolean isOver() {
        return started != NONE && ended != NONE;
    }
}
