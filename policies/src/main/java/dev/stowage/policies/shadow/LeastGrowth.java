package dev.stowage.policies.shadow;

import dev.stowage.core.policy.View;
import dev.stowage.policies.index.EqualPoints;

/**
 * Of the servers with room for a request, the one whose largest utilization grows least; ties to the fullest, then to
 * the lowest. Utilizations are whole numbers: a block's capacity times its weight is the same for all resources that it
 * has. A look at an index costs O(distinct contents x resources).
 */
final class LeastGrowth {
    private final boolean strict;
    private final int resources;

    private int best = View.NONE;
    private long least;
    private long fullest;

    LeastGrowth(int resources, boolean strict) {
        this.resources = resources;
        this.strict = strict;
    }

    void begin() {
        best = View.NONE;
        least = Long.MAX_VALUE;
        fullest = 0;
    }

    /** The best server since {@link #begin}, or {@link View#NONE}. */
    int best() {
        return best;
    }

    /** Looks at servers of a block; {@code whole} is their utilization 1. */
    void search(View view, int type, Block block, long whole, EqualPoints points) {
        for (int k = 0; k < points.size(); k++) {
            long before = 0;
            long after = 0;
            boolean fits = true;
            for (int r = 0; r < resources; r++) {
                long weight = block.weight(r, whole);
                long now = points.coordinate(k, r);
                long then = now + view.typeDemand(type, r) * weight;
                long limit = block.capacity[r] * weight;
                fits &= (strict && view.typeDemand(type, r) > 0) ? then < limit : then <= limit;
                before = Math.max(before, now);
                after = Math.max(after, then);
            }
            if (fits) {
                offer(points.lowest(k), after - before, before);
            }
        }
    }

    private void offer(int server, long growth, long before) {
        boolean wins =
                growth < least || (growth == least && (before > fullest || (before == fullest && server < best)));
        if (wins) {
            best = server;
            least = growth;
            fullest = before;
        }
    }
}
