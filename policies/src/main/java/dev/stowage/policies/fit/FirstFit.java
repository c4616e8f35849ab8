package dev.stowage.policies.fit;

import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import dev.stowage.policies.index.DominanceIndex;
import dev.stowage.policies.index.DominanceQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * First fit: the lowest-numbered server with room. One index for all servers, or one per site where sites have pools or requests are
 * limited to sites; the point of a server is what it lacks of the largest capacity, so servers of all sizes share an index.
 *
 * <p>Not a segment tree of the largest free amount per resource: in several resources its maxima belong to different servers
 * and the search goes astray.
 */
public final class FirstFit implements ServerChoice {
    private final IntPredicate open;
    private final Scale scale;
    private boolean bySite;
    private final List<DominanceIndex> groups = new ArrayList<>();
    private final DominanceQuery query;
    private final long[] lacking;

    /** With the servers of the view. */
    public FirstFit(View view) {
        this(view, server -> true);
    }

    /** With those servers of the view that are open; a server that opens or closes must be updated. */
    public FirstFit(View view, IntPredicate open) {
        this.open = open;
        scale = new Scale(view);
        bySite = view.pooledResources() > 0;
        query = new DominanceQuery(view.resources());
        lacking = new long[view.resources()];
        rebuild(view);
    }

    @Override
    public void rebuild(View view) {
        scale.grow(view);
        groups.clear();
        for (int server = 0; server < view.servers(); server++) {
            put(view, server);
        }
    }

    @Override
    public void update(View view, int server) {
        if (scale.grow(view)) {
            rebuild(view);
        } else {
            put(view, server);
        }
    }

    private void splitBySite(View view) {
        bySite = true;
        rebuild(view);
    }

    private void put(View view, int server) {
        int group = bySite ? view.site(server) : 0;
        while (groups.size() <= group) {
            long[] upper = new long[lacking.length];
            for (int r = 0; r < upper.length; r++) {
                upper[r] = scale.largest(r);
            }
            groups.add(new DominanceIndex(upper));
        }
        DominanceIndex index = groups.get(group);
        if (index.contains(server)) {
            index.remove(server);
        }
        if (view.status(server) == ServerStatus.UP && open.test(server)) {
            for (int r = 0; r < lacking.length; r++) {
                lacking[r] = scale.largest(r) - view.free(server, r);
            }
            index.insert(server, server, lacking, 0);
        }
    }

    @Override
    public int choose(View view, int job) {
        if (!bySite && view.siteLimit(job) != 0) {
            splitBySite(view);
        }
        ask(view, job);
        for (int group = 0; group < groups.size(); group++) {
            if (!bySite || SiteRoom.fits(view, job, group)) {
                groups.get(group).search(query);
            }
        }
        return query.item();
    }

    @Override
    public int chooseIn(View view, int job, int site) {
        ask(view, job);
        if (site < groups.size() && SiteRoom.fits(view, job, site)) {
            groups.get(site).search(query);
        }
        return query.item();
    }

    private void ask(View view, int job) {
        query.forget();
        for (int r = 0; r < lacking.length; r++) {
            query.limit(r, scale.largest(r) - view.demand(job, r));
        }
    }

    @Override
    public String reason() {
        return "first server with room";
    }
}
