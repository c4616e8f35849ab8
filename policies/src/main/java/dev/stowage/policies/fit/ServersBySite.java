package dev.stowage.policies.fit;

import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * A choice among servers that are kept in one index, or in one per site where sites have pools or requests are limited
 * to sites.
 *
 * @param <I> the index
 */
abstract class ServersBySite<I> implements ServerChoice {
    private final IntPredicate open;
    private final List<I> groups = new ArrayList<>();
    private boolean bySite;
    final Scale scale;

    /** To be followed by {@link #rebuild}. */
    ServersBySite(View view, IntPredicate open) {
        this.open = open;
        scale = new Scale(view);
        bySite = view.pooledResources() > 0;
    }

    /** An empty index for servers up to the present scale. */
    abstract I newIndex();

    /** Takes a server out if it is there. */
    abstract void remove(I index, int server);

    abstract void insert(I index, View view, int server);

    /** A request is to be placed; no server is chosen yet. */
    abstract void begin(View view, int job);

    /** Chooses a server of the index if that is better than the one chosen so far. */
    abstract void search(View view, I index);

    /** The server chosen since {@link #begin}, or {@link View#NONE}. */
    abstract int chosen();

    @Override
    public final void rebuild(View view) {
        scale.grow(view);
        groups.clear();
        for (int server = 0; server < view.servers(); server++) {
            put(view, server);
        }
    }

    @Override
    public final void update(View view, int server) {
        if (scale.grow(view)) {
            rebuild(view);
        } else {
            put(view, server);
        }
    }

    private void put(View view, int server) {
        int group = bySite ? view.site(server) : 0;
        while (groups.size() <= group) {
            groups.add(newIndex());
        }
        I index = groups.get(group);
        remove(index, server);
        if (view.status(server) == ServerStatus.UP && open.test(server)) {
            insert(index, view, server);
        }
    }

    @Override
    public final int choose(View view, int job) {
        if (!bySite && view.siteLimit(job) != 0) {
            bySite = true;
            rebuild(view);
        }
        begin(view, job);
        for (int group = 0; group < groups.size(); group++) {
            if (!bySite || SiteRoom.fits(view, job, group)) {
                search(view, groups.get(group));
            }
        }
        return chosen();
    }

    @Override
    public final int chooseIn(View view, int job, int site) {
        begin(view, job);
        if (site < groups.size() && SiteRoom.fits(view, job, site)) {
            search(view, groups.get(site));
        }
        return chosen();
    }
}
