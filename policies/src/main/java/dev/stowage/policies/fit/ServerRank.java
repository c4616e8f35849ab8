package dev.stowage.policies.fit;

import dev.stowage.core.policy.View;

/**
 * What goes before the score of best fit: a request wants a rank, and each server in use has one. Among servers of that
 * rank or a higher one the score decides; if none of them has room, among those of the highest rank that has, and of
 * such lower ones as are no worse. Empty servers come last.
 */
public interface ServerRank {
    /** The rank of a server in use as of its last update, at least 0. */
    int of(int server);

    /** The rank that a request wants now. */
    int wanted(View view, int job);

    /** The lowest rank that is no worse for a request than one below that which it wants. */
    default int lowest(View view, int job, int rank) {
        return rank;
    }
}
