package dev.stowage.policies.fit;

import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import dev.stowage.policies.index.OrderedIndex;

/** The largest waiting request that fits, in one resource without pools. */
final class LargestJob implements WaitingJobs {
    private static final int RESOURCE = 0;

    private final Scale scale;
    private OrderedIndex index;

    LargestJob(View view) {
        scale = new Scale(view);
        index = new OrderedIndex(scale.largest(RESOURCE));
    }

    @Override
    public void rebuild(View view) {
        scale.grow(view);
        index = new OrderedIndex(scale.largest(RESOURCE));
        if (view.queues() > 0) {
            for (int job = view.queueHead(0); job != View.NONE; job = view.next(job)) {
                add(view, job);
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
    public void add(View view, int job) {
        index.insert(job, view.demand(job, RESOURCE), view.order(job));
    }

    @Override
    public void remove(int job) {
        index.remove(job);
    }

    @Override
    public boolean contains(int job) {
        return index.contains(job);
    }

    @Override
    public int size() {
        return index.size();
    }

    @Override
    public int choose(View view, int server) {
        return view.status(server) == ServerStatus.UP ? index.greatestAtMost(view.free(server, RESOURCE)) : View.NONE;
    }

    @Override
    public int lowestServer(View view, int site, FirstFit servers) {
        throw new IllegalStateException("made for a cluster without pools, asked about those of site " + site);
    }
}
