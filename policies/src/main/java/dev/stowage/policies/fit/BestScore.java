package dev.stowage.policies.fit;

import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import dev.stowage.policies.index.DominanceIndex;
import dev.stowage.policies.index.DominanceQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Best fit in several resources: the server with the largest {@link Score}. One index of occupied amounts per capacity
 * class, and per group ({@link View#group}) too if it is for requests with constraints, all asked with one query. An
 * update
 * costs O(log n), a choice one search per index that the constraints admit, most of which end at the first look, and
 * O(log n) for each server that they except and that would have been chosen.
 */
final class BestScore implements ServerChoice {
    private final IntPredicate open;
    private final Score score;
    /** By capacity class, then by group; a pair without a server may have none. */
    private final List<List<@Nullable DominanceIndex>> classes = new ArrayList<>();

    private final Excepted excepted = new Excepted();
    /** The index that a server is in. */
    private final List<@Nullable DominanceIndex> places = new ArrayList<>();

    private final boolean byGroup;
    private long grouping;
    private final Scale scale;
    private final DominanceQuery query;
    private final long[] occupied;

    BestScore(View view, Score score, IntPredicate open, boolean byGroup) {
        this.byGroup = byGroup;
        this.open = open;
        this.score = score;
        scale = new Scale(view);
        query = new DominanceQuery(view.resources());
        occupied = new long[view.resources()];
        rebuild(view);
    }

    @Override
    public void rebuild(View view) {
        classes.clear();
        places.clear();
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
                classes.add(new ArrayList<>());
            }
        }
        take(server);
        if (view.status(server) == ServerStatus.UP && open.test(server) && !view.overcommitted(server)) {
            for (int r = 0; r < occupied.length; r++) {
                occupied[r] = view.capacity(server, r) - view.free(server, r);
            }
            DominanceIndex index = index(view, server);
            index.insert(server, server, occupied, 0);
            places.set(server, index);
        }
    }

    private void take(int server) {
        while (places.size() <= server) {
            places.add(null);
        }
        DominanceIndex index = places.get(server);
        if (index != null) {
            index.remove(server);
            places.set(server, null);
        }
    }

    private DominanceIndex index(View view, int server) {
        int number = view.capacityClass(server);
        int group = byGroup ? view.group(server) : 0;
        List<@Nullable DominanceIndex> groups = classes.get(number);
        while (groups.size() <= group) {
            groups.add(null);
        }
        DominanceIndex index = groups.get(group);
        if (index == null) {
            long[] capacity = new long[view.resources()];
            for (int r = 0; r < capacity.length; r++) {
                capacity[r] = view.classCapacity(number, r);
            }
            index = new DominanceIndex(capacity);
            groups.set(group, index);
        }
        return index;
    }

    @Override
    public int choose(View view, int job) {
        return choose(view, job, View.NONE);
    }

    @Override
    public int chooseIn(View view, int job, int site) {
        return choose(view, job, site);
    }

    /** Among the servers of a site, or of all. */
    private int choose(View view, int job, int site) {
        int constraint = view.constraint(job);
        if (isRegrouped(view)) {
            rebuild(view);
        }
        int best = search(view, job, site);
        while (constraint != 0 && best != View.NONE && !view.admits(constraint, best)) {
            take(best);
            excepted.add(best);
            best = search(view, job, site);
        }
        while (excepted.size() > 0) {
            put(view, excepted.removeLast());
        }
        return best;
    }

    private int search(View view, int job, int site) {
        begin(view, job);
        for (int number = 0; number < classes.size(); number++) {
            int its = view.classSite(number);
            if ((site == View.NONE || site == its) && SiteRoom.fits(view, job, its)) {
                ask(view, job, number);
            }
        }
        return query.item();
    }

    private void begin(View view, int job) {
        query.forget();
        for (int r = 0; r < view.resources(); r++) {
            query.weight(r, score.serverWeight(view.demand(job, r), scale.unit(r)));
        }
    }

    private void ask(View view, int job, int number) {
        double constant = 0;
        for (int r = 0; r < view.resources(); r++) {
            long demand = view.demand(job, r);
            long capacity = view.classCapacity(number, r);
            query.limit(r, capacity - demand);
            constant += score.serverConstant(demand, capacity, scale.unit(r));
        }
        query.bias(constant);
        int constraint = view.constraint(job);
        List<@Nullable DominanceIndex> groups = classes.get(number);
        for (int group = 0; group < groups.size(); group++) {
            DominanceIndex index = groups.get(group);
            if (index != null && (constraint == 0 || view.admitsGroup(constraint, group))) {
                index.search(query);
            }
        }
    }

    @Override
    public String reason() {
        return "best score";
    }
}
