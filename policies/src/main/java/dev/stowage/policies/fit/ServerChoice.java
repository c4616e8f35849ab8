package dev.stowage.policies.fit;

import dev.stowage.core.policy.View;

/**
 * Which server a request goes to. A choice looks only at servers that are up, have room in every resource, that the
 * request's constraints admit, and whose site has room in its pools; ties go to the lowest server number.
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
