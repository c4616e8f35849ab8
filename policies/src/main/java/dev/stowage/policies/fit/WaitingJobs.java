package dev.stowage.policies.fit;

import dev.stowage.core.policy.View;

/** Which waiting request a server takes. Only requests that fit are considered; ties go to the earliest arrival. */
public interface WaitingJobs {
    /** Removes all and adds the requests of queue 0. */
    void rebuild(View view);

    /** Servers or sites were added. */
    void serversChanged(View view);

    /**
     * Announces a request that may be added: makes room in the index for an adopted one that demands more than any
     * server has.
     */
    void expect(View view, int job);

    /** Adds a request. */
    void add(View view, int job);

    /** Removes a request. */
    void remove(int job);

    /** Whether the request was added. */
    boolean contains(int job);

    /** Number of requests. */
    int size();

    /** The request for a server, or {@link View#NONE} when none fits or the server is not up. */
    int choose(View view, int server);

    /**
     * The lowest-numbered server of the site that fits a waiting request that uses a pool, or {@link View#NONE}; only
     * in a cluster with pools. One search of {@code servers} per distinct demand that waits.
     */
    int lowestServer(View view, int site, FirstFit servers);

    /** Adds to a set the constraints of waiting requests that are spread over the values of a label. */
    void spreadOverLabels(View view, NumberSet into);

    /** The lowest-numbered server that fits a waiting request with these constraints, or {@link View#NONE}. */
    int lowestServerFor(View view, int constraint, FirstFit servers);
}
