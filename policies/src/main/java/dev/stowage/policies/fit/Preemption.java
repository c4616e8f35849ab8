package dev.stowage.policies.fit;

import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.JobState;
import dev.stowage.core.policy.Phase;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import java.util.Arrays;
import java.util.function.IntPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds running requests of lower priority to evict for a request that fits nowhere, if that makes enough room. On each
 * server as many as possible are spared, those of the highest priority first; of equals the smallest. The server with
 * the fewest victims is chosen, then the one whose highest victim priority is lowest, then the lowest-numbered. The
 * victims of a server are found by sparing one request after the other, not by trying all subsets: with one resource
 * and equal priorities this gives the fewest.
 *
 * <p>O(servers and their running requests) if any request has a priority; otherwise nothing is examined.
 */
public final class Preemption {
    /** The reason of a placement for which others were evicted; their own says for whom. */
    public static final String PLACES = "takes the place of requests of lower priority";

    private static final String NEEDED = "its room is needed by request ";
    private static final Pattern REASON = Pattern.compile(NEEDED + "(\\d{1,18}) .*", Pattern.DOTALL);

    private final boolean queues;
    private int[] candidates = new int[16];
    private int[] victims = new int[16];
    private int count;
    private boolean waits;
    private int best = View.NONE;
    private int chosen = View.NONE;

    /**
     * With {@code queues} a request may wait until victims with agents have stopped; otherwise requests with agents are
     * not evicted.
     */
    public Preemption(boolean queues) {
        this.queues = queues;
    }

    /**
     * Searches; true if evictions, or requests that are stopping already, make room: then {@link #server} will have
     * room.
     */
    public boolean find(View view, Actions actions, int job) {
        return find(view, actions, job, server -> true);
    }

    /** The same on the servers that are open to the request. */
    boolean find(View view, Actions actions, int job, IntPredicate open) {
        begin();
        for (int server = 0; view.prioritized() && server < view.servers(); server++) {
            if (open.test(server)) {
                lookIfUp(view, actions, job, server);
            }
        }
        return best != View.NONE;
    }

    /** The same on one server. */
    boolean findOn(View view, Actions actions, int job, int server) {
        begin();
        lookIfUp(view, actions, job, server);
        return best != View.NONE;
    }

    private void begin() {
        best = View.NONE;
        count = Integer.MAX_VALUE;
        chosen = View.NONE;
    }

    private void lookIfUp(View view, Actions actions, int job, int server) {
        if (view.status(server) == ServerStatus.UP && couldHold(view, job, server)) {
            look(view, actions, job, server);
        }
    }

    private static boolean couldHold(View view, int job, int server) {
        for (int r = 0; r < view.resources(); r++) {
            if (view.demand(job, r) > view.capacity(server, r)) {
                return false;
            }
        }
        return true;
    }

    /** The server that was found. */
    public int server() {
        return best;
    }

    /**
     * Whether there is room only after some requests have stopped. Then evict only those with agents now: others would
     * be placed again at once.
     */
    public boolean waits() {
        return waits;
    }

    /** Number of requests to evict; 0 if enough are stopping already. */
    public int victims() {
        return count;
    }

    /** The k-th request to evict, lowest priority first. */
    public int victim(int k) {
        return victims[k];
    }

    /** The reason of the evictions. */
    public static String reason(View view, int job) {
        return NEEDED + view.id(job) + " of priority " + view.priority(job);
    }

    /** The id of the request for which others were evicted, from that reason; -1 if it is another one. */
    public static long neededBy(String reason) {
        // Plug-ins give reasons too.
        Matcher known = REASON.matcher(reason);
        return known.matches() ? Long.parseLong(known.group(1)) : View.NONE;
    }

    private void look(View view, Actions actions, int job, int server) {
        int size = collect(view, job, server);
        for (int k = 0; k < size; k++) {
            actions.assumeLeft(candidates[k]);
        }
        if (!view.fits(job, server)) {
            actions.assumeNothing();
            return;
        }
        int going = 0;
        // The lowest come first, so the last are spared first.
        for (int k = size - 1; k >= 0; k--) {
            actions.assumeNothing(candidates[k]);
            if (!view.fits(job, server)) {
                actions.assumeLeft(candidates[k]);
                going++;
            } else {
                candidates[k] = View.NONE;
            }
        }
        actions.assumeNothing();
        keepIfBetter(view, server, size, going);
    }

    private void keepIfBetter(View view, int server, int size, int going) {
        int highest = View.NONE;
        int needed = 0;
        for (int k = 0; k < size; k++) {
            if (candidates[k] != View.NONE && view.phase(candidates[k]) != Phase.STOPPING) {
                needed++;
                highest = candidates[k];
            }
        }
        boolean better = best == View.NONE
                || needed < count
                || (needed == count && needed > 0 && view.priority(highest) < view.priority(chosen));
        if (going == 0 || !better) {
            return;
        }
        best = server;
        count = 0;
        waits = going > needed;
        chosen = highest;
        if (victims.length < size) {
            victims = Arrays.copyOf(victims, candidates.length);
        }
        for (int k = 0; k < size; k++) {
            if (candidates[k] != View.NONE && view.phase(candidates[k]) != Phase.STOPPING) {
                victims[count++] = candidates[k];
                waits |= view.hasAgent(candidates[k]);
            }
        }
    }

    /** Running requests of lower priority; those to be spared first come last. */
    private int collect(View view, int job, int server) {
        int size = 0;
        for (int other = view.firstOn(server); other != View.NONE; other = view.next(other)) {
            boolean lower = view.state(other) == JobState.RUNNING && view.priority(other) < view.priority(job);
            if (lower && (queues || !view.hasAgent(other))) {
                if (size == candidates.length) {
                    candidates = Arrays.copyOf(candidates, 2 * size);
                }
                int at = size++;
                for (; at > 0 && goesBefore(view, server, other, candidates[at - 1]); at--) {
                    candidates[at] = candidates[at - 1];
                }
                candidates[at] = other;
            }
        }
        return size;
    }

    /** Stopping requests come first, then the lowest priority, then the largest, then the latest. */
    private static boolean goesBefore(View view, int server, int one, int other) {
        boolean stopping = view.phase(one) == Phase.STOPPING;
        if (stopping != (view.phase(other) == Phase.STOPPING)) {
            return stopping;
        }
        if (view.priority(one) != view.priority(other)) {
            return view.priority(one) < view.priority(other);
        }
        int difference = Double.compare(size(view, server, one), size(view, server, other));
        return difference != 0 ? difference > 0 : view.order(one) > view.order(other);
    }

    private static double size(View view, int server, int job) {
        double sum = 0;
        for (int r = 0; r < view.resources(); r++) {
            sum += view.capacity(server, r) == 0 ? 0 : (double) view.demand(job, r) / view.capacity(server, r);
        }
        return sum;
    }
}
