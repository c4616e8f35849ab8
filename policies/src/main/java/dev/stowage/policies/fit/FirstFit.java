package dev.stowage.policies.fit;

import dev.stowage.core.policy.View;
import java.util.function.IntPredicate;

/** First fit: the lowest-numbered server with room. */
public final class FirstFit extends TwoIndexes {
    /** With the servers of the view. */
    public FirstFit(View view) {
        this(view, server -> true);
    }

    /** With those servers of the view that are open; a server that opens or closes must be updated. */
    public FirstFit(View view, IntPredicate open) {
        this(view, open, true);
    }

    private FirstFit(View view, IntPredicate open, boolean byPenalty) {
        super(view, (now, byGroup) -> new LowestNumbered(now, open, byGroup, byPenalty));
    }

    /** The lowest-numbered open server with room whatever its penalty, for servers that take requests in turn. */
    public static FirstFit whateverThePenalty(View view, IntPredicate open) {
        return new FirstFit(view, open, false);
    }
}
