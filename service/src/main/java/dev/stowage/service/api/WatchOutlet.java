package dev.stowage.service.api;

/**
 * Where a watching call's replies go. Ready says whether the client keeps up; what is sent although it does not is kept
 * in memory.
 */
interface WatchOutlet {
    /**
     * First of all.
     *
     * @param ready called when it may be ready again
     * @param cancelled called when the client has gone
     */
    void begin(Runnable ready, Runnable cancelled);

    boolean ready();

    void send(SharedReplies.Shared reply);

    /** The end. */
    void fail(Failure failure);
}
