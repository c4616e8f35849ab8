package dev.stowage.policies.fit;

import dev.stowage.core.policy.View;

/**
 * Which server a request goes to. A choice looks only at servers that are up, have room in every resource, that the
 * request's constraints admit, and whose site has room in its pools; ties go to the lowest server number.
 *
 * <p>It repeats the view, as it was at the last {@link #update} of each server, and is asked about the present:
 * before {@link #choose} every server must be up to date whose free capacity, status or labels changed since. So a
 * policy calls {@link #update} in {@code left} (unless the request ran nowhere), {@code dummyEnded}, {@code adopted}
 * and {@code serverChanged}, and after each of its own calls that place, move or evict; after a migration for both
 * servers. Sites' pools it reads when it is asked. One update too many costs time only; one too few makes a choice
 * that the engine refuses, or passes over room. Nothing of it is saved: {@code restore} makes a new one from the
 * view, which chooses the same.
 *
 * <p>Of one policy and one thread. Asking changes nothing that is seen outside, and the same view gives the same
 * answer.
 */
public interface ServerChoice {
    /** Forgets all and adds every server. */
    void rebuild(View view);

    /** One server is new, or its free capacity or status changed. */
    void update(View view, int server);

    /** The server for a pending or waiting request, or {@link View#NONE} when it fits nowhere. */
    int choose(View view, int job);

    /** The server among those of one site; only in a cluster with pools. */
    int chooseIn(View view, int job, int site);

    /** The reason given for its choices. */
    String reason();
}
