package dev.stowage.policies.lifetime;

import dev.stowage.core.policy.View;

/** Puts each server into a group by the lifetimes of its requests, and says which groups a request prefers. */
interface Grouping {
    /** The group of servers without requests. */
    int EMPTY = 0;

    /** Groups are below this. */
    int count();

    /** The group of a server that is up, now. */
    int of(View view, int server);

    /** A server is not up: what was remembered of it for the sake of others counts no more. */
    default void away(int server) {}

    /** Until when the group that {@link #of} named last stays the server's, if no request comes or goes. */
    long until();

    /**
     * Writes groups in the order in which a request looks for room, beginning with those that it likes best. Groups
     * that it writes not at all come last.
     *
     * @return how many were written
     */
    int preferred(View view, int job, int[] into);
}
