package dev.stowage.policies.shadow;

import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.core.policy.View;

/** The layer of the sites: which server takes a request that was routed. */
interface SitePlacement {
    /** Takes the running requests at the start into account. */
    void adopt(View view, Actions actions);

    /** Places a request where it was routed; false if there is no room. */
    boolean place(int job, int destination, View view, Actions actions);

    /**
     * Which of two types is served first if requests of both wait for one destination: below 0 for the first one, above
     * 0 for the other, 0 for the one whose first request arrived first.
     */
    default int compareWaiting(int one, int other, int destination, View view) {
        return 0;
    }

    /** A request has left its server. */
    void left(int job, int server, View view, Actions actions);

    /** A request has lost its server, which is gone and empty. */
    void displaced(int job, int server, View view, Actions actions);

    /** A server was added or has another status; the blocks are already up to date. */
    void serverChanged(int server, View view, Actions actions);

    /** Writes what {@link #restore} cannot derive from the view. */
    default void save(StateWriter out) {}

    /** Reads what was written. */
    default void restore(StateReader in, View view) {}
}
