package dev.stowage.policies.fit;

import dev.stowage.core.policy.View;
import dev.stowage.policies.index.DominanceQuery;

/**
 * The waiting request that arrived first among those that fit. With one resource a server that is less than half full
 * takes the largest first, if that demands more than half of it.
 */
public final class EarliestOrHalf extends JobPoints implements WaitingJobs {
    private static final int RESOURCE = 0;

    private boolean largest;

    /** With the requests in queue 0. */
    public EarliestOrHalf(View view) {
        super(view);
        rebuild(view);
    }

    @Override
    public int choose(View view, int server) {
        if (view.resources() == 1) {
            long capacity = view.capacity(server, RESOURCE);
            if (2 * (capacity - view.free(server, RESOURCE)) < capacity) {
                largest = true;
                int job = super.choose(view, server);
                largest = false;
                if (job == View.NONE || 2 * view.demand(job, RESOURCE) > capacity) {
                    return job;
                }
            }
        }
        return super.choose(view, server);
    }

    @Override
    void weigh(View view, int server, Scale scale, DominanceQuery query) {
        for (int kind = 0; kind < view.roomKinds(); kind++) {
            int r = kind == view.resources() ? view.deviceResource() : kind;
            query.weight(kind, largest ? scale.unit(r) : 0);
        }
    }
}
