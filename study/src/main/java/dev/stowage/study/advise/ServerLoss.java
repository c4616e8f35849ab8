package dev.stowage.study.advise;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * What is short when a server, or all servers with one value of a label, are lost: their jobs go to the others, largest
 * first, by best fit; other jobs stay.
 *
 * @param what name of the server, or {@code label=value}
 * @param jobs how many jobs must go elsewhere
 * @param without how many of them find no place
 * @param names of the first of these
 * @param fixed how many of these are not known to be able to run anywhere else
 * @param fixedReasons why, each once
 * @param shortOf per resource what the jobs without a place need, whole units
 * @param proven whether no other choice of places would be better: the free amounts together are too small, or a job
 *     fits nowhere by itself
 */
public record ServerLoss(
        String what,
        int jobs,
        int without,
        List<String> names,
        int fixed,
        List<String> fixedReasons,
        SortedMap<String, Long> shortOf,
        boolean proven) {
    private static final int NAMED = 3;

    /** Takes copies. */
    public ServerLoss {
        names = List.copyOf(names);
        fixedReasons = List.copyOf(fixedReasons);
    }

    /**
     * The servers whose loss leaves jobs without a place, and of several at once the fullest.
     *
     * @param atOnce at least 1
     */
    static List<ServerLoss> ofServers(ClusterState state, int atOnce) {
        ClusterBooks books = new ClusterBooks(state);
        List<ServerLoss> all = new ArrayList<>();
        for (int s = 0; s < books.servers(); s++) {
            if (books.inUse(s)) {
                boolean[] lost = new boolean[books.servers()];
                lost[s] = true;
                ServerLoss loss = of(books, state.servers().get(s).name(), lost);
                if (loss.without() > 0) {
                    all.add(loss);
                }
            }
        }
        if (atOnce > 1) {
            ServerLoss loss = ofFullest(books, atOnce);
            if (loss.without() > 0) {
                all.add(0, loss);
            }
        }
        return all;
    }

    /** Every value of a label, including those that can be lost; empty if the servers have at most one value. */
    static List<ServerLoss> ofLabel(ClusterState state, String label) {
        ClusterBooks books = new ClusterBooks(state);
        SortedMap<String, boolean[]> values = new TreeMap<>();
        for (int s = 0; s < books.servers(); s++) {
            String value = state.servers().get(s).labels().get(label);
            if (value != null) {
                values.computeIfAbsent(value, first -> new boolean[books.servers()])[s] = true;
            }
        }
        List<ServerLoss> all = new ArrayList<>();
        if (values.size() > 1) {
            values.forEach((value, lost) -> all.add(of(books, label + "=" + value, lost)));
        }
        return all;
    }

    /** How many jobs would find no place if the fullest servers were lost, but for those that may run nowhere else. */
    static int withoutFullest(ClusterState state, int servers) {
        ServerLoss loss = ofFullest(new ClusterBooks(state), servers);
        return loss.without() - loss.fixed();
    }

    private static ServerLoss ofFullest(ClusterBooks books, int servers) {
        boolean[] lost = new boolean[books.servers()];
        IntStream.range(0, lost.length)
                .boxed()
                .filter(books::inUse)
                .sorted(Comparator.comparingDouble(s -> -books.fullness(s)))
                .limit(servers)
                .forEach(s -> lost[s] = true);
        return of(books, "the " + servers + " fullest at once", lost);
    }

    /** Leaves the books as they were. */
    private static ServerLoss of(ClusterBooks books, String what, boolean[] lost) {
        ClusterState state = books.state();
        boolean[] target = new boolean[lost.length];
        List<int[]> jobs = new ArrayList<>();
        double[][] worth = MoveSearch.worth(state, new double[state.resources().size()]);
        MoveSearch search = new MoveSearch(books, target, worth, MoveSearch.PlaceScore.WORTH_LEFT);
        for (int s = 0; s < lost.length; s++) {
            target[s] = !lost[s] && state.servers().get(s).open();
            for (int job : lost[s] ? books.holding(s) : new int[0]) {
                jobs.add(new int[] {job, s});
            }
        }
        jobs.sort((one, other) -> {
            int larger = Double.compare(search.size(other[0]), search.size(one[0]));
            return larger != 0 ? larger : Integer.compare(one[0], other[0]);
        });
        boolean proven = lacksRoom(books, jobs, target);
        jobs.forEach(one -> books.take(one[0]));
        SortedMap<String, Long> shortOf = new TreeMap<>();
        int without = 0;
        int fixed = 0;
        SortedSet<String> reasons = new TreeSet<>();
        List<int[]> left = new ArrayList<>();
        for (int[] one : jobs) {
            ClusterJob job = state.jobs().get(one[0]);
            boolean stays = job.stay() == ClusterJob.Hold.FIXED;
            int to = stays ? -1 : search.best(one[0], -1);
            if (to >= 0) {
                books.put(one[0], to);
                continue;
            }
            left.add(one);
            without++;
            if (stays) {
                fixed++;
                reasons.add(job.stayReason());
            }
            for (int r = 0; r < state.resources().size(); r++) {
                shortOf.merge(state.resources().get(r), books.demand(one[0], r), Long::sum);
            }
        }
        for (int[] one : jobs) {
            if (books.where(one[0]) >= 0) {
                books.take(one[0]);
            }
        }
        for (int[] one : left) {
            proven |= state.jobs().get(one[0]).stay() != ClusterJob.Hold.FIXED && search.best(one[0], -1) < 0;
        }
        jobs.forEach(one -> books.put(one[0], one[1]));
        shortOf.values().removeIf(amount -> amount == 0);
        List<String> names = left.stream()
                .limit(NAMED)
                .map(one -> state.jobs().get(one[0]).name())
                .toList();
        return new ServerLoss(
                what, jobs.size(), without, names, fixed, List.copyOf(reasons), shortOf, without > 0 && proven);
    }

    private static boolean lacksRoom(ClusterBooks books, List<int[]> jobs, boolean[] target) {
        for (int r = 0; r < books.state().resources().size(); r++) {
            double free = 0;
            for (int s = 0; s < target.length; s++) {
                free += target[s] ? Math.max(0, books.free(s, r)) : 0;
            }
            for (int[] one : jobs) {
                boolean goes = books.state().jobs().get(one[0]).stay() != ClusterJob.Hold.FIXED;
                free -= goes ? books.demand(one[0], r) : 0;
            }
            if (free < 0) {
                return true;
            }
        }
        return false;
    }
}
