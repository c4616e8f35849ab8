package dev.stowage.study.advise;

import java.util.ArrayList;
import java.util.List;

/**
 * The fewest servers of any packing, by trying all. Each job that may move stays or goes to an open server that admits
 * it; a server that gets a job has room for everything that it then holds, and the limits that bind the new jobs are
 * kept. Other rules are left out, so this is at most what any plan reaches.
 */
final class FewestServers {
    private final ClusterState state;
    private final int[] where;
    private final List<Integer> movable = new ArrayList<>();
    private int fewest;

    private FewestServers(ClusterState state) {
        this.state = state;
        where = state.jobs().stream().mapToInt(ClusterJob::server).toArray();
        for (int j = 0; j < where.length; j++) {
            if (state.mayMove(state.jobs().get(j))) {
                movable.add(j);
                where[j] = ClusterJob.WAITS;
            }
        }
        fewest = Integer.MAX_VALUE;
    }

    static int of(ClusterState state) {
        FewestServers search = new FewestServers(state);
        search.from(0);
        return search.fewest;
    }

    private void from(int next) {
        int used = PlanChecker.used(state, where).size();
        if (used >= fewest) {
            return;
        }
        if (next == movable.size()) {
            if (holds()) {
                fewest = used;
            }
            return;
        }
        int job = movable.get(next);
        for (int s = 0; s < state.servers().size(); s++) {
            ClusterJob one = state.jobs().get(job);
            boolean may = s == one.server()
                    || (state.servers().get(s).closed().isEmpty()
                            && one.admission().forbiddenBy().get(s).isEmpty());
            if (may) {
                where[job] = s;
                if (hasRoom(s)) {
                    from(next + 1);
                }
                where[job] = ClusterJob.WAITS;
            }
        }
    }

    /** Whether the jobs on a server fit, or are only those that were there from the start. */
    private boolean hasRoom(int server) {
        boolean newcomer = false;
        long[] load = new long[state.resources().size()];
        for (int j = 0; j < where.length; j++) {
            if (where[j] == server) {
                newcomer |= state.jobs().get(j).server() != server;
                for (int r = 0; r < load.length; r++) {
                    load[r] += state.jobs().get(j).demand()[r];
                }
            }
        }
        for (int r = 0; newcomer && r < load.length; r++) {
            if (load[r] > state.servers().get(server).capacity()[r]) {
                return false;
            }
        }
        return true;
    }

    private boolean holds() {
        for (int k = 0; k < state.rules().size(); k++) {
            NeighbourRule rule = state.rules().get(k);
            for (int s = 0; s < state.servers().size() && rule.perServer() && rule.limit() > 0; s++) {
                int counted = 0;
                boolean newcomer = false;
                for (int j = 0; j < where.length; j++) {
                    ClusterJob job = state.jobs().get(j);
                    boolean both = job.countedBy().contains(k) && job.boundBy().contains(k);
                    counted += where[j] == s && both ? 1 : 0;
                    newcomer |= where[j] == s && both && job.server() != s;
                }
                if (newcomer && counted > rule.limit()) {
                    // The original jobs could be too many from the start; the last new one violates the limit.
                    return false;
                }
            }
        }
        return true;
    }
}
