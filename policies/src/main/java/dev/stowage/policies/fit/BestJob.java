package dev.stowage.policies.fit;

import dev.stowage.core.policy.View;
import dev.stowage.policies.index.DominanceQuery;

/**
 * The waiting request with the largest {@link Score} among those that fit, ties to the largest sum of scaled demands,
 * then to the earliest arrival. In one resource that is the largest request that fits.
 */
final class BestJob extends JobPoints implements WaitingJobs {
    private final Score score;

    BestJob(View view, Score score) {
        super(view);
        this.score = score;
    }

    @Override
    void weigh(View view, int server, Scale scale, DominanceQuery query) {
        double least = score.least(view.resources());
        for (int kind = 0; kind < view.roomKinds(); kind++) {
            int r = kind == view.resources() ? view.deviceResource() : kind;
            double unit = scale.unit(r);
            long free = view.free(server, r);
            query.weight(kind, score.jobWeight(view.capacity(server, r) - free, free, unit));
            query.secondary(kind, unit);
            if (least > 0 && unit > 0 && kind < view.resources()) {
                query.least(kind, least * unit, -(least * (free * unit)));
            }
        }
    }
}
