package dev.stowage.policies.fit;

import dev.stowage.core.policy.View;
import java.util.function.IntPredicate;

/** Best fit for requests and for servers: makes the structures that suit the number of resources. */
public final class BestFit {
    private BestFit() {}

    /**
     * The server that fits a request best: the one with the least residual capacity in one resource, with the largest
     * score in several.
     */
    public static ServerChoice servers(View view, Score score) {
        return servers(view, score, server -> true);
    }

    /**
     * The same among those servers that are open; a server that opens or closes must be updated. By {@link Score#EVEN}
     * a server in use goes before an empty one, which is as even as can be.
     */
    public static ServerChoice servers(View view, Score score, IntPredicate open) {
        return new TwoIndexes(view, (now, byGroup) -> {
            if (now.roomKinds() == 1) {
                return new LeastResidual(now, open, byGroup);
            }
            Score its = now.resources() == 1 && score != Score.EVEN ? Score.LEFTOVER : score;
            return new BestScore(now, its, open, byGroup, score == Score.EVEN, null);
        });
    }

    /**
     * The server with the largest score, in one resource too, among open servers in use of the rank that a request
     * wants, then empty ones; a server whose rank changes must be updated.
     */
    public static ServerChoice servers(View view, Score score, IntPredicate open, ServerRank rank) {
        return new TwoIndexes(view, (now, byGroup) -> new BestScore(now, score, open, byGroup, true, rank));
    }

    /**
     * The waiting request that fits a server best: the largest in one resource, the one with the largest score in
     * several.
     */
    public static WaitingJobs jobs(View view, Score score) {
        WaitingJobs jobs = noJobs(view, score);
        jobs.rebuild(view);
        return jobs;
    }

    /** The same, with no requests yet. */
    public static WaitingJobs noJobs(View view, Score score) {
        return view.roomKinds() == 1 && view.pooledResources() == 0 ? new LargestJob(view) : new BestJob(view, score);
    }
}
