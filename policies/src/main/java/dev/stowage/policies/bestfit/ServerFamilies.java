package dev.stowage.policies.bestfit;

import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Families of servers whose capacities differ by powers of two; the members of a family share one set of virtual
 * queues, sizes counting relative to its largest capacity (section VIII).
 */
final class ServerFamilies {
    private final List<long[]> keys = new ArrayList<>();
    private final List<long[]> largest = new ArrayList<>();
    private int[] family = new int[0];
    private int[] halvings = new int[0];
    /** Servers that are up, per capacity class. */
    private int[] up = new int[0];

    private boolean[] isUp = new boolean[0];
    private int classes;

    ServerFamilies(View view) {
        addClasses(view);
        for (int server = 0; server < view.servers(); server++) {
            update(view, server);
        }
    }

    /**
     * Updates the data of a server; true if a class is new, or got its first or lost its last server that is up.
     */
    boolean update(View view, int server) {
        boolean changed = addClasses(view);
        if (server >= isUp.length) {
            isUp = Arrays.copyOf(isUp, Math.max(server + 1, 2 * isUp.length));
        }
        boolean now = view.status(server) == ServerStatus.UP;
        int number = view.capacityClass(server);
        if (now != isUp[server]) {
            isUp[server] = now;
            up[number] += now ? 1 : -1;
            changed |= up[number] == (now ? 1 : 0);
        }
        return changed;
    }

    private boolean addClasses(View view) {
        if (classes == view.capacityClasses()) {
            return false;
        }
        family = Arrays.copyOf(family, view.capacityClasses());
        up = Arrays.copyOf(up, view.capacityClasses());
        for (; classes < view.capacityClasses(); classes++) {
            family[classes] = join(capacity(view, classes));
        }
        halvings = new int[classes];
        for (int number = 0; number < classes; number++) {
            halvings[number] = zeros(largest.get(family[number])) - zeros(capacity(view, number));
        }
        return true;
    }

    private int join(long[] capacity) {
        long[] key = capacity.clone();
        int zeros = zeros(capacity);
        for (int r = 0; r < key.length; r++) {
            key[r] >>= zeros;
        }
        for (int number = 0; number < keys.size(); number++) {
            if (Arrays.equals(keys.get(number), key)) {
                if (zeros > zeros(largest.get(number))) {
                    largest.set(number, capacity);
                }
                return number;
            }
        }
        keys.add(key);
        largest.add(capacity);
        return keys.size() - 1;
    }

    private static long[] capacity(View view, int number) {
        long[] capacity = new long[view.resources()];
        for (int r = 0; r < capacity.length; r++) {
            capacity[r] = view.classCapacity(number, r);
        }
        return capacity;
    }

    /** How often the vector can be halved. */
    private static int zeros(long[] amounts) {
        long bits = 0;
        for (long amount : amounts) {
            bits |= amount;
        }
        return bits == 0 ? 0 : Long.numberOfTrailingZeros(bits);
    }

    /** Number of families. */
    int size() {
        return keys.size();
    }

    /** The family of a server. */
    int of(View view, int server) {
        return family[view.capacityClass(server)];
    }

    /** How many times smaller than the largest of its family a server is, as a power of two. */
    int halvings(View view, int server) {
        return halvings[view.capacityClass(server)];
    }

    /** The most {@link #halvings} of any server. */
    int mostHalvings() {
        int most = 0;
        for (int h : halvings) {
            most = Math.max(most, h);
        }
        return most;
    }

    /** The largest capacity in a family. */
    long largest(int number, int resource) {
        return largest.get(number)[resource];
    }

    /**
     * Marks the families that a request may join: those with a server that is up and could hold it when empty; if there
     * is none, those with any server that could.
     */
    void mark(View view, int job, boolean[] joins) {
        Arrays.fill(joins, false);
        boolean any = false;
        for (int number = 0; number < classes; number++) {
            if (up[number] > 0 && holds(view, job, number)) {
                joins[family[number]] = true;
                any = true;
            }
        }
        for (int number = 0; number < classes && !any; number++) {
            joins[family[number]] |= holds(view, job, number);
        }
    }

    private static boolean holds(View view, int job, int number) {
        for (int r = 0; r < view.resources(); r++) {
            if (view.demand(job, r) > view.classCapacity(number, r)) {
                return false;
            }
        }
        int site = view.classSite(number);
        for (int p = 0; p < view.pooledResources(); p++) {
            if (view.pooledDemand(job, p) > view.pooledCapacity(site, p)) {
                return false;
            }
        }
        return true;
    }

    /**
     * The partition class of a demand, by its dominant resource; {@link View#NONE} if no member of the family can hold
     * it.
     */
    int classOf(View view, int job, int number, int levels) {
        int least = 2 * levels - 1;
        for (int r = 0; r < view.resources(); r++) {
            long demand = view.demand(job, r);
            if (demand > largest(number, r)) {
                return View.NONE;
            }
            if (demand > 0) {
                least = Math.min(least, Partition.classOf(demand, largest(number, r), levels));
            }
        }
        return least;
    }
}
