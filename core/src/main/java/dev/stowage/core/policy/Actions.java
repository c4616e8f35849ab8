package dev.stowage.core.policy;

/**
 * What a policy may do. Every verb is checked and takes effect at once; a verb that cannot be carried out is a bug of
 * the policy and throws {@link PolicyBugException}, which stops the run. Reasons are short constant texts for people
 * ("least residual capacity") without effect on decisions.
 */
public interface Actions {
    /** Places a pending or waiting request on a server that is up and has room. It starts at once. */
    default void place(int job, int server, String reason) {
        place(job, server, 0, reason);
    }

    /**
     * The same on these devices of the server: bit i for device i, as many as the request demands; 0 for those of the
     * engine. The engine gives whole devices of the lowest numbers, and of parts the fullest device that has room, of
     * equal ones that with the lowest number.
     */
    void place(int job, int server, long devices, String reason);

    /** Puts a pending request at the end of a queue, or moves a waiting one to the end of another. */
    void enqueue(int job, int queue, String reason);

    /** Rejects a pending or waiting request; its handle is invalid afterwards. */
    void reject(int job, String reason);

    /**
     * Places a gang: every member on the server that it is assumed on ({@link #assume}). Nothing else may be assumed.
     */
    void placeGang(int gang, String reason);

    /** Puts all members of a gang, in their order, at the end of a queue. */
    void enqueueGang(int gang, int queue, String reason);

    /** Rejects all members of a gang. */
    void rejectGang(int gang, String reason);

    /**
     * Takes a running request off its server: it is pending again and must be decided in this step. If it has an agent,
     * it is stopping first, holds its demand until it has stopped, and then becomes pending. Only with
     * {@link Capability#PRIORITIES}.
     */
    void evict(int job, String reason);

    /**
     * From now on the view shows a pending or waiting request as if it were on a server, which must have room for it.
     * No effect is reported. In the same callback the assumption must be taken back ({@link #assumeNothing}), or the
     * request placed.
     */
    void assume(int job, int server);

    /** From now on the view shows a running request as if it were not on its server; must be taken back likewise. */
    void assumeLeft(int job);

    /** Takes back the assumption about one request. */
    void assumeNothing(int job);

    /** Takes back all assumptions. */
    void assumeNothing();

    /** Moves a running request to another server that is up and has room; its work goes on. */
    void migrate(int job, int server, String reason);

    /** Sets what a running request holds of the divisible resource; the server must have that much. */
    void allocate(int job, long amount);

    /**
     * Holds a type's demand on a server without a request until {@code endsAt}, later than now. Returns the dummy's
     * handle.
     */
    int placeDummy(int type, int server, long endsAt, String reason);

    /**
     * Calls {@link Policy#timer} at a deadline later than now; timers fire in order of deadline, then of setting.
     * Returns its handle.
     */
    int timer(long deadline, long tag);

    /** Cancels a timer that has not fired. */
    void cancelTimer(int timer);

    /**
     * Reports that a quantity of the policy's own has this value from now on; before the first report it is 0.
     */
    void gauge(Gauge gauge, long value);
}
