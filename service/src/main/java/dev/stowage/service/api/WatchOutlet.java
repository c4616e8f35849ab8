package dev.stowage.service.api;

/**
 * The receiver of a watch's replies. It is ready if the client keeps up; replies sent while it is not ready are kept in
 * memory.
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

    /** Ends the call with a failure. */
    void fail(Failure failure);
}
