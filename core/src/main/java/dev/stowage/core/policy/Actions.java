package dev.stowage.core.policy;

/**
 * What a policy may do. Every verb is checked and takes effect at once; a verb that cannot be carried out is a bug of
 * the policy and throws {@link PolicyBugException}, which stops the run. Reasons are short constant texts for people
 * ("least residual capacity"); they change nothing.
 */
public interface Actions {
    /** Places a pending or waiting request on a server that is up and has room. It starts at once. */
    void place(int job, int server, String reason);

    /** Puts a pending request at the end of a queue, or moves a waiting one to the end of another. */
    void enqueue(int job, int queue, String reason);

    /** Rejects a pending or waiting request; its handle is void afterwards. */
    void reject(int job, String reason);

    /**
     * Places a gang: every member on the server that it is assumed on ({@link #assume}), and nothing else is assumed.
     */
    void placeGang(int gang, String reason);

    /** Puts all members of a gang, in their order, at the end of a queue. */
    void enqueueGang(int gang, int queue, String reason);

    /** Rejects all members of a gang. */
    void rejectGang(int gang, String reason);

    /**
     * Takes a running request off its server: it is pending again, to be decided in this step; with an agent it is
     * stopping, holds its demand until it has stopped, and is pending then. Only with {@link Capability#PRIORITIES}.
     */
    void evict(int job, String reason);

    /**
     * From now on the view is as if a pending or waiting request were on a server, which must have room for it. Nothing
     * is told. What is assumed must be taken back in the same callback ({@link #assumeNothing}), or be placed.
     */
    void assume(int job, int server);

    /** From now on the view is as if a running request were not on its server; to be taken back likewise. */
    void assumeLeft(int job);

    /** Takes back what was assumed of one request. */
    void assumeNothing(int job);

    /** Takes back all that was assumed. */
    void assumeNothing();

    /** Moves a running request to another server that is up and has room; its work goes on. */
    void migrate(int job, int server, String reason);

    /** Sets what a running request holds of the divisible resource; the server must have that much. */
    void allocate(int job, long amount);

    /**
     * Holds a type's demand on a server for no request until {@code endsAt}, later than now. Returns the dummy's
     * handle.
     */
    int placeDummy(int type, int server, long endsAt, String reason);

    /**
     * Calls {@link Policy#timer} at a deadline later than now; timers fire in order of deadline, then of setting.
     * Returns its handle.
     */
    int timer(long deadline, long tag);

    /** Takes back a timer that has not fired. */
    void cancelTimer(int timer);

    /**
     * Tells the world that a quantity of the policy's own has this value from now on; it had 0 before it was first
     * told.
     */
    void gauge(Gauge gauge, long value);
}
