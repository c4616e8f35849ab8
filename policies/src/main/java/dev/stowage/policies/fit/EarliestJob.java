package dev.stowage.policies.fit;

import dev.stowage.core.policy.View;
import dev.stowage.policies.index.DominanceQuery;

/** The waiting request that is first among those that fit, by priority and then by arrival. */
public final class EarliestJob extends JobPoints {
    /** With the requests in queue 0. */
    public EarliestJob(View view) {
        super(view);
        rebuild(view);
    }

    @Override
    void weigh(View view, int server, Scale scale, DominanceQuery query) {
        // All weights are 0: the order of arrival decides.
    }

    /** The first request with these constraints that fits some server; {@link View#NONE} if there is none. */
    public int chooseWith(View view, int constraint, ServerChoice servers) {
        return chooseWith(constraint, job -> servers.choose(view, job) != View.NONE);
    }

    /** The first request that uses a pool and fits some server of the site; {@link View#NONE} if there is none. */
    public int chooseIn(View view, int site, ServerChoice servers) {
        return chooseFor(
                view, site, job -> SiteRoom.usesPool(view, job) && servers.choose(view, job, site) != View.NONE);
    }
}
