package dev.stowage.policies.fit;

import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import dev.stowage.policies.index.DominanceIndex;
import dev.stowage.policies.index.DominanceQuery;
import dev.stowage.policies.index.ItemFilter;
import java.util.ArrayList;
import java.util.List;

/**
 * Waiting requests as points: what they need of each kind of a server's room, then of the site's pools. One index for
 * each number of constraints that a request had.
 */
abstract class JobPoints {
    private static final int ORDER_BITS = 44;

    private final Scale scale;
    private final int kinds;
    private final long[] upper;
    private final long[] point;
    private final DominanceQuery query;
    /** Of requests for any server. */
    private final DominanceQuery asked;

    private final List<DominanceIndex> parts = new ArrayList<>();
    private final WaitingParts waiting = new WaitingParts();
    private int size;
    /** Priorities of requests seen, the highest first. */
    private int[] levels = {0};

    JobPoints(View view) {
        scale = new Scale(view);
        kinds = view.roomKinds();
        upper = new long[kinds + view.pooledResources()];
        point = new long[upper.length];
        query = new DominanceQuery(upper.length);
        asked = new DominanceQuery(upper.length);
        raiseUpper(view);
    }

    /** Removes all and adds the requests of queue 0, without gangs. */
    public final void rebuild(View view) {
        raiseUpper(view);
        parts.clear();
        waiting.clear();
        size = 0;
        if (view.queues() > 0) {
            for (int job = view.queueHead(0); job != View.NONE; job = view.next(job)) {
                raise(view, job);
            }
            for (int job = view.queueHead(0); job != View.NONE; job = view.next(job)) {
                if (view.gang(job) == View.NONE) {
                    add(view, job);
                }
            }
        }
    }

    /** Servers or sites were added. */
    public final void serversChanged(View view) {
        if (raiseUpper(view)) {
            rebuild(view);
        }
    }

    /**
     * Announces a request that may be added: makes room in the index for an adopted one that demands more than any
     * server has.
     */
    public final void expect(View view, int job) {
        if (raise(view, job)) {
            rebuild(view);
        }
    }

    private boolean raise(View view, int job) {
        boolean raised = false;
        for (int r = 0; r < kinds; r++) {
            raised |= raise(r, view.need(job, r));
        }
        for (int p = 0; p < view.pooledResources(); p++) {
            raised |= raise(kinds + p, view.pooledDemand(job, p));
        }
        boolean level = isNewLevel(view.priority(job));
        return raised || level;
    }

    private boolean isNewLevel(int priority) {
        int at = 0;
        while (at < levels.length && levels[at] > priority) {
            at++;
        }
        if (at < levels.length && levels[at] == priority) {
            return false;
        }
        int[] more = new int[levels.length + 1];
        System.arraycopy(levels, 0, more, 0, at);
        more[at] = priority;
        System.arraycopy(levels, at, more, at + 1, levels.length - at);
        levels = more;
        return true;
    }

    /** Its rank by priority, then by arrival; comparable as long as no new priority appears. */
    private long rank(View view, int job) {
        int level = 0;
        while (levels[level] != view.priority(job)) {
            level++;
        }
        return ((long) level << ORDER_BITS) + view.order(job);
    }

    /** Only adopted requests can demand more than the largest server and the pools of its site have. */
    private boolean raiseUpper(View view) {
        boolean raised = false;
        scale.grow(view);
        for (int r = 0; r < kinds; r++) {
            raised |= raise(r, scale.largest(r));
        }
        for (int p = 0; p < view.pooledResources(); p++) {
            for (int site = 0; site < view.sites(); site++) {
                raised |= raise(kinds + p, view.pooledCapacity(site, p));
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
        for (int r = 0; r < kinds; r++) {
            point[r] = view.need(job, r);
        }
        for (int p = 0; p < view.pooledResources(); p++) {
            point[kinds + p] = view.pooledDemand(job, p);
        }
        int part = view.constraint(job);
        while (parts.size() <= part) {
            parts.add(new DominanceIndex(upper));
        }
        parts.get(part).insert(job, rank(view, job), point, 0);
        waiting.put(job, part);
        size++;
    }

    /** Removes a request. */
    public final void remove(int job) {
        parts.get(waiting.take(job)).remove(job);
        size--;
    }

    /** Whether the request was added. */
    public final boolean contains(int job) {
        return waiting.contains(job);
    }

    /** Adds to a set the constraints of waiting requests that are spread over the values of a label. */
    public final void spreadOverLabels(View view, NumberSet into) {
        for (int part = 1; part < parts.size(); part++) {
            if (parts.get(part).size() > 0 && view.spreadsOverLabels(part)) {
                into.add(part);
            }
        }
    }

    /** Number of requests. */
    public final int size() {
        return size;
    }

    /** The request for a server, or {@link View#NONE} when none fits or the server is not up. */
    public int choose(View view, int server) {
        if (view.status(server) != ServerStatus.UP) {
            return View.NONE;
        }
        for (int r = 0; r < kinds; r++) {
            query.limit(r, view.room(server, r));
        }
        limitPools(view, view.site(server), query);
        weigh(view, server, scale, query);
        query.forget();
        for (int part = 0; part < parts.size(); part++) {
            if (parts.get(part).size() > 0 && view.admits(part, server)) {
                parts.get(part).search(query);
            }
        }
        return query.item();
    }

    /** Sets the weights of the query, for this server. */
    abstract void weigh(View view, int server, Scale scale, DominanceQuery query);

    /** Searches the requests that the site's pools have room for and a condition holds of. */
    final int chooseFor(View view, int site, ItemFilter condition) {
        asked.filter(condition);
        for (int r = 0; r < kinds; r++) {
            asked.limit(r, upper[r]);
        }
        limitPools(view, site, asked);
        asked.forget();
        for (int part = 0; part < parts.size(); part++) {
            if (view.allowsSite(part, site)) {
                parts.get(part).search(asked);
            }
        }
        return asked.item();
    }

    /** Searches the requests with these constraints that a condition holds of. */
    final int chooseWith(int constraint, ItemFilter condition) {
        asked.filter(condition);
        for (int d = 0; d < upper.length; d++) {
            asked.limit(d, upper[d]);
        }
        asked.forget();
        parts.get(constraint).search(asked);
        return asked.item();
    }

    /** The lowest-numbered server that fits a waiting request with these constraints, or {@link View#NONE}. */
    public final int lowestServerFor(View view, int constraint, FirstFit servers) {
        int[] lowest = {View.NONE};
        chooseWith(constraint, job -> {
            lowest[0] = FreedRoom.lower(lowest[0], servers.choose(view, job));
            return false;
        });
        return lowest[0];
    }

    /** The lowest-numbered server of the site that fits a waiting request that uses a pool, or {@link View#NONE}. */
    public final int lowestServer(View view, int site, FirstFit servers) {
        int[] lowest = {View.NONE};
        chooseFor(view, site, job -> {
            if (SiteRoom.usesPool(view, job)) {
                lowest[0] = FreedRoom.lower(lowest[0], servers.choose(view, job, site));
            }
            return false;
        });
        return lowest[0];
    }

    private void limitPools(View view, int site, DominanceQuery asked) {
        for (int p = 0; p < view.pooledResources(); p++) {
            asked.limit(kinds + p, Math.max(0, view.pooledFree(site, p)));
        }
    }
}
