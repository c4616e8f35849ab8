package dev.stowage.policies.fit;

import dev.stowage.core.policy.View;
import java.util.function.IntPredicate;

/** First fit: the lowest-numbered server with room. */
public final class FirstFit implements ServerChoice {
    private final TwoIndexes indexes;

    /** With the servers of the view. */
    public FirstFit(View view) {
        this(view, server -> true);
    }

    /** With those servers of the view that are open; a server that opens or closes must be updated. */
    public FirstFit(View view, IntPredicate open) {
        this(view, open, true);
    }

    private FirstFit(View view, IntPredicate open, boolean byPenalty) {
        indexes = new TwoIndexes(view, (now, byGroup) -> new LowestNumbered(now, open, byGroup, byPenalty));
    }

    /** The lowest-numbered open server with room whatever its penalty, for servers that take requests in turn. */
    public static FirstFit whateverThePenalty(View view, IntPredicate open) {
        return new FirstFit(view, open, false);
    }

    @Override
    public void rebuild(View view) {
        indexes.rebuild(view);
    }

    @Override
    public void update(View view, int server) {
        indexes.update(view, server);
    }

    @Override
    public int choose(View view, int job) {
        return indexes.choose(view, job);
    }

    @Override
    public int chooseIn(View view, int job, int site) {
        return indexes.chooseIn(view, job, site);
    }

    @Override
    public String reason() {
        return indexes.reason();
    }
}
