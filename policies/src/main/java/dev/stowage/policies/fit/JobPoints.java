package dev.stowage.policies.fit;

import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import dev.stowage.policies.index.DominanceIndex;
import dev.stowage.policies.index.DominanceQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Waiting requests as points: their demands of the server's resources, then of the site's pools. One index for each
 * site limit that a request had.
 */
abstract class JobPoints {
    private final Scale scale;
    private final int resources;
    private final long[] upper;
    private final long[] point;
    private final DominanceQuery query;
    private final List<DominanceIndex> byLimit = new ArrayList<>();
    private int size;

    JobPoints(View view) {
        scale = new Scale(view);
        resources = view.resources();
        upper = new long[resources + view.pooledResources()];
        point = new long[upper.length];
        query = new DominanceQuery(upper.length);
        raiseUpper(view);
    }

    /** Forgets all and adds those that wait in queue 0. */
    public final void rebuild(View view) {
        raiseUpper(view);
        byLimit.clear();
        size = 0;
        if (view.queues() > 0) {
            for (int job = view.queueHead(0); job != View.NONE; job = view.next(job)) {
                add(view, job);
            }
        }
    }

    /** Servers or sites were added. */
    public final void serversChanged(View view) {
        if (raiseUpper(view)) {
            rebuild(view);
        }
    }

    /** No request is accepted that demands more than some server, or the pools of its site, could ever give. */
    private boolean raiseUpper(View view) {
        boolean raised = false;
        scale.grow(view);
        for (int r = 0; r < resources; r++) {
            raised |= raise(r, scale.largest(r));
        }
        for (int p = 0; p < view.pooledResources(); p++) {
            for (int site = 0; site < view.sites(); site++) {
                raised |= raise(resources + p, view.pooledCapacity(site, p));
            }
        }
        return raised;
    }

    private boolean raise(int d, long value) {
        boolean raised = value > upper[d];
        upper[d] = Math.max(upper[d], value);
        return raised;
    }

    /** Adds a request. */
    public final void add(View view, int job) {
        for (int r = 0; r < resources; r++) {
            point[r] = view.demand(job, r);
        }
        for (int p = 0; p < view.pooledResources(); p++) {
            point[resources + p] = view.pooledDemand(job, p);
        }
        int limit = view.siteLimit(job);
        while (byLimit.size() <= limit) {
            byLimit.add(new DominanceIndex(upper));
        }
        byLimit.get(limit).insert(job, view.order(job), point, 0);
        size++;
    }

    /** Removes a request. */
    public final void remove(int job) {
        indexOf(job).remove(job);
        size--;
    }

    /** Whether the request was added. */
    public final boolean contains(int job) {
        return find(job) != null;
    }

    private DominanceIndex indexOf(int job) {
        return Objects.requireNonNull(find(job), "the request does not wait");
    }

    private @Nullable DominanceIndex find(int job) {
        for (int limit = 0; limit < byLimit.size(); limit++) {
            if (byLimit.get(limit).contains(job)) {
                return byLimit.get(limit);
            }
        }
        return null;
    }

    /** Number of requests. */
    public final int size() {
        return size;
    }

    /** The request for a server, or {@link View#NONE} when none fits or the server is not up. */
    public final int choose(View view, int server) {
        if (view.status(server) != ServerStatus.UP) {
            return View.NONE;
        }
        for (int r = 0; r < resources; r++) {
            query.limit(r, view.free(server, r));
        }
        limitPools(view, view.site(server), query);
        weigh(view, server, scale, query);
        return search(view, view.site(server), query);
    }

    private int search(View view, int site, DominanceQuery asked) {
        asked.forget();
        for (int limit = 0; limit < byLimit.size(); limit++) {
            if (view.allows(limit, site)) {
                byLimit.get(limit).search(asked);
            }
        }
        return asked.item();
    }

    /** Sets the weights of the query, for this server. */
    abstract void weigh(View view, int server, Scale scale, DominanceQuery query);

    /** Asks about requests that the site's pools have room for, whatever its servers have. */
    final int chooseFor(View view, int site, DominanceQuery asked) {
        for (int r = 0; r < resources; r++) {
            asked.limit(r, scale.largest(r));
        }
        limitPools(view, site, asked);
        return search(view, site, asked);
    }

    private void limitPools(View view, int site, DominanceQuery asked) {
        for (int p = 0; p < view.pooledResources(); p++) {
            asked.limit(resources + p, view.pooledFree(site, p));
        }
    }
}
