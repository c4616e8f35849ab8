package dev.stowage.study.advise;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * How many servers a policy would have used for the running jobs, had it placed all movable ones one after the other,
 * in the order in which they came. The other jobs stay where they are.
 *
 * @param policy key of the policy, as in {@code best-fit}; {@code -decreasing} for the largest job first
 * @param servers how many servers are in use then
 * @param without how many jobs it found no place for; if that is above 0, the number of servers says little
 */
public record PolicyNeed(String policy, int servers, int without) {
    private static final String DECREASING = "-decreasing";

    /** The needs of all policies. */
    static List<PolicyNeed> of(ClusterState state, double[] prices) {
        List<PolicyNeed> all = new ArrayList<>();
        for (String key :
                List.of("first-fit", "best-fit", "least-allocated", "first-fit-decreasing", "best-fit-decreasing")) {
            all.add(of(state, key, prices));
        }
        return all;
    }

    private static PolicyNeed of(ClusterState state, String key, double[] prices) {
        ClusterBooks books = new ClusterBooks(state);
        int[] jobs = IntStream.range(0, state.jobs().size())
                .filter(j -> state.mayMove(state.jobs().get(j)))
                .toArray();
        boolean[] target = new boolean[books.servers()];
        double[][] worth = MoveSearch.worth(state, prices);
        MoveSearch search = new MoveSearch(books, target, worth, MoveSearch.PlaceScore.WORTH_LEFT);
        if (key.endsWith(DECREASING)) {
            jobs = IntStream.of(jobs)
                    .boxed()
                    .sorted((one, other) -> {
                        int larger = Double.compare(search.size(other), search.size(one));
                        return larger != 0 ? larger : Integer.compare(one, other);
                    })
                    .mapToInt(Integer::intValue)
                    .toArray();
        }
        for (int job : jobs) {
            books.take(job);
        }
        int without = 0;
        for (int job : jobs) {
            int to = switch (key.replace(DECREASING, "")) {
                case "first-fit" -> first(books, job);
                case "best-fit" -> best(books, search, target, job);
                default -> emptiest(books, job);
            };
            if (to < 0) {
                without++;
            } else {
                books.put(job, to);
            }
        }
        return new PolicyNeed(key, books.serversInUse(), without);
    }

    private static int first(ClusterBooks books, int job) {
        for (int s = 0; s < books.servers(); s++) {
            if (books.takes(job, s)) {
                return s;
            }
        }
        return -1;
    }

    /** The best server in use, or if none of these takes the job, the best of all. */
    private static int best(ClusterBooks books, MoveSearch search, boolean[] target, int job) {
        for (int s = 0; s < target.length; s++) {
            target[s] = books.inUse(s);
        }
        int to = search.best(job, -1);
        if (to < 0) {
            Arrays.fill(target, true);
            to = search.best(job, -1);
        }
        return to;
    }

    /** The server with the greatest free fraction, on average over the first two resources (cpu and memory). */
    private static int emptiest(ClusterBooks books, int job) {
        int best = -1;
        double most = Double.NEGATIVE_INFINITY;
        int counted = Math.min(2, books.state().resources().size());
        for (int s = 0; s < books.servers(); s++) {
            double part = 0;
            long[] capacity = books.capacity(s);
            for (int r = 0; r < counted; r++) {
                part += capacity[r] > 0 ? (double) (books.free(s, r) - books.demand(job, r)) / capacity[r] : 0;
            }
            if (part > most && books.takes(job, s)) {
                most = part;
                best = s;
            }
        }
        return best;
    }
}
