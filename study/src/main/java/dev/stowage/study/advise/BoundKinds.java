package dev.stowage.study.advise;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The jobs and servers of {@link LeastServers}, grouped: a program over the groups gives prices, and {@link #value}
 * computes the bound that these prices prove, over single jobs and servers.
 */
final class BoundKinds {
    /** Factors by which jobs of one kind may differ if there are too many kinds. */
    private static final double[] STEPS = {1, 1.1, 1.25, 1.6, 2.5, 6, 40, 1e6};

    /** A server as the bound sees it. */
    private record Bin(int server, long[] capacity, boolean held, int group) {}

    /** A job that may be moved. */
    private record Item(int job, long[] demand, int admission, int most, int kind) {}

    private final ClusterState state;
    private final int resources;
    private final double[] scale;
    private final List<Bin> bins = new ArrayList<>();
    private final List<Item> items = new ArrayList<>();
    private final IdentityHashMap<ServerAdmission, Integer> admissions = new IdentityHashMap<>();
    private final List<ServerAdmission> admissionList = new ArrayList<>();
    /** Per server the admissions of jobs that it may hold; those of jobs already on it are included. */
    private final boolean[][] admitted;

    private boolean coarse;
    private int groups;
    private int jobKinds;
    private final List<double[]> groupCapacity = new ArrayList<>();
    private final List<Integer> groupSize = new ArrayList<>();
    private final List<Boolean> groupHeld = new ArrayList<>();
    private final List<boolean[]> groupAdmits = new ArrayList<>();
    private final List<double[]> kindDemand = new ArrayList<>();
    private final List<Integer> kindJobs = new ArrayList<>();
    private final List<Integer> kindAdmission = new ArrayList<>();
    private int[][] most = new int[0][];

    private BoundKinds(ClusterState state) {
        this.state = state;
        resources = state.resources().size();
        scale = new double[resources];
        for (ClusterServer server : state.servers()) {
            for (int r = 0; r < resources; r++) {
                scale[r] += (double) server.capacity()[r] / state.servers().size();
            }
        }
        for (int r = 0; r < resources; r++) {
            scale[r] = scale[r] > 0 ? scale[r] : 1;
        }
        for (ClusterJob job : state.jobs()) {
            if (state.mayMove(job) && admissions.putIfAbsent(job.admission(), admissionList.size()) == null) {
                admissionList.add(job.admission());
            }
        }
        admitted = new boolean[state.servers().size()][admissionList.size()];
    }

    static BoundKinds of(ClusterState state, int mostKinds, int mostColumns) {
        BoundKinds kinds = new BoundKinds(state);
        kinds.admit();
        kinds.groupServers(mostColumns / 100);
        kinds.groupJobs(Math.min(mostKinds, Math.max(20, mostColumns / Math.max(1, kinds.groups))));
        kinds.countMost();
        return kinds;
    }

    private void admit() {
        for (int s = 0; s < admitted.length; s++) {
            for (int a = 0; a < admissionList.size(); a++) {
                admitted[s][a] =
                        state.servers().get(s).open() && admissionList.get(a).admits(s);
            }
        }
        for (ClusterJob job : state.jobs()) {
            if (state.mayMove(job)) {
                admitted[job.server()][admission(job)] = true;
            }
        }
    }

    private int admission(ClusterJob job) {
        return java.util.Objects.requireNonNull(admissions.get(job.admission()));
    }

    /** The capacity of a server for movable jobs: at least what those on it take now. */
    private void groupServers(int mostGroups) {
        int n = state.servers().size();
        long[][] room = new long[n][];
        long[][] taken = new long[n][resources];
        boolean[] held = new boolean[n];
        for (int s = 0; s < n; s++) {
            room[s] = state.servers().get(s).capacity();
        }
        for (ClusterJob job : state.jobs()) {
            if (job.waits()) {
                continue;
            }
            boolean moves = state.mayMove(job);
            held[job.server()] |= !moves && job.stay() != ClusterJob.Hold.WITH_SERVER;
            for (int r = 0; r < resources; r++) {
                if (moves) {
                    taken[job.server()][r] += job.demand()[r];
                } else {
                    room[job.server()][r] -= job.demand()[r];
                }
            }
        }
        for (double step : STEPS) {
            coarse = step > STEPS[3];
            Map<List<Object>, Integer> numbers = new LinkedHashMap<>();
            int[] group = new int[n];
            for (int s = 0; s < n; s++) {
                List<Object> key = new ArrayList<>();
                key.add(held[s]);
                key.add(coarse ? "" : Arrays.toString(admitted[s]));
                for (int r = 0; r < resources; r++) {
                    room[s][r] = Math.max(room[s][r], taken[s][r]);
                    key.add(stepped(room[s][r], step));
                }
                group[s] = numbers.computeIfAbsent(key, first -> numbers.size());
            }
            if (numbers.size() <= mostGroups || step == STEPS[STEPS.length - 1]) {
                for (int s = 0; s < n; s++) {
                    bins.add(new Bin(s, room[s], held[s], group[s]));
                }
                groups = numbers.size();
                break;
            }
        }
        for (int g = 0; g < groups; g++) {
            groupCapacity.add(new double[resources]);
            groupSize.add(0);
            groupHeld.add(false);
            groupAdmits.add(new boolean[admissionList.size()]);
        }
        for (Bin bin : bins) {
            int g = bin.group();
            groupSize.set(g, groupSize.get(g) + 1);
            groupHeld.set(g, bin.held());
            for (int r = 0; r < resources; r++) {
                groupCapacity.get(g)[r] += bin.capacity()[r];
            }
            for (int a = 0; a < admissionList.size(); a++) {
                groupAdmits.get(g)[a] |= admitted[bin.server()][a];
            }
        }
        for (int g = 0; g < groups; g++) {
            for (int r = 0; r < resources; r++) {
                groupCapacity.get(g)[r] /= groupSize.get(g);
            }
        }
    }

    /** The amount itself for steps of 1, else the number of its step. */
    private static Object stepped(long amount, double step) {
        return step == 1 || amount <= 0
                ? amount
                : (long) Math.floor(StrictMath.log((double) amount) / StrictMath.log(step));
    }

    private void groupJobs(int mostKinds) {
        int[] own = ownLimits();
        for (double step : STEPS) {
            Map<List<Object>, Integer> numbers = new LinkedHashMap<>();
            items.clear();
            for (int j = 0; j < own.length; j++) {
                ClusterJob job = state.jobs().get(j);
                if (!state.mayMove(job)) {
                    continue;
                }
                List<Object> key = new ArrayList<>();
                key.add(step > STEPS[4] ? "" : admission(job));
                key.add(step > STEPS[4] ? "" : own[j]);
                for (int r = 0; r < resources; r++) {
                    key.add(stepped(job.demand()[r], step));
                }
                int kind = numbers.computeIfAbsent(key, first -> numbers.size());
                items.add(new Item(j, job.demand(), admission(job), own[j], kind));
            }
            jobKinds = numbers.size();
            if (jobKinds <= mostKinds) {
                break;
            }
        }
        for (int k = 0; k < jobKinds; k++) {
            kindDemand.add(new double[resources]);
            kindJobs.add(0);
            kindAdmission.add(0);
        }
        for (Item item : items) {
            int k = item.kind();
            kindJobs.set(k, kindJobs.get(k) + 1);
            kindAdmission.set(k, item.admission());
            for (int r = 0; r < resources; r++) {
                kindDemand.get(k)[r] += item.demand()[r];
            }
        }
        for (int k = 0; k < jobKinds; k++) {
            for (int r = 0; r < resources; r++) {
                kindDemand.get(k)[r] /= kindJobs.get(k);
            }
        }
    }

    /**
     * How many jobs under the same rule a server may hold, for rules per server that both bind and count a job; only if
     * no server holds more now.
     */
    private int[] ownLimits() {
        ClusterBooks books = new ClusterBooks(state);
        int[] limit = new int[state.rules().size()];
        for (int k = 0; k < limit.length; k++) {
            NeighbourRule rule = state.rules().get(k);
            limit[k] = rule.limit() > 0 && rule.perServer() ? rule.limit() : Integer.MAX_VALUE;
        }
        for (int s = 0; s < books.servers(); s++) {
            int[] counted = new int[limit.length];
            for (int job : books.on(s)) {
                state.jobs().get(job).countedBy().forEach(rule -> counted[rule]++);
            }
            for (int k = 0; k < limit.length; k++) {
                limit[k] = counted[k] > limit[k] ? Integer.MAX_VALUE : limit[k];
            }
        }
        int[] own = new int[state.jobs().size()];
        for (int j = 0; j < own.length; j++) {
            ClusterJob job = state.jobs().get(j);
            own[j] = job.boundBy().stream()
                    .filter(job.countedBy()::contains)
                    .mapToInt(rule -> limit[rule])
                    .reduce(Integer.MAX_VALUE, Math::min);
        }
        return own;
    }

    /** For each kind and group: how many jobs of the kind a server of the group may hold at once. */
    private void countMost() {
        most = new int[jobKinds][groups];
        long[][] least = new long[jobKinds][resources];
        int[] own = new int[jobKinds];
        int[] ruleSet = new int[jobKinds];
        for (long[] one : least) {
            Arrays.fill(one, Long.MAX_VALUE);
        }
        Map<Object, Integer> ruleSets = new LinkedHashMap<>();
        for (Item item : items) {
            int k = item.kind();
            int set = ruleSets.computeIfAbsent(
                    List.of(
                            state.jobs().get(item.job()).boundBy(),
                            state.jobs().get(item.job()).countedBy()),
                    first -> ruleSets.size() + 1);
            ruleSet[k] = ruleSet[k] == 0 || ruleSet[k] == set ? set : -1;
            own[k] = Math.max(own[k], item.most());
            for (int r = 0; r < resources; r++) {
                least[k][r] = Math.min(least[k][r], item.demand()[r]);
            }
        }
        for (int k = 0; k < jobKinds; k++) {
            for (Bin bin : bins) {
                long fit = ruleSet[k] > 0 ? own[k] : Integer.MAX_VALUE;
                for (int r = 0; r < resources; r++) {
                    fit = least[k][r] > 0 ? Math.min(fit, Math.max(0, bin.capacity()[r]) / least[k][r]) : fit;
                }
                most[k][bin.group()] = (int) Math.max(most[k][bin.group()], Math.min(fit, Integer.MAX_VALUE));
            }
        }
    }

    int groups() {
        return groups;
    }

    int jobKinds() {
        return jobKinds;
    }

    int servers() {
        return bins.size();
    }

    int jobs(int kind) {
        return kindJobs.get(kind);
    }

    int size(int group) {
        return groupSize.get(group);
    }

    boolean held(int group) {
        return groupHeld.get(group);
    }

    double capacity(int group, int resource) {
        return groupCapacity.get(group)[resource];
    }

    double demand(int kind, int resource) {
        return kindDemand.get(kind)[resource];
    }

    /** A typical amount of a resource, above 0. */
    double scale(int resource) {
        return scale[resource];
    }

    boolean admits(int group, int kind) {
        return groupAdmits.get(group)[kindAdmission.get(kind)];
    }

    int most(int group, int kind) {
        return most[kind][group];
    }

    /** The largest fraction of a server that a job takes, over the resources. */
    double share(int group, int kind) {
        double share = 0;
        for (int r = 0; r < resources; r++) {
            double capacity = capacity(group, r);
            share = Math.max(share, capacity > 0 ? demand(kind, r) / capacity : 0);
        }
        return share;
    }

    /**
     * The bound that prices prove, see {@link LeastServers}.
     *
     * @param pi per group and resource, at least 0
     * @param mu per kind and group, at least 0
     */
    double value(double[][] pi, double[][] mu) {
        double sum = 0;
        boolean[][] open = openFor();
        Map<List<Object>, Double> known = new LinkedHashMap<>();
        for (Item item : items) {
            sum += known.computeIfAbsent(
                    List.of(item.admission(), item.kind(), Arrays.toString(item.demand())),
                    first -> cheapest(item, open, pi, mu));
        }
        double[] whole = new double[groups];
        for (int k = 0; k < jobKinds; k++) {
            for (int g = 0; g < groups; g++) {
                whole[g] += mu[k][g] > 0 ? mu[k][g] * most[k][g] : 0;
            }
        }
        for (Bin bin : bins) {
            double rest = 1 - whole[bin.group()];
            for (int r = 0; r < resources; r++) {
                rest -= pi[bin.group()][r] * Math.max(0, bin.capacity()[r]);
            }
            sum += bin.held() ? rest : Math.min(0, rest);
        }
        return sum;
    }

    /** Per group the admissions of its servers. */
    private boolean[][] openFor() {
        return groupAdmits.toArray(boolean[][]::new);
    }

    private double cheapest(Item item, boolean[][] open, double[][] pi, double[][] mu) {
        double least = Double.POSITIVE_INFINITY;
        for (int g = 0; g < groups; g++) {
            if (!open[g][item.admission()]) {
                continue;
            }
            double price = mu[item.kind()][g];
            for (int r = 0; r < resources; r++) {
                price += pi[g][r] * item.demand()[r];
            }
            least = Math.min(least, price);
        }
        return least;
    }
}
