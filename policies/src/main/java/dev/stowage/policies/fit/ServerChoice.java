package dev.stowage.policies.fit;

import dev.stowage.core.policy.View;

/**
 * Which server a request goes to. A choice looks only at servers that are up, have room in every resource, that the
 * request's constraints admit, and whose site has room in its pools; ties go to the lowest server number.
 *
 * <p>It keeps a copy of each server's data as of the last {@link #update}: before {@link #choose} every server whose
 * free capacity, status or labels changed must be updated. So a policy calls {@link #update} in {@code left} (unless
 * the request was waiting), {@code dummyEnded}, {@code adopted} and {@code serverChanged}, and after each of its own
 * calls that place, move or evict; after a migration for both servers. The pools of sites are read at each choice. An
 * unnecessary update costs only time; a missing one leads to a choice that the engine refuses, or to overlooked room.
 * Nothing of it is saved: {@code restore} makes a new one from the view, which makes the same choices.
 *
 * <p>For one policy and one thread. A choice has no visible side effect, and the same view gives the same answer.
 */
public interface ServerChoice {
    /** Removes all and adds every server. */
    void rebuild(View view);

    /** One server is new, or its free capacity or status changed. */
    void update(View view, int server);

    /** The same where nothing else has changed since its last update than that this request was placed there. */
    default void placed(View view, int job, int server) {
        update(view, server);
    }

    /** The same where nothing else has changed than that this request has ended there. */
    default void left(View view, int job, int server) {
        update(view, server);
    }

    /** The server for a pending or waiting request, or {@link View#NONE} when it fits nowhere. */
    default int choose(View view, int job) {
        return choose(view, job, View.NONE);
    }

    /** The same among the servers of one site, only in a cluster with pools; {@link View#NONE} for all servers. */
    int choose(View view, int job, int site);

    /**
     * The devices of a server with room that a request is to get: bit i for device i, or 0 for those of the engine. A
     * gang, and a request that is moved, always gets those of the engine.
     */
    default long devices(View view, int job, int server) {
        return 0;
    }

    /** The reason given for its choices. */
    String reason();
}
