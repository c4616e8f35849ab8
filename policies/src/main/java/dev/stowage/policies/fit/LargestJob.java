package dev.stowage.policies.fit;

import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import dev.stowage.policies.index.OrderedIndex;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The largest waiting request that fits, in one resource without pools. One index for each site limit that a request
 * had.
 */
final class LargestJob implements WaitingJobs {
    private static final int RESOURCE = 0;

    private final Scale scale;
    private final List<OrderedIndex> byLimit = new ArrayList<>();
    private int size;

    LargestJob(View view) {
        scale = new Scale(view);
    }

    @Override
    public void rebuild(View view) {
        scale.grow(view);
        byLimit.clear();
        size = 0;
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
        int limit = view.siteLimit(job);
        while (byLimit.size() <= limit) {
            byLimit.add(new OrderedIndex(scale.largest(RESOURCE)));
        }
        byLimit.get(limit).insert(job, view.demand(job, RESOURCE), view.order(job));
        size++;
    }

    @Override
    public void remove(int job) {
        Objects.requireNonNull(find(job), "the request does not wait").remove(job);
        size--;
    }

    @Override
    public boolean contains(int job) {
        return find(job) != null;
    }

    private @Nullable OrderedIndex find(int job) {
        for (int limit = 0; limit < byLimit.size(); limit++) {
            if (byLimit.get(limit).contains(job)) {
                return byLimit.get(limit);
            }
        }
        return null;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public int choose(View view, int server) {
        int largest = View.NONE;
        for (int limit = 0; limit < byLimit.size() && view.status(server) == ServerStatus.UP; limit++) {
            if (view.allows(limit, view.site(server))) {
                largest = larger(view, largest, byLimit.get(limit).greatestAtMost(view.free(server, RESOURCE)));
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

    @Override
    public int lowestServer(View view, int site, FirstFit servers) {
        throw new IllegalStateException("made for a cluster without pools, asked about those of site " + site);
    }
}
