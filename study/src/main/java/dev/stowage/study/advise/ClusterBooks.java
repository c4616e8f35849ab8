package dev.stowage.study.advise;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The state of a cluster while a planner moves jobs: where they are, what is free on each server, and how many jobs
 * each rule counts in each domain. A question about one job and one server takes time linear in resources and rules of
 * the job.
 */
final class ClusterBooks {
    private static final int NONE = -1;
    private static final int NOT_KNOWN = -1;

    private final ClusterState state;
    private final int resources;
    private final ClusterJob[] jobs;
    private final long[][] demand;
    private final long[][] capacity;
    private final long[] free;
    private final int[] where;
    private final int[] first;
    private final int[] next;
    private final int[] previous;
    /** Jobs that keep the server in use. */
    private final int[] holding;

    private final NeighbourRule[] rules;
    private final int[][] boundBy;
    private final int[][] countedBy;
    private final int[][] domain;
    private final int[][] counts;
    /** For rules of skew: the least count of the eligible domains, or not known. */
    private final int[] least;

    private final boolean[][] eligible;

    /** The cluster as it is. */
    ClusterBooks(ClusterState state) {
        this.state = state;
        resources = state.resources().size();
        jobs = state.jobs().toArray(ClusterJob[]::new);
        int servers = state.servers().size();
        demand = new long[jobs.length][];
        capacity = new long[servers][];
        free = new long[servers * resources];
        where = new int[jobs.length];
        first = new int[servers];
        next = new int[jobs.length];
        previous = new int[jobs.length];
        holding = new int[servers];
        rules = state.rules().toArray(NeighbourRule[]::new);
        boundBy = new int[jobs.length][];
        countedBy = new int[jobs.length][];
        domain = new int[rules.length][];
        counts = new int[rules.length][];
        least = new int[rules.length];
        eligible = new boolean[rules.length][];
        Arrays.fill(first, NONE);
        Arrays.fill(where, NONE);
        for (int s = 0; s < servers; s++) {
            capacity[s] = state.servers().get(s).capacity();
            System.arraycopy(capacity[s], 0, free, s * resources, resources);
        }
        for (int k = 0; k < rules.length; k++) {
            domain[k] = rules[k].domain();
            counts[k] = new int[rules[k].domains()];
            eligible[k] = new boolean[counts[k].length];
            for (int one : rules[k].eligible()) {
                eligible[k][one] = true;
            }
            least[k] = NOT_KNOWN;
        }
        for (int j = 0; j < jobs.length; j++) {
            demand[j] = jobs[j].demand();
            boundBy[j] = jobs[j].boundBy().stream().mapToInt(Integer::intValue).toArray();
            countedBy[j] =
                    jobs[j].countedBy().stream().mapToInt(Integer::intValue).toArray();
            if (!jobs[j].waits()) {
                put(j, jobs[j].server());
            }
        }
    }

    ClusterState state() {
        return state;
    }

    int servers() {
        return first.length;
    }

    /** The free amount of a resource on a server; negative if it is overfilled. */
    long free(int server, int resource) {
        return free[server * resources + resource];
    }

    long demand(int job, int resource) {
        return demand[job][resource];
    }

    /** Amounts of a server; not to be changed. */
    long[] capacity(int server) {
        return capacity[server];
    }

    /** The server of a job, -1 for none. */
    int where(int job) {
        return where[job];
    }

    /** Whether a job keeps the server in use. */
    boolean inUse(int server) {
        return holding[server] > 0;
    }

    /** The part in use of the resource of which most is. */
    double fullness(int server) {
        double most = 0;
        for (int r = 0; r < resources; r++) {
            long all = capacity[server][r];
            most = Math.max(most, all == 0 ? 0 : 1 - (double) free(server, r) / all);
        }
        return most;
    }

    int serversInUse() {
        int used = 0;
        for (int held : holding) {
            used += held > 0 ? 1 : 0;
        }
        return used;
    }

    /** Jobs on a server. */
    int[] on(int server) {
        int[] found = new int[8];
        int size = 0;
        for (int j = first[server]; j != NONE; j = next[j]) {
            if (size == found.length) {
                found = Arrays.copyOf(found, 2 * size);
            }
            found[size++] = j;
        }
        return Arrays.copyOf(found, size);
    }

    /** Jobs on a server that keep it in use, lowest number first. */
    int[] holding(int server) {
        int[] found = on(server);
        int size = 0;
        for (int job : found) {
            if (jobs[job].stay() != ClusterJob.Hold.WITH_SERVER) {
                found[size++] = job;
            }
        }
        found = Arrays.copyOf(found, size);
        Arrays.sort(found);
        return found;
    }

    void put(int job, int server) {
        where[job] = server;
        next[job] = first[server];
        previous[job] = NONE;
        if (first[server] != NONE) {
            previous[first[server]] = job;
        }
        first[server] = job;
        add(job, server, 1);
    }

    void take(int job) {
        int server = where[job];
        if (previous[job] == NONE) {
            first[server] = next[job];
        } else {
            next[previous[job]] = next[job];
        }
        if (next[job] != NONE) {
            previous[next[job]] = previous[job];
        }
        where[job] = NONE;
        add(job, server, -1);
    }

    void move(int job, int server) {
        take(job);
        put(job, server);
    }

    private void add(int job, int server, int sign) {
        for (int r = 0; r < resources; r++) {
            free[server * resources + r] -= sign * demand[job][r];
        }
        holding[server] += jobs[job].stay() == ClusterJob.Hold.WITH_SERVER ? 0 : sign;
        for (int rule : countedBy[job]) {
            int at = domain[rule][server];
            if (at >= 0) {
                counts[rule][at] += sign;
                least[rule] = NOT_KNOWN;
            }
        }
    }

    /** Whether a server has room for a job that is elsewhere. */
    boolean fits(int job, int server) {
        int at = server * resources;
        long[] asked = demand[job];
        for (int r = 0; r < resources; r++) {
            if (asked[r] > free[at + r]) {
                return false;
            }
        }
        return true;
    }

    /** Whether every rule lets a job be placed on a server, whatever room there is. */
    boolean allowed(int job, int server) {
        if (!state.servers().get(server).open() || !jobs[job].admission().admits(server)) {
            return false;
        }
        for (int rule : boundBy[job]) {
            if (forbids(rule, job, server)) {
                return false;
            }
        }
        return true;
    }

    /** Whether a job that is elsewhere may be placed on a server now. */
    boolean takes(int job, int server) {
        return server != where[job] && fits(job, server) && allowed(job, server);
    }

    private boolean forbids(int rule, int job, int server) {
        int at = domain[rule][server];
        if (at < 0) {
            return !rules[rule].missing().isEmpty();
        }
        int own = NONE;
        boolean counted = false;
        for (int one : countedBy[job]) {
            counted |= one == rule;
        }
        if (counted && where[job] != NONE) {
            own = domain[rule][where[job]];
        }
        int there = counts[rule][at] - (own == at ? 1 : 0);
        if (rules[rule].limit() > 0) {
            return there >= rules[rule].limit();
        }
        int fewest = least(rule);
        if (own >= 0 && eligible[rule][own]) {
            fewest = Math.min(fewest, counts[rule][own] - 1);
        }
        if (!eligible[rule][at]) {
            there = 0;
        }
        return (long) there + (counted ? 1 : 0) - fewest > rules[rule].maxSkew();
    }

    private int least(int rule) {
        if (least[rule] == NOT_KNOWN) {
            int fewest = Integer.MAX_VALUE;
            for (int d = 0; d < counts[rule].length; d++) {
                if (eligible[rule][d]) {
                    fewest = Math.min(fewest, counts[rule][d]);
                }
            }
            least[rule] = fewest;
        }
        return least[rule];
    }

    /** Every rule other than room that keeps a job off a server, in words that follow "the server". */
    List<String> forbiddenBy(int job, int server) {
        List<String> found = new ArrayList<>();
        ClusterServer one = state.servers().get(server);
        if (!one.open()) {
            found.add(one.closed());
        }
        found.addAll(jobs[job].admission().forbiddenBy().get(server));
        for (int rule : boundBy[job]) {
            String text = rules[rule].text(server);
            if (forbids(rule, job, server) && !found.contains(text)) {
                found.add(text);
            }
        }
        return found;
    }
}
