package dev.stowage.policies.fit;

import dev.stowage.core.policy.View;
import dev.stowage.policies.index.DominanceQuery;

/**
 * The waiting request with the largest {@link Score} among those that fit, ties to the largest sum of scaled demands,
 * then to the earliest arrival. In one resource that is the largest request that fits.
 */
final class BestJob extends JobPoints implements WaitingJobs {
    private final Score score;
    private final DominanceQuery siteQuery;

    BestJob(View view, Score score) {
        super(view);
        this.score = score;
        siteQuery = new DominanceQuery(view.resources() + view.pooledResources());
    }

    @Override
    void weigh(View view, int server, Scale scale, DominanceQuery query) {
        for (int r = 0; r < view.resources(); r++) {
            double unit = scale.unit(r);
            long free = view.free(server, r);
            query.weight(r, score.jobWeight(view.capacity(server, r) - free, free, unit));
            query.secondary(r, unit);
        }
    }

    @Override
    public int lowestServerFor(View view, int constraint, FirstFit servers) {
        int[] lowest = {View.NONE};
        siteQuery.filter(job -> {
            lowest[0] = FreedRoom.lower(lowest[0], servers.choose(view, job));
            return false;
        });
        chooseWith(constraint, siteQuery);
        return lowest[0];
    }

    @Override
    public int lowestServer(View view, int site, FirstFit servers) {
        int[] lowest = {View.NONE};
        siteQuery.filter(job -> {
            if (SiteRoom.usesPool(view, job)) {
                lowest[0] = FreedRoom.lower(lowest[0], servers.chooseIn(view, job, site));
            }
            return false;
        });
        chooseFor(view, site, siteQuery);
        return lowest[0];
    }
}
