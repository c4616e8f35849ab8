package dev.stowage.policies.fit;

import dev.stowage.core.policy.View;

/** Best fit from both sides: the structures that suit the number of resources. */
public final class BestFit {
    private BestFit() {}

    /**
     * The server that fits a request best: the one with the least residual capacity in one resource, with the largest score
     * in several.
     */
    public static ServerChoice servers(View view, Score score) {
        return view.resources() == 1 ? new LeastResidual(view) : new BestScore(view, score);
    }

    /** The waiting request that fits a server best: the largest in one resource, the one with the largest score in several. */
    public static WaitingJobs jobs(View view, Score score) {
        return view.resources() == 1 && view.pooledResources() == 0 ? new LargestJob(view) : new BestJob(view, score);
    }
}
