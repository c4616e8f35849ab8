package dev.stowage.study.advise;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Moves in order, each valid after the earlier ones; one server after the other is emptied. After any step at most as
 * many servers are in use as at the start.
 *
 * @param steps the moves
 * @param freed numbers of the servers that are emptied, in order
 * @param bySet how many of these were found as a set; the others one by one, by chains of moves
 * @param how the order of servers and score of places that won, in words; empty if no set was found
 */
public record MovePlan(List<Step> steps, List<Integer> freed, int bySet, String how) {
    /**
     * A move.
     *
     * @param job number of the job
     * @param from number of the server that it leaves
     * @param to number of the server that it goes to
     * @param round moves of one round may be made at the same time, in any order: budgets allow it, and there is room
     *     before any of these jobs has left; from 1
     * @param empties number of the server that this move helps to empty
     * @param last whether that server is empty after the move
     */
    public record Step(int job, int from, int to, int round, int empties, boolean last) {}

    /** Takes copies. */
    public MovePlan {
        steps = List.copyOf(steps);
        freed = List.copyOf(freed);
    }

    /** Number of rounds. */
    public int rounds() {
        return steps.isEmpty() ? 0 : steps.get(steps.size() - 1).round();
    }

    /** Its beginning, which empties so many servers. */
    MovePlan first(int servers) {
        if (servers >= freed.size()) {
            return this;
        }
        List<Integer> some = freed.subList(0, servers);
        int end = servers == 0 ? 0 : 1 + lastStep(some.get(servers - 1));
        return new MovePlan(steps.subList(0, end), some, Math.min(bySet, servers), how);
    }

    private int lastStep(int server) {
        int at = steps.size() - 1;
        while (!(steps.get(at).last() && steps.get(at).empties() == server)) {
            at--;
        }
        return at;
    }

    /** The cluster when the plan is carried out. */
    ClusterState after(ClusterState state) {
        int[] where = state.jobs().stream().mapToInt(ClusterJob::server).toArray();
        steps.forEach(step -> where[step.job()] = step.to());
        return state.withPlaces(where, job -> job);
    }

    /** A plan for a cluster. */
    static MovePlan of(ClusterState state, double[] prices) {
        List<Step> steps = new ArrayList<>();
        List<Integer> freed = new ArrayList<>();
        Rounds rounds = new Rounds(state);
        Consolidation.Found found = Consolidation.of(state, prices);
        for (Consolidation.Emptied one : found.emptied()) {
            for (int i = 0; i < one.moves().size(); i++) {
                int[] move = one.moves().get(i);
                steps.add(new Step(
                        move[0],
                        move[1],
                        move[2],
                        rounds.of(move[0], move[2]),
                        one.server(),
                        i == one.moves().size() - 1));
            }
            freed.add(one.server());
        }
        return new MovePlan(steps, freed, found.bySet(), found.how());
    }

    /** Which moves may be made at the same time. */
    private static final class Rounds {
        private final ClusterState state;
        private final ClusterBooks books;
        private final int[] disrupted;
        private final Set<Integer> rules = new LinkedHashSet<>();
        private final List<int[]> leaving = new ArrayList<>();
        private int round = 1;

        Rounds(ClusterState state) {
            this.state = state;
            books = new ClusterBooks(state);
            disrupted = new int[state.budgets().size()];
        }

        int of(int job, int to) {
            ClusterJob moved = state.jobs().get(job);
            Set<Integer> touched = new LinkedHashSet<>(moved.boundBy());
            touched.addAll(moved.countedBy());
            boolean together = touched.stream().noneMatch(rules::contains)
                    && moved.budgets().stream()
                            .allMatch(budget -> disrupted[budget]
                                    < state.budgets().get(budget).most())
                    && leaving.stream().noneMatch(one -> one[0] == job)
                    && hasRoomBeforeTheyLeave(job, to);
            if (!together) {
                round++;
                java.util.Arrays.fill(disrupted, 0);
                rules.clear();
                leaving.clear();
            }
            rules.addAll(touched);
            moved.budgets().forEach(budget -> disrupted[budget]++);
            leaving.add(new int[] {job, books.where(job)});
            books.move(job, to);
            return round;
        }

        private boolean hasRoomBeforeTheyLeave(int job, int to) {
            for (int r = 0; r < state.resources().size(); r++) {
                long free = books.free(to, r);
                for (int[] one : leaving) {
                    free -= one[1] == to ? books.demand(one[0], r) : 0;
                }
                if (books.demand(job, r) > free) {
                    return false;
                }
            }
            return true;
        }
    }
}
