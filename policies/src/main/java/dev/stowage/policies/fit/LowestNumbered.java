package dev.stowage.policies.fit;

import dev.stowage.core.policy.View;
import dev.stowage.policies.index.DominanceIndex;
import dev.stowage.policies.index.DominanceQuery;
import java.util.function.IntPredicate;

/**
 * The lowest-numbered server with room. The point of a server in the index is the most room minus its room, in
 * each kind, so servers of all sizes share one index.
 *
 * <p>Not a segment tree of the largest free amount per resource: with several resources its maxima belong to different
 * servers, so the search visits many that do not fit.
 */
final class LowestNumbered extends ServersByGroup<DominanceIndex> {
    private final DominanceQuery query;
    private final long[] lacking;

    LowestNumbered(View view, IntPredicate open, boolean byGroup, boolean byPenalty) {
        super(view, open, byGroup, byPenalty);
        query = new DominanceQuery(view.roomKinds());
        lacking = new long[view.roomKinds()];
        rebuild(view);
    }

    @Override
    DominanceIndex newIndex() {
        long[] upper = new long[lacking.length];
        for (int r = 0; r < upper.length; r++) {
            upper[r] = scale.largest(r);
        }
        return new DominanceIndex(upper);
    }

    @Override
    void remove(DominanceIndex index, int server) {
        index.remove(server);
    }

    @Override
    void insert(DominanceIndex index, View view, int server) {
        for (int r = 0; r < lacking.length; r++) {
            lacking[r] = scale.largest(r) - view.room(server, r);
        }
        index.insert(server, server, lacking, 0);
    }

    @Override
    void begin(View view, int job) {
        query.forget();
        for (int r = 0; r < lacking.length; r++) {
            query.limit(r, scale.largest(r) - view.need(job, r));
        }
    }

    @Override
    void search(View view, DominanceIndex index) {
        index.search(query);
    }

    @Override
    int chosen() {
        return query.item();
    }

    @Override
    public String reason() {
        return "first server with room";
    }
}
