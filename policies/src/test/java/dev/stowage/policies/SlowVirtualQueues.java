package dev.stowage.policies;

import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.JobState;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** VQS and VQS-BF as they are written down: every step looks at all servers and all requests. */
final class SlowVirtualQueues implements Policy {
    private final String kind;
    private final double stalling;
    /** J where it is given, else 0. */
    private final int given;

    private int wanted = 2;
    private int levels;
    private List<long[]> largest = new ArrayList<>();
    private String classes = "";
    private final Map<Integer, Integer> familyOf = new TreeMap<>();
    private final Map<Integer, Map<Integer, Long>> configuration = new HashMap<>();
    private final Map<Integer, Integer> other = new HashMap<>();
    private final TreeSet<Integer> stalled = new TreeSet<>();
    private boolean due;

    SlowVirtualQueues(String kind, int given, double stalling) {
        this.kind = kind;
        this.given = given;
        this.stalling = stalling;
    }

    @Override
    public void started(View view, Actions actions) {
        serversChanged(view);
    }

    private void serversChanged(View view) {
        StringBuilder now = new StringBuilder();
        List<long[]> capacities = new ArrayList<>();
        for (int c = 0; c < view.capacityClasses(); c++) {
            long[] capacity = new long[view.resources()];
            for (int r = 0; r < capacity.length; r++) {
                capacity[r] = view.classCapacity(c, r);
            }
            boolean up = false;
            for (int s = 0; s < view.servers(); s++) {
                up |= view.capacityClass(s) == c && view.status(s) == ServerStatus.UP;
            }
            capacities.add(capacity);
            now.append(up ? '1' : '0');
        }
        if (now.toString().equals(classes)) {
            return;
        }
        classes = now.toString();
        largest = new ArrayList<>();
        for (long[] capacity : capacities) {
            int f = family(capacity);
            if (f < 0) {
                largest.add(capacity);
            } else if (capacity[0] > largest.get(f)[0]) {
                largest.set(f, capacity);
            }
        }
        rejoin(view);
    }

    /** The family whose capacities are this one times a power of two: alike once halved as often as that goes. */
    private int family(long[] capacity) {
        long[] halved = halved(capacity);
        for (int f = 0; f < largest.size(); f++) {
            if (Arrays.equals(halved, halved(largest.get(f)))) {
                return f;
            }
        }
        return -1;
    }

    private static long[] halved(long[] capacity) {
        long bits = 0;
        for (long amount : capacity) {
            bits |= amount;
        }
        long[] halved = capacity.clone();
        for (int r = 0; r < halved.length; r++) {
            halved[r] >>= Long.numberOfTrailingZeros(bits);
        }
        return halved;
    }

    private long[] capacity(View view, int server) {
        long[] capacity = new long[view.resources()];
        for (int r = 0; r < capacity.length; r++) {
            capacity[r] = view.capacity(server, r);
        }
        return capacity;
    }

    private int halvings(View view, int server) {
        long[] capacity = capacity(view, server);
        return Long.numberOfTrailingZeros(largest.get(family(capacity))[0] / capacity[0]);
    }

    private int mostHalvings(View view) {
        int most = 0;
        for (int s = 0; s < view.servers(); s++) {
            most = Math.max(most, halvings(view, s));
        }
        return most;
    }

    private void rejoin(View view) {
        levels = Math.max(given > 0 ? given : wanted, mostHalvings(view) + 2);
        familyOf.clear();
        queued(view).forEach(job -> join(view, job));
    }

    /** The class of a job relative to a family, -1 if it does not fit. */
    private int classOf(View view, int job, int f) {
        int best = 2 * levels - 1;
        for (int r = 0; r < view.resources(); r++) {
            long d = view.demand(job, r);
            long c = largest.get(f)[r];
            if (d > c) {
                return -1;
            }
            for (int m = 0; m < levels && d > 0; m++) {
                // (2/3 2^-m, 2^-m] and (1/2 2^-m, 2/3 2^-m]
                if (3 * (d << m) > 2 * c && d << m <= c) {
                    best = Math.min(best, 2 * m);
                } else if (2 * (d << m) > c && 3 * (d << m) <= 2 * c) {
                    best = Math.min(best, 2 * m + 1);
                }
            }
        }
        return best;
    }

    private void join(View view, int job) {
        int best = -1;
        int shortest = 0;
        for (boolean upOnly : new boolean[] {true, false}) {
            for (int f = 0; f < largest.size() && (upOnly || best < 0); f++) {
                int family = f;
                boolean holds = false;
                for (int s = 0; s < view.servers(); s++) {
                    holds |= family(capacity(view, s)) == f
                            && (!upOnly || view.status(s) == ServerStatus.UP)
                            && canEverHold(view, job, s);
                }
                if (holds) {
                    int j = classOf(view, job, f);
                    int length = (int) familyOf.keySet().stream()
                            .filter(k -> familyOf.get(k) == family && classOf(view, k, family) == j)
                            .count();
                    if (best < 0 || length < shortest) {
                        best = f;
                        shortest = length;
                    }
                }
            }
            if (best >= 0) {
                break;
            }
        }
        familyOf.put(job, largest.size() == 1 && classOf(view, job, 0) >= 0 ? 0 : best);
    }

    private static boolean canEverHold(View view, int job, int server) {
        for (int r = 0; r < view.resources(); r++) {
            if (view.demand(job, r) > view.capacity(server, r)) {
                return false;
            }
        }
        for (int p = 0; p < view.pooledResources(); p++) {
            if (view.pooledDemand(job, p) > view.pooledCapacity(view.site(server), p)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void arrived(int job, View view, Actions actions) {
        for (long[] capacity : largest) {
            int least = 99;
            for (int r = 0; r < capacity.length; r++) {
                long d = view.demand(job, r);
                if (d > 0 && d <= capacity[r]) {
                    int j = 0;
                    while (d << j < capacity[r]) {
                        j++;
                    }
                    least = Math.min(least, j);
                }
            }
            wanted = least == 99 ? wanted : Math.max(wanted, least);
        }
        if (Math.max(given > 0 ? given : wanted, mostHalvings(view) + 2) != levels) {
            rejoin(view);
        }
    }

    @Override
    public void displaced(int job, int server, View view, Actions actions) {}

    @Override
    public void left(int job, int server, View view, Actions actions) {
        familyOf.remove(job);
        if (server >= 0) {
            reopen(view, server);
        }
    }

    private void reopen(View view, int server) {
        if (view.firstOn(server) < 0) {
            stalled.remove(server);
        }
    }

    @Override
    public void serverChanged(int server, View view, Actions actions) {
        serversChanged(view);
        reopen(view, server);
    }

    @Override
    public void timer(long tag, View view, Actions actions) {
        due = false;
    }

    @Override
    public void round(View view, Actions actions) {
        List<Integer> fresh = pending(view);
        fresh.forEach(job -> join(view, job));
        for (int s = 0; s < view.servers(); s++) {
            if (view.status(s) == ServerStatus.UP && !stalled.contains(s)) {
                serve(view, actions, s);
            }
        }
        for (int job : fresh) {
            if (view.state(job) == JobState.PENDING) {
                actions.enqueue(job, 0, "slow");
            }
        }
        stall(view);
        boolean any = false;
        for (int s = 0; s < view.servers() && kind.equals("vqs"); s++) {
            boolean busy = view.firstOn(s) >= 0 && view.status(s) == ServerStatus.UP && !stalled.contains(s);
            any |= busy && configuration.containsKey(s) && head(view, s, other.get(s)) >= 0 && roomFor(view, s);
        }
        if (any && !due) {
            due = true;
            actions.timer(view.now() + 1, 0);
        }
    }

    private void serve(View view, Actions actions, int s) {
        if (view.firstOn(s) < 0) {
            renew(view, s);
        }
        Map<Integer, Long> k = configuration.get(s);
        if (kind.equals("vqs")) {
            if (k == null) {
                return;
            }
            if (k.containsKey(1) && held(view, s, 1) == 0) {
                int job = head(view, s, 1);
                if (job >= 0 && view.fits(job, s)) {
                    place(actions, job, s);
                }
            }
            while (head(view, s, other.get(s)) >= 0 && roomFor(view, s)) {
                place(actions, head(view, s, other.get(s)), s);
            }
            return;
        }
        if (k != null && k.containsKey(1) && held(view, s, 1) == 0) {
            int job = greatest(view, s, 1);
            if (job >= 0) {
                place(actions, job, s);
            }
        }
        while (k != null && held(view, s, other.get(s)) < k.get(other.get(s)) && greatest(view, s, other.get(s)) >= 0) {
            place(actions, greatest(view, s, other.get(s)), s);
        }
        for (int job = greatest(view, s, -1); job >= 0; job = greatest(view, s, -1)) {
            place(actions, job, s);
        }
    }

    private void place(Actions actions, int job, int s) {
        familyOf.remove(job);
        actions.place(job, s, "slow");
    }

    private int own(View view, int job, int s) {
        int j = classOf(view, job, family(capacity(view, s)));
        return j < 0 ? -1 : Math.max(-1, j - 2 * halvings(view, s));
    }

    private List<Integer> virtualQueue(View view, int s, int j) {
        List<Integer> all = queued(view);
        all.addAll(pending(view));
        all.removeIf(job -> familyOf.getOrDefault(job, -1) != family(capacity(view, s)) || own(view, job, s) != j);
        return all;
    }

    private int head(View view, int s, int j) {
        List<Integer> jobs = virtualQueue(view, s, j);
        return jobs.isEmpty() ? -1 : jobs.get(0);
    }

    /** The largest request of a class, or of all, that fits; one resource only. */
    private int greatest(View view, int s, int j) {
        List<Integer> jobs = new ArrayList<>();
        if (j >= 0) {
            jobs.addAll(virtualQueue(view, s, j));
        } else {
            jobs.addAll(queued(view));
            jobs.addAll(pending(view));
        }
        return jobs.stream()
                .filter(job -> view.fits(job, s))
                .min(Comparator.comparingLong((Integer job) -> -view.demand(job, 0))
                        .thenComparing(view::order))
                .orElse(-1);
    }

    private long held(View view, int s, int j) {
        long count = 0;
        for (int job = view.firstOn(s); job >= 0; job = view.next(job)) {
            count += own(view, job, s) == j ? 1 : 0;
        }
        return count;
    }

    private boolean roomFor(View view, int s) {
        int head = head(view, s, other.get(s));
        boolean reserved = configuration.get(s).containsKey(1);
        for (int r = 0; r < view.resources(); r++) {
            long sum = counted(view, s, head, r);
            for (int job = view.firstOn(s); job >= 0; job = view.next(job)) {
                sum += own(view, job, s) == 1 ? 0 : counted(view, s, job, r);
            }
            if (3 * sum > (reserved ? 1 : 3) * (view.capacity(s, r) << levels)) {
                return false;
            }
        }
        return view.fits(head, s);
    }

    /** In units of 2^-J: the last class counts as at least 2^-J of the largest capacity. */
    private long counted(View view, int s, int job, int r) {
        int f = family(capacity(view, s));
        long exact = view.demand(job, r) << levels;
        return classOf(view, job, f) == 2 * levels - 1 ? Math.max(exact, largest.get(f)[r]) : exact;
    }

    private void renew(View view, int s) {
        int jOfServer = levels - halvings(view, s);
        Map<Integer, Long> best = null;
        int bestOther = 0;
        long most = -1;
        for (int row = 0; row < 4; row++) {
            for (int m = row == 0 ? 0 : row == 2 ? 2 : 1; m < jOfServer; m++) {
                Map<Integer, Long> k = new TreeMap<>();
                int j = row % 2 == 0 ? 2 * m : 2 * m + 1;
                long slots = row == 0 ? 1L << m : row == 1 ? (3L << m) / 2 : row == 2 ? (1L << m) / 3 : (1L << m) / 2;
                k.put(j, slots);
                if (row >= 2) {
                    k.put(1, 1L);
                }
                long weight = weight(view, s, k);
                if (weight > most) {
                    most = weight;
                    best = k;
                    bestOther = j;
                }
            }
        }
        configuration.put(s, best);
        other.put(s, bestOther);
    }

    private long weight(View view, int s, Map<Integer, Long> k) {
        return k.entrySet().stream()
                .mapToLong(e -> e.getValue() * virtualQueue(view, s, e.getKey()).size())
                .sum();
    }

    private void stall(View view) {
        if (stalling == 0 || view.queueLength(0) == 0) {
            return;
        }
        for (int s = 0; s < view.servers(); s++) {
            if (view.status(s) == ServerStatus.UP && view.firstOn(s) >= 0 && !stalled.contains(s)) {
                Map<Integer, Long> active = configuration.get(s);
                long weight = active == null ? 0 : weight(view, s, active);
                Map<Integer, Long> kept = active;
                Integer keptOther = other.get(s);
                renew(view, s);
                if (weight < stalling * weight(view, s, configuration.get(s))) {
                    stalled.add(s);
                }
                if (kept == null) {
                    configuration.remove(s);
                    other.remove(s);
                } else {
                    configuration.put(s, kept);
                    other.put(s, keptOther);
                }
            }
        }
    }

    private static List<Integer> queued(View view) {
        List<Integer> jobs = new ArrayList<>();
        for (int job = view.queueHead(0); job >= 0; job = view.next(job)) {
            jobs.add(job);
        }
        return jobs;
    }

    private static List<Integer> pending(View view) {
        List<Integer> jobs = new ArrayList<>();
        for (int job = view.pendingHead(); job >= 0; job = view.next(job)) {
            jobs.add(job);
        }
        jobs.sort(Comparator.comparingLong(view::order));
        return jobs;
    }
}
