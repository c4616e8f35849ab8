package dev.stowage.study.advise;

/**
 * The effect of one more deployment of equal jobs, on all servers that admit them, without rules on neighbours. Exact:
 * no choice of places fits more.
 *
 * @param jobs how many are asked for
 * @param fitNow how many fit now beside the running jobs
 * @param fitAfter how many fit when the plan is carried out and the servers that it frees are kept
 * @param servers on how many servers the jobs can be placed now
 * @param moreServers how many further empty servers the remaining jobs need, of the kind in the cluster that holds most
 *     of them; -1 if no server holds one
 */
public record DeploymentRoom(long jobs, long fitNow, long fitAfter, int servers, long moreServers) {
    /**
     * The effect of a deployment.
     *
     * @param after the cluster when the plan is carried out
     */
    static DeploymentRoom of(ClusterState now, ClusterState after, ClusterAdvice.Addition asked) {
        long perServer = 0;
        int servers = 0;
        ClusterBooks books = new ClusterBooks(now);
        for (int s = 0; s < books.servers(); s++) {
            perServer = Math.max(perServer, fit(books.capacity(s), asked.demand()));
            servers += fit(books, s, asked) > 0 ? 1 : 0;
        }
        long fitNow = Math.min(asked.jobs(), fit(books, asked));
        long rest = asked.jobs() - fitNow;
        return new DeploymentRoom(
                asked.jobs(),
                fitNow,
                Math.min(asked.jobs(), fit(new ClusterBooks(after), asked)),
                servers,
                perServer == 0 ? (rest == 0 ? 0 : -1) : (rest + perServer - 1) / perServer);
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
