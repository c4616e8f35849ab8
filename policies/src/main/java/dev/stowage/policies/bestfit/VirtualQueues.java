package dev.stowage.policies.bestfit;

import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.core.policy.View;
import java.util.Arrays;

/**
 * The virtual queues: 2J of them, by size (Definition 3 with partition I), for each family of servers. A request joins
 * the family where its virtual queue is shortest, ties to the first; the guarantee of 2/3 of the optimum for one family
 * then holds for several.
 *
 * <p>All requests wait in the engine's queue 0; this class only knows which virtual queue each belongs to. Number
 * {@code family * 2J + j} is VQ_j of a family.
 */
final class VirtualQueues {
    private static final int ABSENT = -2;

    private final Levels sizes;
    private final ServerFamilies families;
    private int levels;
    private int[] lengths = new int[0];
    private boolean[] joins = new boolean[0];

    /**
     * The family that a waiting request joined, NONE if no server can ever hold it; ABSENT for jobs that do not wait.
     */
    private int[] familyOf = new int[0];
    /** The number of its virtual queue, or NONE. */
    private int[] numberOf = new int[0];

    VirtualQueues(View view, Levels.Rule rule) {
        families = new ServerFamilies(view);
        sizes = new Levels(view, rule);
        sizes.declared(view, families);
        layOut(view);
    }

    private void layOut(View view) {
        levels = sizes.levels(view, families);
        lengths = new int[families.size() * 2 * levels];
        joins = new boolean[families.size()];
        Arrays.fill(numberOf, View.NONE);
        Arrays.fill(familyOf, ABSENT);
    }

    /** J. */
    int levels() {
        return levels;
    }

    /** Number of virtual queues of all families. */
    int size() {
        return lengths.length;
    }

    /** Updates the data of a server; true if the requests should join anew. */
    boolean serverChanged(View view, int server) {
        return families.update(view, server);
    }

    /** Takes an arrived request into account; true if J grew, so that all should join anew. */
    boolean arrived(View view, int job) {
        sizes.arrived(view, families, job);
        return sizes.levels(view, families) != levels;
    }

    /** Empties all virtual queues and rebuilds them for the present J and servers. */
    void clear(View view) {
        layOut(view);
    }

    /** A request joins a virtual queue; its number, or {@link View#NONE} if no server can ever hold it. */
    int join(View view, int job) {
        int family = 0;
        if (families.size() > 1) {
            family = shortest(view, job);
        }
        return join(view, job, family);
    }

    private int shortest(View view, int job) {
        families.mark(view, job, joins);
        int best = View.NONE;
        int length = 0;
        for (int family = 0; family < joins.length; family++) {
            if (joins[family]) {
                int one = lengths[family * 2 * levels + families.classOf(view, job, family, levels)];
                if (best == View.NONE || one < length) {
                    best = family;
                    length = one;
                }
            }
        }
        return best;
    }

    /** A request joins a virtual queue of a family, which may be NONE; the number of its virtual queue, or NONE. */
    private int join(View view, int job, int family) {
        if (job >= numberOf.length) {
            int old = numberOf.length;
            numberOf = Arrays.copyOf(numberOf, Math.max(job + 1, 2 * old));
            familyOf = Arrays.copyOf(familyOf, numberOf.length);
            Arrays.fill(numberOf, old, numberOf.length, View.NONE);
            Arrays.fill(familyOf, old, numberOf.length, ABSENT);
        }
        int j = family == View.NONE ? View.NONE : families.classOf(view, job, family, levels);
        familyOf[job] = j == View.NONE ? View.NONE : family;
        numberOf[job] = j == View.NONE ? View.NONE : family * 2 * levels + j;
        if (j != View.NONE) {
            lengths[numberOf[job]]++;
        }
        return numberOf[job];
    }

    /** The virtual queue of a waiting request, or {@link View#NONE}. */
    int numberOf(int job) {
        return job < numberOf.length ? numberOf[job] : View.NONE;
    }

    /** A request leaves its virtual queue, if it is in one; returns that queue, or {@link View#NONE}. */
    int leave(int job) {
        int number = numberOf(job);
        if (number != View.NONE) {
            lengths[number]--;
        }
        if (job < numberOf.length) {
            numberOf[job] = View.NONE;
            familyOf[job] = ABSENT;
        }
        return number;
    }

    /** The number of a server's virtual queue of class 0. */
    int offset(View view, int server) {
        return families.of(view, server) * 2 * levels + 2 * families.halvings(view, server);
    }

    /** J for a server. */
    int levels(View view, int server) {
        return levels - families.halvings(view, server);
    }

    /** Whether requests wait in the virtual queues that a server serves. */
    boolean anyFor(View view, int server) {
        int offset = offset(view, server);
        for (int j = 0; j < 2 * levels(view, server); j++) {
            if (lengths[offset + j] > 0) {
                return true;
            }
        }
        return false;
    }

    /** The heaviest configuration for a server, step 1 of VQS; O(J). */
    int heaviest(View view, int server) {
        return ReducedConfigurations.heaviest(levels(view, server), lengths, offset(view, server));
    }

    /**
     * The virtual queue of the other class of a configuration; {@link View#NONE} if the class has become part of the
     * last one, because a larger server has joined the family since the configuration was chosen.
     */
    int other(View view, int server, int configuration) {
        int j = ReducedConfigurations.other(configuration);
        return j < 2 * levels(view, server) ? offset(view, server) + j : View.NONE;
    }

    /** The weight of a configuration for a server. */
    long weight(View view, int server, int configuration) {
        if (other(view, server, configuration) == View.NONE) {
            return ReducedConfigurations.holdsBig(configuration) ? lengths[offset(view, server) + Partition.BIG] : 0;
        }
        return ReducedConfigurations.weight(configuration, lengths, offset(view, server));
    }

    /** The largest capacity in a server's family. */
    long largest(View view, int server, int resource) {
        return families.largest(families.of(view, server), resource);
    }

    /** The class of a request relative to a server, NONE if the server is too small. */
    int classFor(View view, int job, int server) {
        int j = families.classOf(view, job, families.of(view, server), levels);
        int own = j == View.NONE ? View.NONE : j - 2 * families.halvings(view, server);
        return Math.max(own, View.NONE);
    }

    /** Whether requests of a class count as larger than they are, which is so for the last class. */
    boolean isLast(View view, int server, int ownClass) {
        return ownClass == 2 * levels(view, server) - 1;
    }

    /** Saves only requests that did not join the first family, in order of handles. */
    void save(StateWriter out) {
        sizes.save(out);
        int[] jobs = new int[familyOf.length];
        int[] joined = new int[familyOf.length];
        int size = 0;
        for (int job = 0; job < familyOf.length; job++) {
            if (familyOf[job] != ABSENT && familyOf[job] != 0) {
                jobs[size] = job;
                joined[size++] = familyOf[job];
            }
        }
        out.putInts(jobs, size);
        out.putInts(joined, size);
    }

    /** Reads what was saved; the requests of queue 0 are then in the virtual queues they were in. */
    void restore(StateReader in, View view) {
        sizes.restore(in);
        layOut(view);
        int[] jobs = in.getInts();
        int[] joined = in.getInts();
        for (int job = view.queueHead(0); job != View.NONE; job = view.next(job)) {
            int at = Arrays.binarySearch(jobs, job);
            join(view, job, at < 0 ? 0 : joined[at]);
        }
    }
}
