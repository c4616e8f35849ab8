package dev.stowage.policies.reservation;

import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.optimize.greedy.GreedyPlacement;
import dev.stowage.optimize.greedy.MaxReward;
import java.util.Arrays;

/**
 * Accept Group and Reject Group of the servers of one class, by the Classification and Reassignment Algorithm CRA
 * (Psychas and Ghaderi 2020, Algorithm 2): GPA gives configurations and wanted numbers of servers, empty servers are
 * reassigned to configurations that lack servers, and all servers get ranks.
 *
 * <p>Ranks are not stored per server. The oldest servers of the configuration of iteration i, up to the wanted number,
 * are <em>matched</em> and have rank i; all others have rank J + 1, here {@link #UNRANKED}. Ranks are from 0. Of each
 * stack the newest server is in the Reject Group if its rank is beyond {@code reach}, the paper's I*.
 *
 * <p>With J types and L servers an update costs O(J^2 + J log L), and O(J log L) for each server reassigned and each
 * configuration whose matched servers change; a query costs O(J log L). Otherwise the cost does not depend on the
 * number of servers.
 */
final class Groups {
    static final int NONE = Stacks.NONE;
    /** Rank J + 1. */
    static final int UNRANKED = Integer.MAX_VALUE;

    private final int types;
    private final MaxReward maxReward;
    private final GreedyPlacement greedy;
    private final Slots slots;
    private final Stacks stacks;

    /** Configuration of each iteration of the last update, and of the update being made. */
    private int[] chosen;

    private int[] next;
    private int reach;
    /** Configuration by set of types. */
    private int[] ofSet = {};
    /** Per configuration: its iteration or {@link #UNRANKED}, and its matched servers. */
    private int[] rank = {};

    private int[] matched = {};
    /** Per configuration that is not chosen: its lowest empty server. */
    private final LeastKey empties = new LeastKey();

    private final Unranked unranked;

    Groups(int types, MaxReward maxReward) {
        this.types = types;
        this.maxReward = maxReward;
        greedy = new GreedyPlacement(maxReward);
        slots = new Slots(types);
        stacks = slots.stacks;
        chosen = new int[0];
        next = new int[greedy.iterations()];
        reach = greedy.iterations() - 1;
        unranked = new Unranked(slots, number -> matched[number], types);
    }

    Slots slots() {
        return slots;
    }

    /** A server with these jobs takes part; its configuration is its placement. */
    void join(int server, int[] placement) {
        int number = number(placement);
        slots.join(server, number, placement);
        touch(number);
    }

    /** A server does not take part any more. Ranks of the others stay. */
    void withdraw(int server) {
        int number = slots.configuration(server);
        if (stacks.position(number, server) < matched[number]) {
            matched[number]--;
        }
        slots.withdraw(server);
        touch(number);
    }

    /** A job fills a slot (change = 1) or leaves one (change = -1). */
    void fill(int server, int type, int change) {
        int number = slots.configuration(server);
        boolean turned = slots.fill(server, type, change);
        unranked.outdate(number, type);
        if (turned) {
            noteEmpties(number);
        }
    }

    /**
     * GPA and CRA.
     *
     * @param left workload reference per type; receives the workload that this class has no room for
     */
    void update(long[] left) {
        greedy.place(left, slots.servers());
        choose();
        reach = chosen.length - 1;
        boolean exhausted = false;
        for (int i = 0; i < chosen.length; i++) {
            int number = chosen[i];
            int wanted = (int) greedy.servers(i);
            while (!exhausted && stacks.size(number) < wanted) {
                int server = lowestEmpty(i);
                exhausted = server == NONE;
                if (exhausted) {
                    reach = i;
                } else {
                    reassign(server, number);
                }
            }
            int now = Math.min(wanted, stacks.size(number));
            if (now != matched[number]) {
                matched[number] = now;
                touch(number);
            }
        }
    }

    /** Takes over the configurations of the iterations. */
    private void choose() {
        boolean same = chosen.length == next.length;
        for (int i = 0; i < next.length; i++) {
            next[i] = ofSet(greedy.set(i));
            same &= same && next[i] == chosen[i];
        }
        if (same) {
            return;
        }
        for (int number : chosen) {
            rank[number] = UNRANKED;
        }
        for (int i = 0; i < next.length; i++) {
            rank[next[i]] = i;
        }
        for (int number : chosen) {
            if (rank[number] == UNRANKED) {
                matched[number] = 0;
                touch(number);
            }
        }
        for (int number : next) {
            touch(number);
        }
        int[] before = chosen;
        chosen = next;
        next = before.length == next.length ? before : new int[next.length];
    }

    private int ofSet(int set) {
        if (set >= ofSet.length) {
            int old = ofSet.length;
            ofSet = Arrays.copyOf(ofSet, Math.max(2 * old, maxReward.sets()));
            Arrays.fill(ofSet, old, ofSet.length, NONE);
        }
        if (ofSet[set] == NONE) {
            ofSet[set] = number(maxReward.configuration(set));
        }
        return ofSet[set];
    }

    private int number(int[] counts) {
        int number = slots.number(counts);
        if (number >= rank.length) {
            int old = rank.length;
            rank = Arrays.copyOf(rank, Math.max(16, 2 * old));
            matched = Arrays.copyOf(matched, rank.length);
            Arrays.fill(rank, old, rank.length, UNRANKED);
        }
        return number;
    }

    /**
     * l_e of iteration i: the lowest empty server that has no rank yet, configurations of later iterations included.
     */
    private int lowestEmpty(int iteration) {
        long lowest = empties.least();
        for (int i = 0; i < chosen.length; i++) {
            // All servers of this iteration have its rank already.
            if (i != iteration) {
                int server = stacks.lowestEmpty(chosen[i], i < iteration ? matched[chosen[i]] : 0);
                lowest = server == NONE ? lowest : Math.min(lowest, server);
            }
        }
        return lowest == LeastKey.NONE ? NONE : (int) lowest;
    }

    private void reassign(int server, int number) {
        int before = slots.configuration(server);
        slots.assign(server, number);
        touch(before);
        touch(number);
    }

    /** The stack, or the number of its matched servers, changed. */
    private void touch(int number) {
        int[] counts = slots.configurations.counts(number);
        for (int type = 0; type < types; type++) {
            if (counts[type] > 0) {
                unranked.outdate(number, type);
            }
        }
        noteEmpties(number);
    }

    private void noteEmpties(int number) {
        int server = rank[number] == UNRANKED ? stacks.lowestEmpty(number, 0) : NONE;
        empties.set(number, server == NONE ? LeastKey.NONE : server);
    }

    /** The oldest server of a rank with an open slot of the type in the Accept Group, or {@link #NONE}. */
    int accept(int iteration, int type) {
        if (iteration >= chosen.length || slots.slots(chosen[iteration], type) == 0) {
            return NONE;
        }
        int number = chosen[iteration];
        int server = stacks.oldestOpen(number, type, 0);
        return server != NONE && stacks.position(number, server) < accepted(iteration) ? server : NONE;
    }

    /** Matched servers of an iteration in the Accept Group. */
    private int accepted(int iteration) {
        int number = chosen[iteration];
        boolean newestIsMatched = matched[number] == stacks.size(number);
        return matched[number] - (newestIsMatched && iteration > reach ? 1 : 0);
    }

    /**
     * Of the servers without rank in the Accept Group the one of largest index with an open slot of the type, or
     * {@link #NONE}.
     */
    int acceptUnranked(int type) {
        return unranked.accept(type);
    }

    /** Rank of a server, from 0, or {@link #UNRANKED}. */
    int rank(int server) {
        int number = slots.configuration(server);
        return stacks.position(number, server) < matched[number] ? rank[number] : UNRANKED;
    }

    boolean inRejectGroup(int server) {
        int number = slots.configuration(server);
        if (server != stacks.newest(number)) {
            return false;
        }
        return stacks.size(number) > matched[number] || rank[number] > reach;
    }

    /**
     * RG_j: the server of highest rank in the Reject Group with a job of the type, lowest on ties; or {@link #NONE}.
     */
    int reject(int type) {
        int server = unranked.reject(type);
        for (int i = chosen.length - 1; server == NONE && i > reach; i--) {
            int newest = stacks.newest(chosen[i]);
            // If not all are matched, the newest has no rank and was checked already.
            if (newest != NONE && stacks.size(chosen[i]) == matched[chosen[i]] && slots.filled(newest, type) > 0) {
                server = newest;
            }
        }
        return server;
    }

    /** Servers in the Reject Group. */
    int rejectGroup() {
        int count = slots.nonEmptyStacks();
        for (int i = 0; i < chosen.length; i++) {
            boolean accepted = i <= reach && stacks.size(chosen[i]) == matched[chosen[i]];
            count -= accepted && matched[chosen[i]] > 0 ? 1 : 0;
        }
        return count;
    }

    /** Writes stacks and classification; the jobs in the slots come from the view. */
    void save(StateWriter out) {
        int[] written = new int[slots.configurations.size()];
        int count = 0;
        for (int number : slots.configurations.inOrder()) {
            if (stacks.size(number) > 0 || rank[number] != UNRANKED) {
                written[count++] = number;
            }
        }
        out.putInt(count);
        for (int k = 0; k < count; k++) {
            int number = written[k];
            out.putInts(slots.configurations.counts(number), types);
            out.putInt(rank[number]);
            out.putInt(matched[number]);
            out.putInt(stacks.size(number));
            for (int position = 0; position < stacks.size(number); position++) {
                out.putInt(stacks.at(number, position));
            }
        }
        out.putInt(chosen.length);
        out.putInt(reach);
    }

    /** Reads what {@link #save} wrote into new groups. */
    void restore(StateReader in, Placements placements) {
        int count = in.getInt();
        int[] numbers = new int[count];
        for (int k = 0; k < count; k++) {
            int number = number(in.getInts());
            numbers[k] = number;
            rank[number] = in.getInt();
            matched[number] = in.getInt();
            for (int rest = in.getInt(); rest > 0; rest--) {
                int server = in.getInt();
                slots.join(server, number, placements.of(server));
            }
        }
        chosen = new int[in.getInt()];
        reach = in.getInt();
        for (int number : numbers) {
            if (rank[number] != UNRANKED) {
                chosen[rank[number]] = number;
            }
            touch(number);
        }
    }

    /** The running jobs on a server of the class, per type. */
    interface Placements {
        int[] of(int server);
    }
}
