package dev.stowage.study.advise;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Packs all movable jobs anew, one server after the other: those that stay in use anyway first, then the ones whose
 * capacity is worth most. A server is filled with the job whose demand points most in the direction of what is left
 * there (the greatest inner product, each resource as a fraction of the server's capacity, weighted); jobs that few
 * servers admit are preferred. Equal jobs change places, so that as many as possible stay where they are.
 *
 * <p>Source: R. Panigrahy, K. Talwar, L. Uyeda, U. Wieder: Heuristics for vector bin packing (2011), section 3, there
 * named the bin-centric dot product heuristic.
 */
final class Repacking {
    /** How much a job gains that no other server admits, beside an inner product of at most 1. */
    private static final double SCARCE = 0.2;

    /** Jobs that no rule tells apart. */
    private static final class Kind {
        private final List<Integer> members = new ArrayList<>();
        private final ArrayDeque<Integer> left = new ArrayDeque<>();
        /** How many are placed on each server. */
        private final Map<Integer, Integer> placed = new LinkedHashMap<>();

        private double scarce;
    }

    /** @param admission number of the shared object */
    private record Key(
            List<Long> demand, int admission, List<Integer> boundBy, List<Integer> countedBy, List<Integer> budgets) {}

    private final ClusterState state;
    private final ClusterBooks books;
    private final boolean[] usable;
    private final double[] weight;
    private final List<Kind> kinds = new ArrayList<>();
    /** Pairs of a kind of jobs and a server that were examined so far. */
    private long work;

    /**
     * A packing that has not begun.
     *
     * @param usable servers that may get jobs
     * @param worth of a unit of each resource
     */
    Repacking(ClusterState state, boolean[] usable, double[] worth) {
        this.state = state;
        this.usable = usable;
        weight = new double[worth.length];
        for (ClusterServer server : state.servers()) {
            for (int r = 0; r < weight.length; r++) {
                weight[r] += worth[r] * server.capacity()[r] / state.servers().size();
            }
        }
        books = new ClusterBooks(state);
        Map<Key, Kind> byKey = new LinkedHashMap<>();
        IdentityHashMap<ServerAdmission, Integer> numbers = new IdentityHashMap<>();
        List<Double> scarce = new ArrayList<>();
        for (int j = 0; j < state.jobs().size(); j++) {
            ClusterJob job = state.jobs().get(j);
            if (state.mayMove(job)) {
                int admission = numbers.computeIfAbsent(job.admission(), first -> {
                    scarce.add(scarcity(job.admission()));
                    return scarce.size() - 1;
                });
                Key key = new Key(
                        Arrays.stream(job.demand()).boxed().toList(),
                        admission,
                        job.boundBy(),
                        job.countedBy(),
                        job.budgets());
                Kind kind = byKey.computeIfAbsent(key, first -> new Kind());
                kind.scarce = scarce.get(admission);
                kind.members.add(j);
                kind.left.add(j);
                books.take(j);
            }
        }
        kinds.addAll(byKey.values());
    }

    /** The fraction of usable servers that does not admit a job. */
    private double scarcity(ServerAdmission admission) {
        int all = 0;
        int not = 0;
        for (int s = 0; s < usable.length; s++) {
            all += usable[s] ? 1 : 0;
            not += usable[s] && !admission.admits(s) ? 1 : 0;
        }
        return all == 0 ? 0 : (double) not / all;
    }

    /**
     * Packs in an order of servers.
     *
     * @return the server of each job; null if some job finds no place
     */
    int @Nullable [] pack(List<Integer> order, long mostWork) {
        for (int server : order) {
            for (Kind best = best(server); best != null; best = best(server)) {
                books.put(best.left.remove(), server);
                best.placed.merge(server, 1, Integer::sum);
            }
            if (work > mostWork) {
                return null;
            }
        }
        return kinds.stream().allMatch(kind -> kind.left.isEmpty()) ? goals() : null;
    }

    private @Nullable Kind best(int server) {
        Kind best = null;
        double most = Double.NEGATIVE_INFINITY;
        long[] capacity = books.capacity(server);
        for (Kind kind : kinds) {
            if (kind.left.isEmpty()) {
                continue;
            }
            work++;
            int job = kind.left.element();
            if (!books.fits(job, server)) {
                continue;
            }
            double score = SCARCE * kind.scarce;
            for (int r = 0; r < weight.length; r++) {
                double all = Math.max(1, capacity[r]);
                score += weight[r] * (books.demand(job, r) / all) * (books.free(server, r) / all);
            }
            if (score > most && books.takes(job, server)) {
                most = score;
                best = kind;
            }
        }
        return best;
    }

    /** Where each job goes: of equal jobs those stay that can. */
    private int[] goals() {
        int[] goal = state.jobs().stream().mapToInt(ClusterJob::server).toArray();
        for (Kind kind : kinds) {
            List<Integer> moving = new ArrayList<>();
            for (int job : kind.members) {
                Integer there = kind.placed.get(goal[job]);
                if (there == null || there == 0) {
                    moving.add(job);
                } else {
                    kind.placed.put(goal[job], there - 1);
                }
            }
            int next = 0;
            for (Map.Entry<Integer, Integer> free : kind.placed.entrySet()) {
                for (int n = 0; n < free.getValue(); n++) {
                    goal[moving.get(next++)] = free.getKey();
                }
            }
        }
        return goal;
    }
}
