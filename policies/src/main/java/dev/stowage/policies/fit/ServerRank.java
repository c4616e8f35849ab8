package dev.stowage.policies.fit;

import dev.stowage.core.policy.View;

/**
 * What goes before the score of best fit: a request wants a rank, and each server has one. Among servers of that rank
 * or a higher one the score decides; if none of them has room, among those of the highest rank that has, and of such
 * lower ones as are no worse.
 */
public interface ServerRank {
    /** Ranks are at most this, at least 0. */
    int most();

    /** The rank of a server as of its last update. */
    int of(int server);

    /** The rank that a request wants now. */
    int wanted(View view, int job);

    /** The lowest rank that is no worse for a request than one below that which it wants. */
    default int lowest(View view, int job, int rank) {
        return rank;
    }
}
