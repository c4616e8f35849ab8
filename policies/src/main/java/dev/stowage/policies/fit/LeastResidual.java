package dev.stowage.policies.fit;

import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import dev.stowage.policies.index.OrderedIndex;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * Best fit in one resource: the server with the least residual capacity among those with room. One index for all servers,
 * or one per site where sites have pools or requests are limited to sites. Update and choice cost O(log n) (per site).
 */
final class LeastResidual implements ServerChoice {
    private static final int RESOURCE = 0;

    private final IntPredicate open;
    private final Scale scale;
    private boolean bySite;
    private final List<OrderedIndex> groups = new ArrayList<>();

    LeastResidual(View view, IntPredicate open) {
        this.open = open;
        scale = new Scale(view);
        bySite = view.pooledResources() > 0;
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
            groups.add(new OrderedIndex(scale.largest(RESOURCE)));
        }
        OrderedIndex index = groups.get(group);
        if (index.contains(server)) {
            index.remove(server);
        }
        if (view.status(server) == ServerStatus.UP && open.test(server)) {
            index.insert(server, view.free(server, RESOURCE), server);
        }
    }

    @Override
    public int choose(View view, int job) {
        if (!bySite && view.siteLimit(job) != 0) {
            splitBySite(view);
        }
        long demand = view.demand(job, RESOURCE);
        int best = View.NONE;
        for (int group = 0; group < groups.size(); group++) {
            if (!bySite || SiteRoom.fits(view, job, group)) {
                best = better(view, best, groups.get(group).leastAtLeast(demand));
            }
        }
        return best;
    }

    @Override
    public int chooseIn(View view, int job, int site) {
        return site < groups.size() && SiteRoom.fits(view, job, site)
                ? groups.get(site).leastAtLeast(view.demand(job, RESOURCE))
                : View.NONE;
    }

    private static int better(View view, int one, int other) {
        if (one == View.NONE || other == View.NONE) {
            return Math.max(one, other);
        }
        int difference = Long.compare(view.free(one, RESOURCE), view.free(other, RESOURCE));
        return difference < 0 || (difference == 0 && one < other) ? one : other;
    }

    @Override
    public String reason() {
        return "least residual capacity";
    }
}
