package dev.stowage.policies.fit;

import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * A choice among servers that are kept in one index, in one per site if sites have pools, or in one per group
 * ({@link View#group}) for requests that have constraints. For a request the groups that its constraints admit are
 * searched, those of the least penalty first. Single servers that they exclude are taken out of the index during the
 * choice, but only those that would have been chosen: O(log n) each.
 *
 * @param <I> the index
 */
abstract class ServersByGroup<I> implements ServerChoice {
    private static final int NOWHERE = -1;

    private final IntPredicate open;
    private final List<I> groups = new ArrayList<>();
    private final NumberSet excepted = new NumberSet();
    private final AdmittedGroups admitted;
    /** Index of each server. */
    private int[] places = new int[0];

    private final boolean byGroup;
    private final boolean bySite;
    private long grouping;
    final Scale scale;

    /** To be followed by {@link #rebuild}. */
    ServersByGroup(View view, IntPredicate open, boolean byGroup, boolean byPenalty) {
        this.open = open;
        admitted = new AdmittedGroups(byPenalty);
        this.byGroup = byGroup;
        scale = new Scale(view);
        bySite = !byGroup && view.pooledResources() > 0;
    }

    /** An empty index for servers up to the present scale. */
    abstract I newIndex();

    /** Removes a server that is in the index. */
    abstract void remove(I index, int server);

    /** Adds a server that is not overcommitted. */
    abstract void insert(I index, View view, int server);

    /** Begins the choice for a request. */
    abstract void begin(View view, int job);

    /** Chooses a server of the index if that is better than the one chosen so far. */
    abstract void search(View view, I index);

    /** The server chosen since {@link #begin}, or {@link View#NONE}. */
    abstract int chosen();

    @Override
    public final void rebuild(View view) {
        scale.grow(view);
        groups.clear();
        grouping = view.grouping();
        places = new int[view.servers()];
        Arrays.fill(places, NOWHERE);
        for (int server = 0; server < view.servers(); server++) {
            put(view, server);
        }
    }

    @Override
    public final void update(View view, int server) {
        if (scale.grow(view) || isRegrouped(view)) {
            rebuild(view);
        } else {
            put(view, server);
        }
    }

    private boolean isRegrouped(View view) {
        return byGroup && grouping != view.grouping();
    }

    private void put(View view, int server) {
        take(server);
        if (view.status(server) == ServerStatus.UP && open.test(server) && !view.overcommitted(server)) {
            int group = byGroup ? view.group(server) : bySite ? view.site(server) : 0;
            while (groups.size() <= group) {
                groups.add(newIndex());
            }
            insert(groups.get(group), view, server);
            if (server >= places.length) {
                int old = places.length;
                places = Arrays.copyOf(places, server + (server >> 1) + 16);
                Arrays.fill(places, old, places.length, NOWHERE);
            }
            places[server] = group;
        }
    }

    private void take(int server) {
        if (server < places.length && places[server] != NOWHERE) {
            remove(groups.get(places[server]), server);
            places[server] = NOWHERE;
        }
    }

    @Override
    public final int choose(View view, int job, int site) {
        if (!byGroup) {
            return searchSites(view, job, site);
        }
        if (isRegrouped(view)) {
            rebuild(view);
        }
        int constraint = view.constraint(job);
        int best = searchAdmitted(view, job, site);
        while (best != View.NONE && !view.admits(constraint, best)) {
            take(best);
            excepted.add(best);
            best = searchAdmitted(view, job, site);
        }
        while (excepted.size() > 0) {
            put(view, excepted.removeLast());
        }
        return best;
    }

    /** For a request without constraints; a site matters only if there are pools. */
    private int searchSites(View view, int job, int site) {
        begin(view, job);
        for (int its = 0; its < groups.size(); its++) {
            if (!bySite || ((site == View.NONE || site == its) && SiteRoom.inPools(view, job, its))) {
                search(view, groups.get(its));
            }
        }
        return chosen();
    }

    private int searchAdmitted(View view, int job, int site) {
        admitted.find(view, view.constraint(job));
        begin(view, job);
        for (int tier = 0; tier < admitted.tiers() && chosen() == View.NONE; tier++) {
            for (int k = admitted.start(tier); k < admitted.start(tier + 1); k++) {
                int group = admitted.get(k);
                int its = view.groupSite(group);
                if (group < groups.size() && (site == View.NONE || site == its) && SiteRoom.inPools(view, job, its)) {
                    search(view, groups.get(group));
                }
            }
        }
        return chosen();
    }
}
