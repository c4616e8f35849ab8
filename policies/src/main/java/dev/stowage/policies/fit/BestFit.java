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
            return score == Score.EVEN
                    ? new BestScore(now, score, open, byGroup, new InUse(now))
                    : new BestScore(now, now.resources() == 1 ? Score.LEFTOVER : score, open, byGroup);
        });
    }

    /** Servers that hold something before those that hold nothing. */
    private record InUse(View now) implements ServerRank {
        @Override
        public int most() {
            return 1;
        }

        @Override
        public int of(int server) {
            return now.firstOn(server) == View.NONE ? 0 : 1;
        }

        @Override
        public int wanted(View view, int job) {
            return 1;
        }
    }

    /**
     * The server with the largest score, in one resource too, among open servers of the rank that a request wants; a
     * server whose rank changes must be updated.
     */
    public static ServerChoice servers(View view, Score score, IntPredicate open, ServerRank rank) {
        return new TwoIndexes(view, (now, byGroup) -> new BestScore(now, score, open, byGroup, rank));
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
