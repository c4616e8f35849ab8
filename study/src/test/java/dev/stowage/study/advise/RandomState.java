package dev.stowage.study.advise;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;

/** Random clusters with constraints and budgets; running jobs were placed as by a spreading scheduler. */
final class RandomState {
    private static final long GIB = 1L << 30;

    private final Random random;
    private final List<ClusterServer> servers = new ArrayList<>();
    private final List<ClusterJob> jobs = new ArrayList<>();
    private final List<NeighbourRule> rules = new ArrayList<>();
    private final List<DisruptionBudget> budgets = new ArrayList<>();
    private final int[] zone;
    private final int[] own;
    private long[][] free = new long[0][];
    private int[][] counts = new int[0][];

    private RandomState(long seed, int n) {
        random = new Random(seed);
        zone = new int[n];
        own = new int[n];
        Arrays.setAll(own, s -> s);
    }

    /** A cluster of servers of a few kinds with deployments of many small jobs. */
    static ClusterState large(long seed, int n, double utilisation) {
        RandomState made = new RandomState(seed, n);
        made.servers(n);
        made.fill(utilisation);
        return made.state(List.of("cpu", "memory", "pods"));
    }

    /** A cluster small enough to try everything: few units, all kinds of rules. */
    static ClusterState small(long seed) {
        Random sizes = new Random(seed * 31 + 7);
        int n = 1 + sizes.nextInt(6);
        RandomState made = new RandomState(seed, n);
        made.smallServers(n);
        made.smallJobs(sizes.nextInt(11));
        return made.state(List.of("cpu", "memory"));
    }

    private ClusterState state(List<String> resources) {
        return new ClusterState(resources, servers, jobs, rules, budgets);
    }

    private void servers(int n) {
        int kinds = 1 + random.nextInt(4);
        long[] cores = {16, 32, 64, 8};
        for (int s = 0; s < n; s++) {
            zone[s] = random.nextInt(3);
            long size = cores[random.nextInt(kinds)];
            TreeMap<String, String> labels = new TreeMap<>();
            labels.put("zone", "z" + zone[s]);
            long[] capacity = {size * 1000 - 200, size * 4 * GIB - GIB, 110};
            servers.add(new ClusterServer("s" + s, capacity, labels, random.nextInt(50) == 0 ? "is cordoned" : ""));
        }
        free = servers.stream().map(ClusterServer::capacity).toArray(long[][]::new);
        counts = new int[0][];
        for (int s = 0; s < n; s++) {
            long[] demand = {250, GIB / 4, 1};
            add(new ClusterJob(
                    "daemon" + s,
                    demand,
                    s,
                    ServerAdmission.everywhere(n),
                    ClusterJob.Hold.WITH_SERVER,
                    "is a daemon",
                    List.of(),
                    List.of(),
                    List.of()));
        }
    }

    private void add(ClusterJob job) {
        jobs.add(job);
        for (int r = 0; r < job.demand().length; r++) {
            free[job.server()][r] -= job.demand()[r];
        }
        for (int rule : job.countedBy()) {
            int at = rules.get(rule).domain()[job.server()];
            if (at >= 0) {
                counts[rule][at]++;
            }
        }
    }

    private void fill(double utilisation) {
        double total = servers.stream().mapToDouble(s -> s.capacity()[0]).sum();
        double used = 0;
        List<ServerAdmission> admissions = new ArrayList<>(List.of(ServerAdmission.everywhere(zone.length)));
        for (int z = 0; z < 3; z++) {
            admissions.add(inZone(z));
        }
        while (used < utilisation * total) {
            long[] cpu = {100, 250, 500, 1000, 2000, 4000};
            long[] ratio = {1, 2, 4, 4, 8};
            long millis = cpu[random.nextInt(cpu.length)];
            long[] demand = {millis, millis * ratio[random.nextInt(ratio.length)] * GIB / 1000, 1};
            int replicas = 1 + random.nextInt(30);
            ServerAdmission admission =
                    random.nextInt(10) == 0 ? admissions.get(1 + random.nextInt(3)) : admissions.get(0);
            List<Integer> bound = rulesOf(replicas);
            List<Integer> budget = List.of();
            if (random.nextInt(3) == 0) {
                budget = List.of(budgets.size());
                budgets.add(new DisruptionBudget("b" + budgets.size(), random.nextInt(20) == 0 ? 0 : 1));
            }
            int placed = 0;
            for (int i = 0; i < replicas; i++) {
                boolean fixed = random.nextInt(400) == 0;
                ClusterJob job = new ClusterJob(
                        "job" + jobs.size(),
                        demand,
                        ClusterJob.WAITS,
                        admission,
                        fixed ? ClusterJob.Hold.FIXED : ClusterJob.Hold.MOVABLE,
                        fixed ? "has a local disk" : "",
                        bound,
                        bound,
                        budget);
                int server = spreading(job);
                if (server >= 0) {
                    add(job.on(server));
                    placed++;
                    used += millis;
                }
            }
            if (placed == 0) {
                return;
            }
        }
    }

    private List<Integer> rulesOf(int replicas) {
        int kind = random.nextInt(8);
        if (kind == 0 && replicas < zone.length / 2) {
            rules.add(NeighbourRule.limit("holds another of its group", own, 1));
        } else if (kind == 1) {
            rules.add(NeighbourRule.skew(
                    "would break its spread", zone, 1 + random.nextInt(2), List.of(0, 1, 2), "has no zone"));
        } else {
            return List.of();
        }
        counts = Arrays.copyOf(counts, rules.size());
        counts[rules.size() - 1] = new int[Math.max(3, zone.length)];
        return List.of(rules.size() - 1);
    }

    private ServerAdmission inZone(int z) {
        List<List<String>> forbidden = new ArrayList<>();
        for (int one : zone) {
            forbidden.add(one == z ? List.of() : List.of("is not in zone z" + z));
        }
        return new ServerAdmission(forbidden);
    }

    /** Of 20 servers that take the job, the one with the most left; -1 if none of them does. */
    private int spreading(ClusterJob job) {
        int best = -1;
        double most = -1;
        for (int i = 0; i < 20; i++) {
            int s = random.nextInt(servers.size());
            if (PlanChecker.takes(servers, rules, free, counts, job, s)) {
                double left = (double) free[s][0] / servers.get(s).capacity()[0];
                if (left > most) {
                    most = left;
                    best = s;
                }
            }
        }
        return best;
    }

    private void smallServers(int n) {
        for (int s = 0; s < n; s++) {
            zone[s] = random.nextInt(2);
            long[] capacity = {3 + random.nextInt(8), 3 + random.nextInt(8)};
            servers.add(new ClusterServer(
                    "s" + s, capacity, new TreeMap<>(), random.nextInt(12) == 0 ? "is cordoned" : ""));
        }
        free = servers.stream().map(ClusterServer::capacity).toArray(long[][]::new);
        rules.add(NeighbourRule.limit("holds another of group a", own, 1));
        rules.add(NeighbourRule.limit("holds two of group b", zone, 2));
        rules.add(NeighbourRule.skew("would break its spread", own, 1 + random.nextInt(2), all(n), "has no zone"));
        counts = new int[3][n + 2];
        budgets.add(new DisruptionBudget("none", 0));
        budgets.add(new DisruptionBudget("one", 1));
    }

    private static List<Integer> all(int n) {
        List<Integer> numbers = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            numbers.add(i);
        }
        return numbers;
    }

    private void smallJobs(int count) {
        List<ServerAdmission> admissions = List.of(ServerAdmission.everywhere(zone.length), inZone(0));
        for (int j = 0; j < count; j++) {
            List<Integer> bound = random.nextInt(3) > 0 ? List.of() : List.of(random.nextInt(3));
            List<Integer> counted = random.nextInt(6) > 0 ? bound : List.of(random.nextInt(3));
            int kind = random.nextInt(15);
            ClusterJob.Hold stay = kind == 0
                    ? ClusterJob.Hold.FIXED
                    : kind == 1 ? ClusterJob.Hold.WITH_SERVER : ClusterJob.Hold.MOVABLE;
            ClusterJob job = new ClusterJob(
                    "j" + j,
                    new long[] {1 + random.nextInt(4), 1 + random.nextInt(4)},
                    ClusterJob.WAITS,
                    admissions.get(random.nextInt(4) == 0 ? 1 : 0),
                    stay,
                    "",
                    bound,
                    counted,
                    random.nextInt(4) == 0 ? List.of(random.nextInt(2)) : List.of());
            int server = spreading(job);
            // One of ten jobs runs where it could not be placed now: labels change, servers shrink.
            if (random.nextInt(10) == 0) {
                server = random.nextInt(zone.length);
            }
            if (server >= 0) {
                add(job.on(server));
            }
        }
    }
}
