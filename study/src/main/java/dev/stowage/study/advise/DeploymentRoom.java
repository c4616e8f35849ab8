package dev.stowage.study.advise;

import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The effect of one more deployment of equal jobs, on all servers that admit them, without rules on neighbours. Exact:
 * no choice of places fits more.
 *
 * @param jobs how many are asked for
 * @param fitNow how many fit now beside the running jobs
 * @param fitAfter how many fit when the plan is carried out and all servers stay on
 * @param fitOff how many fit when the plan is carried out and the servers are off that can be
 * @param servers on how many servers the jobs can be placed now
 * @param moreServers how many further servers the jobs need that do not fit now, of the kind that holds most of them
 *     beside what belongs to each server ({@link ClusterJob.Hold#WITH_SERVER}), among those that admit them; -1 if none
 *     holds one
 * @param kind a server of that kind; empty if there is none
 * @param barred how many servers the jobs may not use, by what forbids it first, in words that follow "the server"
 * @param unchecked what else they ask for, and nobody can tell whether a server has it; empty if there is nothing
 */
public record DeploymentRoom(
        long jobs,
        long fitNow,
        long fitAfter,
        long fitOff,
        int servers,
        long moreServers,
        String kind,
        Map<String, Integer> barred,
        String unchecked) {
    /**
     * Servers of one capacity: how many of them hold how many of the jobs beside their own, and the first that
     * does.
     */
    private static final class Kind {
        private final SortedMap<Long, Integer> servers = new TreeMap<>();
        private final Map<Long, Integer> first = new LinkedHashMap<>();

        void add(int server, long fit) {
            servers.merge(fit, 1, Integer::sum);
            first.putIfAbsent(fit, server);
        }

        /** What most of them hold, as a new one will; the least of several. */
        long fit() {
            long usual = 0;
            int most = 0;
            for (Map.Entry<Long, Integer> one : servers.entrySet()) {
                usual = one.getValue() > most ? one.getKey() : usual;
                most = Math.max(most, one.getValue());
            }
            return usual;
        }
    }

    /**
     * The effect of a deployment.
     *
     * @param after the cluster when the moves are made
     * @param off the servers that can be switched off then
     */
    static DeploymentRoom of(ClusterState now, ClusterState after, List<Integer> off, ClusterAdvice.Addition asked) {
        int servers = 0;
        ClusterBooks books = new ClusterBooks(now);
        Map<String, Integer> barred = new LinkedHashMap<>();
        asked.admission().forbiddenBy().stream()
                .filter(reasons -> !reasons.isEmpty())
                .forEach(reasons -> barred.merge(reasons.get(0), 1, Integer::sum));
        for (int s = 0; s < books.servers(); s++) {
            servers += fit(books, s, asked) > 0 ? 1 : 0;
        }
        long fitNow = Math.min(asked.jobs(), fit(books, asked));
        long rest = asked.jobs() - fitNow;
        ClusterBooks moved = new ClusterBooks(after);
        long fitAfter = fit(moved, asked);
        long onThose = off.stream().mapToLong(s -> fit(moved, s, asked)).sum();
        long perServer = 0;
        String kind = "";
        for (Kind one : kinds(books, asked)) {
            if (one.fit() > perServer) {
                perServer = one.fit();
                kind = now.servers()
                        .get(Objects.requireNonNull(one.first.get(perServer)))
                        .name();
            }
        }
        return new DeploymentRoom(
                asked.jobs(),
                fitNow,
                Math.min(asked.jobs(), fitAfter),
                Math.min(asked.jobs(), fitAfter - onThose),
                servers,
                perServer == 0 ? (rest == 0 ? 0 : -1) : (rest + perServer - 1) / perServer,
                kind,
                barred,
                asked.admission().unchecked());
    }

    /** The kinds of servers that admit the jobs. */
    private static Collection<Kind> kinds(ClusterBooks books, ClusterAdvice.Addition asked) {
        ClusterState state = books.state();
        long[][] own = new long[books.servers()][asked.demand().length];
        for (ClusterJob job : state.jobs()) {
            if (!job.waits() && job.stay() == ClusterJob.Hold.WITH_SERVER) {
                long[] demand = job.demand();
                Arrays.setAll(own[job.server()], r -> own[job.server()][r] + demand[r]);
            }
        }
        Map<List<Long>, Kind> kinds = new LinkedHashMap<>();
        for (int s = 0; s < books.servers(); s++) {
            if (asked.admission().admits(s)) {
                long[] capacity = books.capacity(s);
                long[] beside = new long[capacity.length];
                for (int r = 0; r < beside.length; r++) {
                    beside[r] = capacity[r] - own[s][r];
                }
                kinds.computeIfAbsent(Arrays.stream(capacity).boxed().toList(), first -> new Kind())
                        .add(s, fit(beside, asked.demand()));
            }
        }
        return kinds.values();
    }

    private static long fit(ClusterBooks books, ClusterAdvice.Addition asked) {
        long sum = 0;
        for (int s = 0; s < books.servers(); s++) {
            sum += fit(books, s, asked);
        }
        return sum;
    }

    private static long fit(ClusterBooks books, int server, ClusterAdvice.Addition asked) {
        if (!books.state().servers().get(server).open() || !asked.admission().admits(server)) {
            return 0;
        }
        long[] free = new long[asked.demand().length];
        for (int r = 0; r < free.length; r++) {
            free[r] = books.free(server, r);
        }
        return fit(free, asked.demand());
    }

    private static long fit(long[] free, long[] demand) {
        long most = Integer.MAX_VALUE;
        for (int r = 0; r < demand.length; r++) {
            most = demand[r] > 0 ? Math.min(most, Math.max(0, free[r]) / demand[r]) : most;
        }
        return most;
    }
}
