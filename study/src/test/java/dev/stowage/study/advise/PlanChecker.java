package dev.stowage.study.advise;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Replays a plan by the definitions of the rules alone. Shares only the data records of a cluster with the planner, and
 * no computations: sums and counts are recomputed for every question.
 */
final class PlanChecker {
    private final ClusterState state;
    private final int[] where;

    PlanChecker(ClusterState state) {
        this.state = state;
        where = state.jobs().stream().mapToInt(ClusterJob::server).toArray();
    }

    /** Servers that are in use by jobs which do not belong to their server. */
    static Set<Integer> used(ClusterState state, int[] where) {
        Set<Integer> used = new LinkedHashSet<>();
        for (int j = 0; j < where.length; j++) {
            if (where[j] >= 0 && state.jobs().get(j).stay() != ClusterJob.Hold.WITH_SERVER) {
                used.add(where[j]);
            }
        }
        return used;
    }

    /** The problems of a plan; empty if there are none. */
    List<String> problems(MovePlan plan) {
        List<String> wrong = new ArrayList<>();
        Set<Integer> before = used(state, where);
        Set<Integer> freed = new LinkedHashSet<>();
        int i = 0;
        for (MovePlan.Step step : plan.steps()) {
            i++;
            String at = "step " + i + " " + step + ": ";
            ClusterJob job = state.jobs().get(step.job());
            if (where[step.job()] != step.from() || step.from() == step.to()) {
                wrong.add(at + "is on " + where[step.job()]);
            }
            if (job.stay() != ClusterJob.Hold.MOVABLE
                    || job.budgets().stream()
                            .anyMatch(b -> state.budgets().get(b).most() == 0)) {
                wrong.add(at + "may not be moved");
            }
            if (!before.contains(step.to()) || freed.contains(step.to())) {
                wrong.add(at + "to a server that was empty");
            }
            where[step.job()] = ClusterJob.WAITS;
            if (!takesNow(job, step.job(), step.to())) {
                wrong.add(at + "not valid");
            }
            where[step.job()] = step.to();
            if (used(state, where).size() > before.size()) {
                wrong.add(at + "more servers in use");
            }
            if (step.last()) {
                freed.add(step.empties());
                if (used(state, where).contains(step.empties())) {
                    wrong.add(at + "server is not empty");
                }
            }
        }
        if (!freed.equals(new LinkedHashSet<>(plan.freed()))
                || used(state, where).size() != before.size() - freed.size()) {
            wrong.add("servers freed: " + freed + ", said: " + plan.freed());
        }
        wrong.addAll(roundProblems(plan));
        return wrong;
    }

    /**
     * After {@link #problems}: whether those that wait can take the places that they are said to have, in some order,
     * on servers that stay on, or, of one that belongs to its server, on that one; and whether one without a place has
     * none with all servers on.
     *
     * @param after where they are said to be
     * @param off servers that are said to be off
     */
    List<String> problemsOfWaiting(ClusterState after, List<Integer> off) {
        List<String> wrong = new ArrayList<>();
        Set<Integer> left = new LinkedHashSet<>();
        for (int j = 0; j < where.length; j++) {
            int to = after.jobs().get(j).server();
            if (where[j] >= 0 && where[j] != to) {
                wrong.add(j + " runs on " + where[j] + ", said: " + to);
            }
            if (where[j] < 0 && to >= 0) {
                left.add(j);
            }
        }
        while (left.removeIf(j -> put(j, after.jobs().get(j).server()))) {}
        left.forEach(
                j -> wrong.add(j + " cannot be placed on " + after.jobs().get(j).server()));
        used(state, where).stream().filter(off::contains).forEach(s -> wrong.add(s + " is off, and in use"));
        Map<ClusterJob.Together, Integer> placed = new LinkedHashMap<>();
        for (int j = 0; j < where.length; j++) {
            ClusterJob job = state.jobs().get(j);
            if (job.together().jobs() > 1) {
                placed.merge(job.together(), where[j] >= 0 ? 1 : 0, Integer::sum);
            } else if (where[j] < 0
                    && (job.stay() != ClusterJob.Hold.WITH_SERVER
                            || job.admission().forbiddenBy().stream()
                                            .filter(List::isEmpty)
                                            .count()
                                    == 1)) {
                for (int s = 0; s < state.servers().size(); s++) {
                    if (takesNow(job, j, s)) {
                        wrong.add(j + " has no place, and " + s + " takes it");
                    }
                }
            }
        }
        placed.forEach((group, jobs) -> {
            if (jobs > 0 && jobs < group.jobs()) {
                wrong.add(jobs + " of " + group);
            }
        });
        return wrong;
    }

    private boolean put(int job, int server) {
        boolean takes = takesNow(state.jobs().get(job), job, server);
        where[job] = takes ? server : where[job];
        return takes;
    }

    /** Moves of a round in the reverse order, none leaving before all have come: room, and budgets. */
    private List<String> roundProblems(MovePlan plan) {
        List<String> wrong = new ArrayList<>();
        int[] now = state.jobs().stream().mapToInt(ClusterJob::server).toArray();
        Map<Integer, List<MovePlan.Step>> rounds = new LinkedHashMap<>();
        plan.steps()
                .forEach(step -> rounds.computeIfAbsent(step.round(), first -> new ArrayList<>())
                        .add(step));
        for (List<MovePlan.Step> round : rounds.values()) {
            int[] disrupted = new int[state.budgets().size()];
            long[][] free = free(now);
            for (MovePlan.Step step : round) {
                ClusterJob job = state.jobs().get(step.job());
                for (int r = 0; r < job.demand().length; r++) {
                    free[step.to()][r] -= job.demand()[r];
                    if (job.demand()[r] > 0 && free[step.to()][r] < 0) {
                        wrong.add("round " + step.round() + ": no room for all on " + step.to());
                    }
                }
                job.budgets().forEach(b -> disrupted[b]++);
                now[step.job()] = step.to();
            }
            for (int b = 0; b < disrupted.length; b++) {
                if (disrupted[b] > state.budgets().get(b).most()) {
                    wrong.add("round breaks budget " + b);
                }
            }
        }
        return wrong;
    }

    private long[][] free(int[] at) {
        long[][] free = state.servers().stream().map(ClusterServer::capacity).toArray(long[][]::new);
        for (int j = 0; j < at.length; j++) {
            for (int r = 0; at[j] >= 0 && r < state.resources().size(); r++) {
                free[at[j]][r] -= state.jobs().get(j).demand()[r];
            }
        }
        return free;
    }

    private boolean takesNow(ClusterJob job, int number, int to) {
        int[][] counts = new int[state.rules().size()][];
        for (int k = 0; k < counts.length; k++) {
            int[] domain = state.rules().get(k).domain();
            counts[k] = new int[Arrays.stream(domain).reduce(0, Math::max) + 1];
            for (int other = 0; job.boundBy().contains(k) && other < where.length; other++) {
                boolean counted = other != number && where[other] >= 0 && domain[where[other]] >= 0;
                if (counted && state.jobs().get(other).countedBy().contains(k)) {
                    counts[k][domain[where[other]]]++;
                }
            }
        }
        return takes(state.servers(), state.rules(), free(where), counts, job, to);
    }

    /** Whether a job that is on no server may be placed. */
    static boolean takes(
            List<ClusterServer> servers,
            List<NeighbourRule> rules,
            long[][] free,
            int[][] counts,
            ClusterJob job,
            int to) {
        if (!servers.get(to).closed().isEmpty()
                || !job.admission().forbiddenBy().get(to).isEmpty()) {
            return false;
        }
        for (int r = 0; r < job.demand().length; r++) {
            if (job.demand()[r] > free[to][r]) {
                return false;
            }
        }
        for (int k : job.boundBy()) {
            NeighbourRule rule = rules.get(k);
            int at = rule.domain()[to];
            if (at < 0) {
                if (!rule.missing().isEmpty()) {
                    return false;
                }
                continue;
            }
            if (rule.limit() > 0) {
                if (counts[k][at] >= rule.limit()) {
                    return false;
                }
                continue;
            }
            int fewest = Integer.MAX_VALUE;
            for (int domain : rule.eligible()) {
                fewest = Math.min(fewest, counts[k][domain]);
            }
            int there = rule.eligible().contains(at) ? counts[k][at] : 0;
            if ((long) there + (job.countedBy().contains(k) ? 1 : 0) - fewest > rule.maxSkew()) {
                return false;
            }
        }
        return true;
    }
}
