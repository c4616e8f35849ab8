package dev.stowage.policies.fit;

import dev.stowage.core.policy.View;
import dev.stowage.policies.index.OrderedIndex;
import java.util.function.IntPredicate;

/**
 * Best fit in one resource: the server with the least residual capacity among those with room, the lowest-numbered of
 * equal ones. Update and choice cost O(log n) (per group that the constraints admit).
 */
final class LeastResidual extends ServersByGroup<OrderedIndex> {
    private static final int RESOURCE = 0;

    private long demand;
    private int best = View.NONE;

    LeastResidual(View view, IntPredicate open, boolean byGroup) {
        super(view, open, byGroup, true);
        rebuild(view);
    }

    @Override
    OrderedIndex newIndex() {
        return new OrderedIndex(scale.largest(RESOURCE));
    }

    @Override
    void remove(OrderedIndex index, int server) {
        index.remove(server);
    }

    @Override
    void insert(OrderedIndex index, View view, int server) {
        index.insert(server, view.free(server, RESOURCE), server);
    }

    @Override
    void begin(View view, int job) {
        demand = view.demand(job, RESOURCE);
        best = View.NONE;
    }

    @Override
    void search(View view, OrderedIndex index) {
        best = better(view, best, index.leastAtLeast(demand));
    }

    private static int better(View view, int one, int other) {
        if (one == View.NONE || other == View.NONE) {
            return Math.max(one, other);
        }
        int difference = Long.compare(view.free(one, RESOURCE), view.free(other, RESOURCE));
        return difference < 0 || (difference == 0 && one < other) ? one : other;
    }

    @Override
    int chosen() {
        return best;
    }

    @Override
    public String reason() {
        return "least residual capacity";
    }
}
