package dev.stowage.policies.fit;

import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import dev.stowage.policies.index.OrderedIndex;
import java.util.ArrayList;
import java.util.List;

/**
 * The largest waiting request that fits, in one resource without pools. One index for each number of constraints
 * that a request had.
 */
final class LargestJob implements WaitingJobs {
    private static final int RESOURCE = 0;

    private final Scale scale;
    private final List<OrderedIndex> parts = new ArrayList<>();
    private final WaitingParts waiting = new WaitingParts();
    private long most;
    private int size;

    LargestJob(View view) {
        scale = new Scale(view);
        most = scale.largest(RESOURCE);
    }

    @Override
    public void rebuild(View view) {
        scale.grow(view);
        most = Math.max(most, scale.largest(RESOURCE));
        parts.clear();
        waiting.clear();
        size = 0;
        if (view.queues() > 0) {
            for (int job = view.queueHead(0); job != View.NONE; job = view.next(job)) {
                most = Math.max(most, view.demand(job, RESOURCE));
            }
            for (int job = view.queueHead(0); job != View.NONE; job = view.next(job)) {
                if (view.gang(job) == View.NONE) {
                    add(view, job);
                }
            }
        }
    }

    @Override
    public void serversChanged(View view) {
        if (scale.grow(view)) {
            rebuild(view);
        }
    }

    @Override
    public void expect(View view, int job) {
        if (view.demand(job, RESOURCE) > most) {
            most = view.demand(job, RESOURCE);
            rebuild(view);
        }
    }

    @Override
    public void add(View view, int job) {
        int part = view.constraint(job);
        while (parts.size() <= part) {
            parts.add(parts.isEmpty() ? new OrderedIndex(most) : OrderedIndex.ofFew(most));
        }
        parts.get(part).insert(job, view.demand(job, RESOURCE), view.order(job));
        waiting.put(job, part);
        size++;
    }

    @Override
    public void remove(int job) {
        parts.get(waiting.take(job)).remove(job);
        size--;
    }

    @Override
    public boolean contains(int job) {
        return waiting.contains(job);
    }

    @Override
    public void spreadOverLabels(View view, NumberSet into) {
        for (int part = 1; part < parts.size(); part++) {
            if (parts.get(part).size() > 0 && view.spreadsOverLabels(part)) {
                into.add(part);
            }
        }
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public int choose(View view, int server) {
        int largest = View.NONE;
        for (int part = 0; part < parts.size() && view.status(server) == ServerStatus.UP; part++) {
            if (parts.get(part).size() > 0 && view.admits(part, server)) {
                largest = larger(view, largest, parts.get(part).greatestAtMost(view.free(server, RESOURCE)));
            }
        }
        return largest;
    }

    private static int larger(View view, int one, int other) {
        if (one == View.NONE || other == View.NONE) {
            return Math.max(one, other);
        }
        int difference = Long.compare(view.demand(one, RESOURCE), view.demand(other, RESOURCE));
        return difference > 0 || (difference == 0 && view.order(one) < view.order(other)) ? one : other;
    }

    /** Where any of them fits, the smallest fits too. */
    @Override
    public int lowestServerFor(View view, int constraint, FirstFit servers) {
        int smallest = parts.get(constraint).leastAtLeast(0);
        return smallest == View.NONE ? View.NONE : servers.choose(view, smallest);
    }

    @Override
    public int lowestServer(View view, int site, FirstFit servers) {
        throw new IllegalStateException("made for a cluster without pools, asked about those of site " + site);
    }
}
