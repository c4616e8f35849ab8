package dev.stowage.study.advise;

import dev.stowage.study.advise.MoveSearch.PlaceScore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Finds moves that empty servers. First sets of servers to empty at once: their jobs, largest first, go to the best of
 * the others; the largest set is found by bisection, for several orders of servers and scores of places. Then the moves
 * are put in an order that empties one server after the other, fewest jobs first. Last, single servers are emptied by
 * chains of moves, the least loaded first, as long as this succeeds. No job is moved to a server that is not in use.
 *
 * <p>Deterministic, in time bounded by counted work and not by a clock.
 */
final class Consolidation {
    /** Limit on examined pairs of a job and a server: after that no further order or score is tried. */
    private static final long MOST_WORK_ON_SETS = 150_000_000;
    /** The same limit for chains. */
    private static final long MOST_WORK_ON_CHAINS = 100_000_000;

    /** The same limit for packing anew, in kinds of jobs. */
    private static final long MOST_WORK_ON_PACKING = 100_000_000;

    private static final List<String> ORDERS = List.of("least loaded", "smallest", "small and lightly loaded");

    /** A server that was emptied, and the moves that did it, each as job, from, to. */
    record Emptied(int server, List<int[]> moves) {}

    /**
     * The servers that can be emptied.
     *
     * @param emptied in order
     * @param bySet how many of them were emptied as a set; the others one by one, by chains of moves
     * @param how the order and score that won, in words
     */
    record Found(List<Emptied> emptied, int bySet, String how) {}

    /** A set of servers to empty, and where all jobs are afterwards. */
    private record Closing(
            List<Integer> servers, int[] where, int moves, double[][] worth, PlaceScore score, String how) {
        Closing saying(String order, String unit) {
            String words = order + " first, places by " + score + " in " + unit;
            return new Closing(servers, where, moves, worth, score, words);
        }

        boolean isBetterThan(@Nullable Closing other) {
            return other == null
                    || servers.size() > other.servers.size()
                    || (servers.size() == other.servers.size() && moves < other.moves);
        }
    }

    private final ClusterState state;
    private final double[] prices;
    private final List<Integer> candidates;
    private final boolean[] usable;
    private long work;

    private Consolidation(ClusterState state, double[] prices) {
        this.state = state;
        this.prices = prices;
        ClusterBooks books = new ClusterBooks(state);
        candidates = IntStream.range(0, books.servers())
                .filter(s -> books.inUse(s)
                        && IntStream.of(books.holding(s))
                                .allMatch(j -> state.mayMove(state.jobs().get(j))))
                .boxed()
                .toList();
        usable = new boolean[books.servers()];
        for (int s = 0; s < usable.length; s++) {
            usable[s] = books.inUse(s) && state.servers().get(s).open();
        }
    }

    /**
     * The servers that can be emptied, in order.
     *
     * @param prices worth of a unit of each resource
     */
    static Found of(ClusterState state, double[] prices) {
        return new Consolidation(state, prices).find();
    }

    private Found find() {
        double[] even = new double[prices.length];
        List<double[][]> worths = List.of(MoveSearch.worth(state, prices), MoveSearch.worth(state, even));
        Closing best = null;
        List<List<Integer>> orders = orders(worths.get(0));
        for (List<Integer> order : orders) {
            for (PlaceScore score : PlaceScore.values()) {
                for (double[][] worth : worths) {
                    Closing found = work > MOST_WORK_ON_SETS ? null : largest(order, worth, score, best);
                    if (found != null && found.isBetterThan(best)) {
                        best = found.saying(
                                ORDERS.get(orders.indexOf(order)), worth == worths.get(0) ? "prices" : "shares");
                    }
                }
            }
        }
        Found bySets = carriedOut(best, worths.get(0));
        Closing anew = repacked();
        if (anew != null && anew.servers().size() > bySets.emptied().size()) {
            Found other = carriedOut(anew, worths.get(0));
            return other.emptied().size() > bySets.emptied().size() ? other : bySets;
        }
        return bySets;
    }

    /** A set in order, then single servers. */
    private Found carriedOut(@Nullable Closing best, double[][] usual) {
        ClusterBooks books = new ClusterBooks(state);
        List<Emptied> done = new ArrayList<>();
        boolean[] target = usable.clone();
        if (best != null) {
            List<Integer> cheapFirst = new ArrayList<>(best.servers());
            cheapFirst.sort((one, other) -> {
                int fewer = Integer.compare(books.holding(one).length, books.holding(other).length);
                return fewer != 0 ? fewer : Integer.compare(one, other);
            });
            for (List<int[]> moves : new MoveSequencer(books, best.where()).empty(cheapFirst)) {
                int server = moves.get(moves.size() - 1)[1];
                done.add(new Emptied(server, moves));
            }
        }
        int bySet = done.size();
        for (Emptied one : done) {
            target[one.server()] = false;
        }
        double[][] worth = best == null ? usual : best.worth();
        emptySingly(books, target, worth, best == null ? PlaceScore.WORTH_LEFT : best.score(), done);
        return new Found(done, bySet, bySet == 0 || best == null ? "" : best.how());
    }

    /** The servers that packing everything anew leaves empty; null if no packing has a place for all. */
    private @Nullable Closing repacked() {
        Closing best = null;
        double[] even = new double[prices.length];
        for (double[] chosen : List.of(prices, even)) {
            double[][] worth = MoveSearch.worth(state, chosen);
            Repacking packing = new Repacking(state, usable, worth[0]);
            int[] goal = packing.pack(mostWorthFirst(worth), MOST_WORK_ON_PACKING);
            if (goal == null) {
                continue;
            }
            Set<Integer> used = new HashSet<>();
            for (int j = 0; j < goal.length; j++) {
                if (state.jobs().get(j).stay() != ClusterJob.Hold.WITH_SERVER) {
                    used.add(goal[j]);
                }
            }
            List<Integer> closing =
                    candidates.stream().filter(s -> !used.contains(s)).toList();
            Closing found = new Closing(
                    closing,
                    goal,
                    0,
                    worth,
                    PlaceScore.WORTH_LEFT,
                    "all packed anew, by " + (chosen == prices ? "prices" : "shares"));
            best = found.isBetterThan(best) ? found : best;
        }
        return best;
    }

    /** Servers in use that take jobs: those that stay in use anyway first, then by the worth of their capacity. */
    private List<Integer> mostWorthFirst(double[][] worth) {
        Set<Integer> free = new HashSet<>(candidates);
        double[] capacity = new double[usable.length];
        double[] load = new double[usable.length];
        ClusterBooks books = new ClusterBooks(state);
        List<Integer> order = new ArrayList<>();
        for (int s = 0; s < usable.length; s++) {
            if (usable[s]) {
                order.add(s);
                for (int r = 0; r < prices.length; r++) {
                    long room = books.capacity(s)[r];
                    capacity[s] -= worth[s][r] * room;
                    load[s] -= worth[s][r] * (room - books.free(s, r));
                }
            }
        }
        order.sort(Comparator.comparing((Integer s) -> free.contains(s))
                .thenComparingDouble(s -> capacity[s])
                .thenComparingDouble(s -> load[s])
                .thenComparingInt(s -> s));
        return order;
    }

    /** Orders in which servers are given up: little worth of capacity first, little load first, a mixture. */
    private List<List<Integer>> orders(double[][] worth) {
        double[] capacity = new double[usable.length];
        double[] load = new double[usable.length];
        ClusterBooks books = new ClusterBooks(state);
        for (int s : candidates) {
            for (int r = 0; r < prices.length; r++) {
                long room = state.servers().get(s).capacity()[r];
                capacity[s] += worth[s][r] * room;
                load[s] += worth[s][r] * (room - books.free(s, r));
            }
            if (!state.servers().get(s).open()) {
                // No job can use what is free there.
                capacity[s] = 0;
            }
        }
        List<List<Integer>> orders = new ArrayList<>();
        orders.add(sorted(load));
        orders.add(sorted(capacity, load));
        double[] both = new double[usable.length];
        for (int s : candidates) {
            both[s] = capacity[s] + load[s];
        }
        orders.add(sorted(both));
        return orders;
    }

    private List<Integer> sorted(double[]... keys) {
        List<Integer> order = new ArrayList<>(candidates);
        order.sort((one, other) -> {
            for (double[] key : keys) {
                int by = Double.compare(key[one], key[other]);
                if (by != 0) {
                    return by;
                }
            }
            return Integer.compare(one, other);
        });
        return order;
    }

    private @Nullable Closing largest(
            List<Integer> order, double[][] worth, PlaceScore score, @Nullable Closing toBeat) {
        int low = 0;
        int high = order.size();
        Closing best = null;
        if (toBeat != null && toBeat.servers().size() < high) {
            // A result no better than the best so far is not needed.
            best = closed(order, toBeat.servers().size(), worth, score);
            if (best == null) {
                return null;
            }
            low = toBeat.servers().size();
        }
        while (low < high) {
            int middle = (low + high + 1) / 2;
            Closing tried = closed(order, middle, worth, score);
            if (tried == null) {
                high = middle - 1;
            } else {
                low = middle;
                best = tried;
            }
        }
        return best;
    }

    /** Empties the first servers of an order together, or null if a job finds no room. */
    private @Nullable Closing closed(List<Integer> order, int count, double[][] worth, PlaceScore score) {
        ClusterBooks books = new ClusterBooks(state);
        boolean[] target = usable.clone();
        List<Integer> closing = order.subList(0, count);
        closing.forEach(s -> target[s] = false);
        MoveSearch search = new MoveSearch(books, target, worth, score);
        List<Integer> jobs = new ArrayList<>();
        for (int s : closing) {
            for (int job : books.holding(s)) {
                jobs.add(job);
            }
        }
        double[] size = new double[state.jobs().size()];
        jobs.forEach(job -> size[job] = search.size(job));
        jobs.sort((one, other) -> {
            int larger = Double.compare(size[other], size[one]);
            return larger != 0 ? larger : Integer.compare(one, other);
        });
        if (lackRoom(books, jobs, target)) {
            return null;
        }
        boolean all = true;
        for (int job : jobs) {
            if (!search.place(job, false)) {
                all = false;
                break;
            }
        }
        work += search.work();
        if (!all) {
            return null;
        }
        int[] where = new int[size.length];
        Arrays.setAll(where, books::where);
        return new Closing(List.copyOf(closing), where, search.journal().size(), worth, score, "");
    }

    /** Whether the free amount of some resource is too small in total. */
    private boolean lackRoom(ClusterBooks books, List<Integer> jobs, boolean[] target) {
        for (int r = 0; r < prices.length; r++) {
            double free = 0;
            for (int s = 0; s < target.length; s++) {
                free += target[s] ? Math.max(0, books.free(s, r)) : 0;
            }
            for (int job : jobs) {
                free -= books.demand(job, r);
            }
            if (free < 0) {
                return true;
            }
        }
        return false;
    }

    private void emptySingly(
            ClusterBooks books, boolean[] target, double[][] worth, PlaceScore score, List<Emptied> done) {
        MoveSearch search = new MoveSearch(books, target, worth, score);
        boolean more = true;
        while (more) {
            more = false;
            for (int s : byLoad(books, search)) {
                if (search.work() > MOST_WORK_ON_CHAINS) {
                    return;
                }
                int before = search.journal().size();
                boolean was = target[s];
                target[s] = false;
                if (emptied(books, search, s)) {
                    List<int[]> moves = new ArrayList<>(
                            search.journal().subList(before, search.journal().size()));
                    done.add(new Emptied(s, moves));
                    more = true;
                } else {
                    search.backTo(before);
                    target[s] = was;
                }
            }
        }
    }

    private boolean emptied(ClusterBooks books, MoveSearch search, int server) {
        List<Integer> jobs = new ArrayList<>();
        for (int job : books.holding(server)) {
            jobs.add(job);
        }
        jobs.sort((one, other) -> {
            int larger = Double.compare(search.size(other), search.size(one));
            return larger != 0 ? larger : Integer.compare(one, other);
        });
        if (lackRoom(books, jobs, usableNow(search, server))) {
            return false;
        }
        for (int job : jobs) {
            if (!search.place(job, true)) {
                return false;
            }
        }
        return true;
    }

    private static boolean[] usableNow(MoveSearch search, int server) {
        boolean[] now = search.targets().clone();
        now[server] = false;
        return now;
    }

    private List<Integer> byLoad(ClusterBooks books, MoveSearch search) {
        double[] load = new double[usable.length];
        List<Integer> order = new ArrayList<>();
        for (int s : candidates) {
            if (books.inUse(s)) {
                for (int job : books.holding(s)) {
                    load[s] += search.size(job);
                }
                order.add(s);
            }
        }
        order.sort((one, other) -> {
            int by = Double.compare(load[one], load[other]);
            return by != 0 ? by : Integer.compare(one, other);
        });
        return order;
    }
}
