package dev.stowage.policies.fit;

import dev.stowage.core.policy.View;
import org.jspecify.annotations.Nullable;

/**
 * The same choice from two indexes of all servers: an undivided one for requests without constraints, which then need
 * not search many parts, and one divided by group ({@link View#group}) for requests with constraints. The second is
 * made with the first such request; from then on each index updates changed servers when it is next searched, so that
 * an index that is seldom or never searched costs little.
 */
class TwoIndexes implements ServerChoice {
    /** Makes an index of the servers of a view. */
    interface Maker {
        /** In parts by group, or not. */
        ServerChoice make(View view, boolean byGroup);
    }

    private final Maker maker;
    private final ServerChoice whole;
    private final NumberSet wholeChanged = new NumberSet();
    private @Nullable ServerChoice parts;
    private final NumberSet partsChanged = new NumberSet();

    TwoIndexes(View view, Maker maker) {
        this.maker = maker;
        whole = maker.make(view, false);
    }

    @Override
    public final void rebuild(View view) {
        whole.rebuild(view);
        parts = null;
        wholeChanged.clear();
        partsChanged.clear();
    }

    @Override
    public final void update(View view, int server) {
        if (parts == null) {
            whole.update(view, server);
        } else {
            wholeChanged.add(server);
            partsChanged.add(server);
        }
    }

    /** The index for a request, up to date. */
    private ServerChoice index(View view, int job) {
        ServerChoice index = whole;
        NumberSet changed = wholeChanged;
        if (view.constraint(job) != 0) {
            index = parts == null ? maker.make(view, true) : parts;
            parts = index;
            changed = partsChanged;
        }
        while (changed.size() > 0) {
            index.update(view, changed.removeLast());
        }
        return index;
    }

    @Override
    public final int choose(View view, int job, int site) {
        return index(view, job).choose(view, job, site);
    }

    @Override
    public final String reason() {
        return whole.reason();
    }
}
