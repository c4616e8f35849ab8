package dev.stowage.policies.fit;

import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import dev.stowage.policies.index.DominanceIndex;
import dev.stowage.policies.index.DominanceQuery;
import dev.stowage.policies.index.ItemHeaps;
import dev.stowage.policies.index.RankedItems;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Best fit in several resources: the server with the largest {@link Score}. One index of occupied amounts per capacity
 * class, and per group ({@link View#group}) too if it is for requests with constraints, all asked with one query. An
 * update
 * costs O(log n), a choice one search per index that the constraints admit, most of which end at the first look, and
 * O(log n) for each server that they except and that would have been chosen. With penalties a choice is one for each
 * tier that has no room, and one more.
 *
 * <p>Where a resource comes in devices, the room in whole devices and in one device are two more coordinates, taken
 * from the most there can be, so that limits to them admit what has enough.
 *
 * <p>Where empty servers come last they have indexes of their own. Where servers have a {@link ServerRank}, a choice is
 * one search among those of the wanted rank or above, or three if none of them has room.
 */
final class BestScore implements ServerChoice {
    private static final int NOWHERE = -1;

    private final IntPredicate open;
    private final Score score;
    /**
     * By capacity class, then by group: a number of {@link #indexes}, or NOWHERE where there is no server. Where empty
     * servers come last, two for each group, the second of its empty servers.
     */
    private final List<int[]> classes = new ArrayList<>();

    private DominanceIndex[] indexes = {};
    private int made;
    /** The servers that are in an index without ranks. */
    private ItemHeaps items = new ItemHeaps();
    /** Those in one with ranks. */
    private @Nullable RankedItems rankedItems;
    /** Number of the index that a server is in. */
    private int[] places = new int[0];

    private final NumberSet excepted = new NumberSet();
    private final AdmittedGroups admitted = new AdmittedGroups(true);
    /** The tier of the groups that is searched now. */
    private int tier;

    private final boolean byGroup;
    private final boolean emptyLast;
    private final @Nullable ServerRank rank;
    private long grouping;
    private final Scale scale;
    private final DominanceQuery query;
    private final long[] occupied;
    /** The first coordinate of devices, after the resources. */
    private final int devices;

    /**
     * With the servers of the view.
     *
     * @param emptyLast whether servers without requests come last; so they do with ranks
     */
    BestScore(
            View view, Score score, IntPredicate open, boolean byGroup, boolean emptyLast, @Nullable ServerRank rank) {
        this.byGroup = byGroup;
        this.emptyLast = emptyLast;
        this.rank = rank;
        this.open = open;
        this.score = score;
        scale = new Scale(view);
        devices = view.resources();
        occupied = new long[devices + (view.deviceResource() == View.NONE ? 0 : 2)];
        query = new DominanceQuery(occupied.length);
        rebuild(view);
    }

    @Override
    public void rebuild(View view) {
        classes.clear();
        indexes = new DominanceIndex[0];
        made = 0;
        items = new ItemHeaps();
        rankedItems = rank == null ? null : new RankedItems();
        grouping = view.grouping();
        for (int server = 0; server < view.servers(); server++) {
            put(view, server);
        }
    }

    @Override
    public void update(View view, int server) {
        if (isRegrouped(view)) {
            rebuild(view);
        } else {
            put(view, server);
        }
    }

    private boolean isRegrouped(View view) {
        return byGroup && grouping != view.grouping();
    }

    private void put(View view, int server) {
        if (classes.size() < view.capacityClasses()) {
            scale.grow(view);
            while (classes.size() < view.capacityClasses()) {
                classes.add(new int[0]);
            }
        }
        take(server);
        if (view.status(server) == ServerStatus.UP && open.test(server) && occupy(view, server)) {
            int place = index(view, server);
            if (rank == null || view.firstOn(server) == View.NONE) {
                indexes[place].insert(server, server, occupied, 0);
            } else {
                indexes[place].insertRanked(server, rank.of(server), occupied);
            }
            remember(server, place);
        }
    }

    /** Sets the point of a server; false if the occupied amounts are more than it has. */
    private boolean occupy(View view, int server) {
        boolean overcommitted = false;
        if (devices < occupied.length) {
            int its = view.deviceResource();
            occupied[devices] = view.capacity(server, its) - view.room(server, its);
            occupied[devices + 1] = view.deviceAmount() - view.room(server, devices);
        }
        for (int r = 0; r < view.resources(); r++) {
            long free = view.free(server, r);
            overcommitted |= free < 0;
            occupied[r] = view.capacity(server, r) - free;
        }
        return !overcommitted;
    }

    private void take(int server) {
        if (items.contains(server) || (rankedItems != null && rankedItems.contains(server))) {
            indexes[places[server]].remove(server);
        }
    }

    private void remember(int server, int place) {
        if (server >= places.length) {
            places = Arrays.copyOf(places, server + (server >> 1) + 16);
        }
        places[server] = place;
    }

    private int index(View view, int server) {
        int number = view.capacityClass(server);
        boolean isEmpty = emptyLast && view.firstOn(server) == View.NONE;
        int group = place(byGroup ? view.group(server) : 0, isEmpty);
        int[] groups = classes.get(number);
        if (group >= groups.length) {
            int old = groups.length;
            groups = Arrays.copyOf(groups, group + 1);
            Arrays.fill(groups, old, groups.length, NOWHERE);
            classes.set(number, groups);
        }
        if (groups[group] == NOWHERE) {
            long[] capacity = new long[occupied.length];
            for (int r = 0; r < view.resources(); r++) {
                capacity[r] = view.classCapacity(number, r);
            }
            if (devices < occupied.length) {
                capacity[devices] = view.classCapacity(number, view.deviceResource());
                capacity[devices + 1] = view.deviceAmount();
            }
            if (made == indexes.length) {
                indexes = Arrays.copyOf(indexes, 2 * made + 1);
            }
            groups[group] = made++;
            indexes[groups[group]] = rank == null && score.least(view.resources()) == 0
                    ? DominanceIndex.ofPlainScores(capacity, items, groups[group])
                    : new DominanceIndex(capacity, items, isEmpty ? null : rankedItems);
        }
        return groups[group];
    }

    /** Where the number of a group's index is. */
    private int place(int group, boolean isEmpty) {
        return emptyLast ? 2 * group + (isEmpty ? 1 : 0) : group;
    }

    @Override
    public int choose(View view, int job, int site) {
        int constraint = view.constraint(job);
        if (isRegrouped(view)) {
            rebuild(view);
        }
        int best = search(view, job, constraint, site);
        while (constraint != 0 && best != View.NONE && !view.admits(constraint, best)) {
            take(best);
            excepted.add(best);
            best = search(view, job, constraint, site);
        }
        while (excepted.size() > 0) {
            put(view, excepted.removeLast());
        }
        return best;
    }

    private int search(View view, int job, int constraint, int site) {
        if (constraint == 0) {
            return searchTier(view, job, constraint, site);
        }
        admitted.find(view, constraint);
        int best = View.NONE;
        for (tier = 0; tier < admitted.tiers() && best == View.NONE; tier++) {
            best = searchTier(view, job, constraint, site);
        }
        return best;
    }

    private int searchTier(View view, int job, int constraint, int site) {
        begin(view, job);
        int wanted = rank == null ? 0 : rank.wanted(view, job);
        query.leastRank(wanted);
        int best = searchAll(view, job, constraint, site, false);
        if (rank != null && wanted > 0 && best == View.NONE) {
            query.leastRank(0);
            query.byRank(true);
            int highest = searchAll(view, job, constraint, site, false);
            query.byRank(false);
            if (highest != View.NONE) {
                query.forget();
                query.leastRank(rank.lowest(view, job, rank.of(highest)));
                best = searchAll(view, job, constraint, site, false);
            }
        }
        if (emptyLast && best == View.NONE) {
            query.leastRank(0);
            best = searchAll(view, job, constraint, site, true);
        }
        return best;
    }

    private int searchAll(View view, int job, int constraint, int site, boolean isEmpty) {
        for (int number = 0; number < classes.size(); number++) {
            int its = view.classSite(number);
            if ((site == View.NONE || site == its)
                    && SiteRoom.inPools(view, job, its)
                    && (constraint == 0 || view.allowsSite(constraint, its))) {
                ask(view, job, constraint, number, isEmpty);
            }
        }
        return query.item();
    }

    /** One resource in devices needs no scale: amounts are exact, so that equal ones are equal. */
    private double unit(int resource) {
        return rank == null && devices == 1 ? 1 : scale.unit(resource);
    }

    private void begin(View view, int job) {
        query.forget();
        for (int r = 0; r < view.resources(); r++) {
            query.weight(r, score.serverWeight(view.demand(job, r), unit(r)));
        }
    }

    private void ask(View view, int job, int constraint, int number, boolean isEmpty) {
        double constant = 0;
        double least = score.least(view.resources());
        for (int r = 0; r < view.resources(); r++) {
            long demand = view.demand(job, r);
            long capacity = view.classCapacity(number, r);
            query.limit(r, capacity - demand);
            constant += score.serverConstant(demand, capacity, unit(r));
            if (least > 0 && unit(r) > 0) {
                query.least(r, least * unit(r), least * ((demand - capacity) * unit(r)));
            }
        }
        if (devices < occupied.length) {
            int its = view.deviceResource();
            query.limit(devices, view.classCapacity(number, its) - view.need(job, its));
            query.limit(devices + 1, view.deviceAmount() - view.need(job, devices));
        }
        query.bias(constant);
        int[] groups = classes.get(number);
        if (constraint == 0) {
            for (int k = place(0, isEmpty); k < groups.length; k += place(1, false)) {
                search(groups[k]);
            }
        } else {
            for (int k = admitted.start(tier); k < admitted.start(tier + 1); k++) {
                int at = place(admitted.get(k), isEmpty);
                search(at < groups.length ? groups[at] : NOWHERE);
            }
        }
    }

    private void search(int place) {
        if (place != NOWHERE) {
            indexes[place].search(query);
        }
    }

    @Override
    public String reason() {
        return "best score";
    }
}
