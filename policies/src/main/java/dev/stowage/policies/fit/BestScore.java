package dev.stowage.policies.fit;

import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import dev.stowage.policies.index.DominanceIndex;
import dev.stowage.policies.index.DominanceQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * Best fit in several resources: the server with the largest {@link Score}. One index of occupied amounts per capacity
 * class, all asked with one query. An update costs O(log n), a choice one search per capacity class.
 */
final class BestScore implements ServerChoice {
    private final IntPredicate open;
    private final Score score;
    private final List<DominanceIndex> classes = new ArrayList<>();
    private final Scale scale;
    private final DominanceQuery query;
    private final long[] occupied;

    BestScore(View view, Score score, IntPredicate open) {
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
        for (int server = 0; server < view.servers(); server++) {
            update(view, server);
        }
    }

    @Override
    public void update(View view, int server) {
        int number = view.capacityClass(server);
        if (number >= classes.size()) {
            addClasses(view);
        }
        DominanceIndex index = classes.get(number);
        if (index.contains(server)) {
            index.remove(server);
        }
        if (view.status(server) == ServerStatus.UP && open.test(server)) {
            for (int r = 0; r < occupied.length; r++) {
                occupied[r] = view.capacity(server, r) - view.free(server, r);
            }
            index.insert(server, server, occupied, 0);
        }
    }

    private void addClasses(View view) {
        scale.grow(view);
        while (classes.size() < view.capacityClasses()) {
            long[] capacity = new long[view.resources()];
            for (int r = 0; r < capacity.length; r++) {
                capacity[r] = view.classCapacity(classes.size(), r);
            }
            classes.add(new DominanceIndex(capacity));
        }
    }

    @Override
    public int choose(View view, int job) {
        begin(view, job);
        for (int number = 0; number < classes.size(); number++) {
            if (SiteRoom.fits(view, job, view.classSite(number))) {
                ask(view, job, number);
            }
        }
        return query.item();
    }

    @Override
    public int chooseIn(View view, int job, int site) {
        begin(view, job);
        if (SiteRoom.fits(view, job, site)) {
            for (int number = 0; number < classes.size(); number++) {
                if (view.classSite(number) == site) {
                    ask(view, job, number);
                }
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
        classes.get(number).search(query);
    }

    @Override
    public String reason() {
        return "best score";
    }
}
