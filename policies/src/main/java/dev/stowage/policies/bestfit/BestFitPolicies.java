package dev.stowage.policies.bestfit;

import dev.stowage.core.policy.Policy;
import dev.stowage.policies.fit.AtStart;
import dev.stowage.policies.fit.BestFit;
import dev.stowage.policies.fit.JobByJob;
import dev.stowage.policies.fit.Score;

/** Makes the policies of this package. */
public final class BestFitPolicies {
    private BestFitPolicies() {}

    /** BF-J: every request in order of arrival goes to the server that fits it best. */
    public static Policy bfJ(Score score) {
        return new AtStart(1, view -> new JobByJob(view, BestFit.servers(view, score)));
    }

    /** BF-S: every server in index order takes the requests that fit it best. */
    public static Policy bfS(Score score) {
        return new AtStart(1, view -> new BfS(view, score));
    }

    /** BF-J/S: BF-S for servers with departures, then BF-J for new arrivals. */
    public static Policy bfJs(Score score) {
        return new AtStart(1, view -> new BfJs(view, score));
    }
}
