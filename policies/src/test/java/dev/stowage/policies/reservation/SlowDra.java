package dev.stowage.policies.reservation;

import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import dev.stowage.optimize.configuration.Configurations;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The reference implementation of {@link Dra}: the pseudo-code of the paper word for word, over all servers at every
 * event. Knows one site, no pools, requests of known types only; MaxReward looks at all feasible configurations.
 */
final class SlowDra implements Policy {
    private final long slack;
    private final long periodNanos;
    /** Per class and configuration the servers, index 1 first. */
    private final List<Map<String, List<Integer>>> stacks = new ArrayList<>();

    private final Map<Integer, int[]> configuration = new TreeMap<>();
    private final Map<Integer, Integer> rank = new TreeMap<>();
    private final List<Integer> reach = new ArrayList<>();
    private boolean changed;

    SlowDra(long slack, long periodNanos) {
        this.slack = slack;
        this.periodNanos = periodNanos;
    }

    @Override
    public int queues(View view) {
        return 0;
    }

    @Override
    public void started(View view, Actions actions) {
        for (int server = 0; server < view.servers(); server++) {
            join(view, server);
        }
        cra(view);
        if (periodNanos > 0) {
            actions.timer(view.now() + periodNanos, 0);
        }
    }

    private void join(View view, int server) {
        while (stacks.size() < view.capacityClasses()) {
            stacks.add(new TreeMap<>());
            reach.add(0);
        }
        if (view.status(server) == ServerStatus.UP && !configuration.containsKey(server)) {
            assign(view, server, placement(view, server));
            rank.put(server, view.types() + 1);
        }
    }

    private void assign(View view, int server, int[] counts) {
        configuration.put(server, counts);
        stack(view.capacityClass(server), counts).add(0, server);
    }

    private List<Integer> stack(int group, int[] counts) {
        return stacks.get(group).computeIfAbsent(Arrays.toString(counts), first -> new ArrayList<>());
    }

    private static int[] placement(View view, int server) {
        int[] counts = new int[view.types()];
        for (int job = view.firstOn(server); job >= 0; job = view.next(job)) {
            counts[view.type(job)]++;
        }
        return counts;
    }

    @Override
    public void serverChanged(int server, View view, Actions actions) {
        int[] counts = configuration.remove(server);
        if (counts != null) {
            stack(view.capacityClass(server), counts).remove((Integer) server);
        }
        join(view, server);
        changed = true;
    }

    @Override
    public void displaced(int job, int server, View view, Actions actions) {}

    @Override
    public void arrived(int job, View view, Actions actions) {}

    @Override
    public void timer(long tag, View view, Actions actions) {
        cra(view);
        actions.timer(view.now() + periodNanos, 0);
    }

    @Override
    public void round(View view, Actions actions) {
        if (changed) {
            cra(view);
        }
        List<Integer> jobs = new ArrayList<>();
        for (int job = view.pendingHead(); job >= 0; job = view.next(job)) {
            jobs.add(job);
        }
        jobs.sort((one, other) -> Long.compare(view.order(one), view.order(other)));
        for (int job : jobs) {
            int server = accepting(view, view.type(job));
            if (server < 0) {
                actions.reject(job, "slow");
            } else {
                actions.place(job, server, "slow");
                event(view);
            }
        }
    }

    @Override
    public void left(int job, int server, View view, Actions actions) {
        if (server < 0) {
            return;
        }
        if (configuration.containsKey(server) && !rejects(view, server)) {
            int from = rejecting(view, view.type(job));
            if (from >= 0) {
                int moved = view.firstOn(from);
                while (view.type(moved) != view.type(job)) {
                    moved = view.next(moved);
                }
                actions.migrate(moved, server, "slow");
            }
        }
        event(view);
    }

    private void event(View view) {
        if (periodNanos == 0 || changed) {
            cra(view);
        }
    }

    private int index(View view, int server) {
        return 1 + stack(view.capacityClass(server), configuration.get(server)).indexOf(server);
    }

    private boolean rejects(View view, int server) {
        return rank.get(server) > reach.get(view.capacityClass(server)) && index(view, server) == 1;
    }

    /**
     * Lowest rank, lowest class (of servers with a rank), largest index, lowest server; classes also before indexes.
     */
    private int accepting(View view, int type) {
        int best = -1;
        for (int server : configuration.keySet()) {
            boolean open = configuration.get(server)[type] > placement(view, server)[type];
            if (open && !rejects(view, server) && (best < 0 || before(view, server, best))) {
                best = server;
            }
        }
        return best;
    }

    private boolean before(View view, int one, int other) {
        int byRank = Integer.compare(rank.get(one), rank.get(other));
        int byClass = Integer.compare(view.capacityClass(one), view.capacityClass(other));
        int byIndex = Integer.compare(index(view, other), index(view, one));
        return byRank != 0 ? byRank < 0 : byClass != 0 ? byClass < 0 : byIndex < 0;
    }

    private int rejecting(View view, int type) {
        int best = -1;
        for (int server : configuration.keySet()) {
            boolean holds = placement(view, server)[type] > 0;
            if (holds && rejects(view, server) && (best < 0 || rank.get(server) > rank.get(best))) {
                best = server;
            }
        }
        return best;
    }

    private void cra(View view) {
        changed = false;
        long[] left = new long[view.types()];
        for (int server = 0; server < view.servers(); server++) {
            for (int job = view.firstOn(server); job >= 0; job = view.next(job)) {
                left[view.type(job)]++;
            }
        }
        for (int j = 0; j < left.length; j++) {
            left[j] += slack;
        }
        for (int group = 0; group < stacks.size(); group++) {
            cra(view, group, left);
        }
    }

    private void cra(View view, int group, long[] left) {
        int types = view.types();
        List<Integer> servers = new ArrayList<>();
        for (int server : configuration.keySet()) {
            if (view.capacityClass(server) == group) {
                servers.add(server);
                rank.put(server, types + 1);
            }
        }
        Set<Integer> candidates = candidates(view, group);
        int iStar = types;
        long unused = servers.size();
        for (int i = 1; !candidates.isEmpty(); i++) {
            int[] k = maxReward(view, group, candidates);
            int jStar = -1;
            for (int j = 0; j < types; j++) {
                if (k[j] > 0 && (jStar < 0 || ceil(left[j], k[j]) < ceil(left[jStar], k[jStar]))) {
                    jStar = j;
                }
            }
            long wanted = Math.min(ceil(left[jStar], k[jStar]), unused);
            unused -= wanted;
            for (int j = 0; j < types; j++) {
                left[j] = Math.max(0, left[j] - wanted * k[j]);
            }
            candidates.remove(jStar);

            int c = stack(group, k).size();
            for (long z = 0; z < wanted; z++) {
                if (c <= 0) {
                    int empty = emptyServer(view, servers, types + 1);
                    if (empty >= 0) {
                        rank.put(empty, i);
                        stack(group, configuration.get(empty)).remove((Integer) empty);
                        assign(view, empty, k);
                    } else {
                        iStar = Math.min(iStar, i);
                    }
                } else {
                    rank.put(stack(group, k).get(c - 1), i);
                }
                c--;
            }
        }
        reach.set(group, iStar);
    }

    /** Types that fit an empty server of the class. */
    static Set<Integer> candidates(View view, int group) {
        Set<Integer> candidates = new TreeSet<>();
        for (int j = 0; j < view.types(); j++) {
            boolean fits = true;
            for (int r = 0; r < view.resources(); r++) {
                fits &= view.typeDemand(j, r) <= view.classCapacity(group, r);
            }
            if (fits) {
                candidates.add(j);
            }
        }
        return candidates;
    }

    private int emptyServer(View view, List<Integer> servers, int unranked) {
        for (int server : servers) {
            if (view.firstOn(server) < 0 && rank.get(server) == unranked) {
                return server;
            }
        }
        return -1;
    }

    static long ceil(long requests, int perServer) {
        return -Math.floorDiv(-requests, perServer);
    }

    static int[] maxReward(View view, int group, Set<Integer> candidates) {
        long[] capacity = new long[view.resources()];
        Arrays.setAll(capacity, r -> view.classCapacity(group, r));
        long[][] demand = new long[view.types()][capacity.length];
        for (int j = 0; j < demand.length; j++) {
            int type = j;
            Arrays.setAll(demand[j], r -> view.typeDemand(type, r));
        }
        int[] best = {};
        long most = -1;
        for (int[] counts : Configurations.feasible(capacity, demand, 100_000)) {
            long reward = 0;
            boolean allowed = true;
            for (int j = 0; j < counts.length; j++) {
                reward += view.typeReward(j) * counts[j];
                allowed &= counts[j] == 0 || candidates.contains(j);
            }
            if (allowed && reward > most) {
                most = reward;
                best = counts;
            }
        }
        return best;
    }
}
