package dev.stowage.policies.fit;

import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.JobState;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.core.policy.View;
import java.util.Arrays;
import java.util.function.Function;
import java.util.function.IntPredicate;

/**
 * One queue, looked through from the request's side: at the end of every step each request, in order of arrival, goes
 * to the server that a {@link ServerChoice} names, or waits. A request that does not fit does not hold up later ones
 * it.
 *
 * <p>The queue is not really looked through. No request that waits fitted anywhere when the last step ended, so only
 * where room appeared since ({@link FreedRoom}) can it fit now; an index names the earliest for each such server. A
 * step costs one search per server with new room, per placement and per arrival. Where pools gave back room, each
 * distinct demand that waits in front of the one found costs a search more; so it is with requests that wait spread
 * over
 * the values of a label, where one that leaves makes room on other servers.
 *
 * <p>Where requests have priorities, the order is that of priority, then of arrival. One that fits nowhere may take the
 * place of lower ones ({@link Preemption}): when it is new, and as the first in the queue whenever room appeared. Where
 * those have agents, their server is held for it until they have stopped ({@link HeldServers}): meanwhile only requests
 * that go before it are placed there, gangs not at all.
 */
public final class JobByJob implements Policy {
    private static final String WAITS = "fits no server now";
    private static final String HOLDS = "requests of lower priority are stopping to make room for it";

    private final ServerChoice servers;
    private final EarliestJob waiting;
    private final boolean preempts;
    private final Preemption preemption = new Preemption(true);
    private final FreedRoom freed = new FreedRoom();
    /** Where requests were evicted, or that are held no more, since the queue was last looked through. */
    private final FreedRoom emptied = new FreedRoom();

    private final HeldServers held = new HeldServers();

    private final Undecided undecided = new Undecided();
    private final GangFit gangs;

    /** Constraints that somebody waits with, and that may have room on servers where nobody left. */
    private final NumberSet spreads = new NumberSet();

    /**
     * Earliest waiting request for each server, then each site, of {@link #freed}, then for each of {@link #spreads};
     * NONE when there is none any more.
     */
    private int[] candidates = new int[16];

    /**
     * With the state of the view.
     *
     * @param choice makes the choice among servers that are open; one that opens or closes is updated
     * @param preempts whether requests of higher priority may take the place of lower ones
     */
    public JobByJob(View view, Function<IntPredicate, ServerChoice> choice, boolean preempts) {
        servers = choice.apply(server -> !held.isHeld(server));
        this.preempts = preempts;
        waiting = new EarliestJob(view);
        gangs = new GangFit(view, servers);
    }

    @Override
    public void arrived(int job, View view, Actions actions) {
        // Decided when the step ends.
    }

    @Override
    public void left(int job, int server, View view, Actions actions) {
        if (server != View.NONE) {
            servers.left(view, job, server);
            freed.left(view, job, server);
        } else if (waiting.contains(job)) {
            waiting.remove(job);
            int empty = held.server(job);
            if (empty != View.NONE) {
                release(view, empty);
                freed.changed(view, empty);
            }
        } else {
            gangs.left(view, job);
        }
    }

    @Override
    public void adopted(int job, int server, View view, Actions actions) {
        servers.update(view, server);
    }

    @Override
    public void moveOff(int job, View view, Actions actions) {
        int from = view.server(job);
        int target = Moving.off(view, actions, job, servers);
        if (target != View.NONE) {
            servers.update(view, target);
            freed.left(view, job, from);
        }
    }

    @Override
    public void serverChanged(int server, View view, Actions actions) {
        servers.update(view, server);
        waiting.serversChanged(view);
        freed.changed(view, server);
    }

    @Override
    public void round(View view, Actions actions) {
        if (!held.isEmpty()) {
            held.servers().forEach(server -> lookAfter(view, actions, server));
        }
        if (!emptied.isEmpty()) {
            freed.addAll(emptied);
            emptied.clear();
        }
        lookThrough(view, actions);
        if (preempts && view.prioritized()) {
            boolean room = !freed.isEmpty();
            while (goOn(view, actions, room)) {
                lookThrough(view, actions);
                room = true;
            }
        }
        freed.clear();
    }

    /** Whether the room on a held server is still to come: who had no agent to wait for goes when the others have. */
    private void lookAfter(View view, Actions actions, int server) {
        int job = held.job(server);
        if (view.status(server) == ServerStatus.UP && view.fits(job, server)) {
            // It is the first to be placed there, unless one goes before it.
            return;
        }
        boolean comes = preemption.findOn(view, actions, job, server);
        if (comes && !preemption.waits()) {
            makeRoom(view, actions, job);
            waiting.remove(job);
            place(view, actions, job, server, Preemption.PLACES);
        } else if (!comes || asksMore(view)) {
            release(view, server);
            emptied.changed(view, server);
        }
    }

    /** Whether the room that was found takes one with an agent to stop that was not asked to. */
    private boolean asksMore(View view) {
        boolean more = false;
        for (int k = 0; k < preemption.victims(); k++) {
            more |= view.hasAgent(preemption.victim(k));
        }
        return more;
    }

    private void release(View view, int server) {
        held.release(server);
        servers.update(view, server);
    }

    /** Whether somebody was evicted, or is now for the sake of the first in the queue, where room appeared. */
    private boolean goOn(View view, Actions actions, boolean room) {
        boolean evicted = !emptied.isEmpty();
        if (!evicted && room && view.queueLength(0) > 0) {
            int first = firstWithoutServer(view);
            if (first != View.NONE && makesRoom(view, actions, first)) {
                waiting.remove(first);
                place(view, actions, first, preemption.server(), Preemption.PLACES);
            }
        }
        if (!evicted) {
            freed.clear();
        }
        freed.addAll(emptied);
        emptied.clear();
        return !freed.isEmpty() || view.pending() > 0;
    }

    private int firstWithoutServer(View view) {
        int first = View.NONE;
        for (int job = view.queueHead(0); job != View.NONE; job = view.next(job)) {
            boolean single = view.gang(job) == View.NONE && held.server(job) == View.NONE;
            first = single && (first == View.NONE || Undecided.goesFirst(view, job, first)) ? job : first;
        }
        return first;
    }

    /** Evicts what is in the way of a request, if that makes room; whether the room is there at once. */
    private boolean makesRoom(View view, Actions actions, int job) {
        return preempts
                && preemption.find(view, actions, job, server -> held.admits(view, server, job))
                && makeRoom(view, actions, job);
    }

    private boolean makeRoom(View view, Actions actions, int job) {
        int server = preemption.server();
        for (int k = 0; k < preemption.victims(); k++) {
            int victim = preemption.victim(k);
            if (!preemption.waits() || view.hasAgent(victim)) {
                actions.evict(victim, Preemption.reason(view, job));
            }
            if (!preemption.waits()) {
                emptied.left(view, victim, server);
            }
        }
        if (preemption.waits()) {
            held.hold(server, job);
        } else {
            held.release(server);
        }
        servers.update(view, server);
        return !preemption.waits();
    }

    /** An open server that fits, or else one held for somebody that goes after the request. */
    private int choose(View view, int job) {
        int server = servers.choose(view, job);
        return server != View.NONE || held.isEmpty() ? server : held.choose(view, job);
    }

    private void lookThrough(View view, Actions actions) {
        undecided.collect(view);
        if (gangs.concerns(undecided)) {
            gangs.round(view, actions, undecided, !freed.isEmpty(), server -> servers.update(view, server));
        }
        if (!freed.isEmpty() && waiting.size() > 0) {
            waiting.spreadOverLabels(view, spreads);
            if (!held.isEmpty()) {
                held.servers().forEach(server -> freed.changed(view, server));
            }
        }
        findCandidates(view);
        int next = 0;
        // After an eviction it is looked through anew: those first in line come first to the room that is left.
        while (emptied.isEmpty()) {
            int oldest = earliestCandidate(view);
            boolean isNew = next < undecided.size()
                    && (oldest == View.NONE || Undecided.goesFirst(view, undecided.get(next), oldest));
            if (isNew) {
                decide(view, actions, undecided.get(next++));
            } else if (oldest != View.NONE) {
                waiting.remove(oldest);
                place(view, actions, oldest, choose(view, oldest));
            } else {
                break;
            }
        }
        spreads.clear();
    }

    private void decide(View view, Actions actions, int job) {
        int server = choose(view, job);
        if (server == View.NONE && makesRoom(view, actions, job)) {
            place(view, actions, job, preemption.server(), Preemption.PLACES);
        } else if (server == View.NONE) {
            waiting.expect(view, job);
            actions.enqueue(job, 0, held.server(job) == View.NONE ? WAITS : HOLDS);
            waiting.add(view, job);
        } else {
            place(view, actions, job, server);
        }
    }

    private void place(View view, Actions actions, int job, int server) {
        place(view, actions, job, server, servers.reason());
    }

    private void place(View view, Actions actions, int job, int server, String reason) {
        actions.place(job, server, servers.devices(view, job, server), reason);
        int empty = held.server(job);
        if (empty != View.NONE) {
            release(view, empty);
            if (empty != server) {
                emptied.changed(view, empty);
            }
        }
        servers.placed(view, job, server);
    }

    private void findCandidates(View view) {
        int count = freed.servers().size() + freed.sites().size() + spreads.size();
        if (count > candidates.length) {
            candidates = Arrays.copyOf(candidates, Math.max(count, 2 * candidates.length));
        }
        for (int k = 0; k < count; k++) {
            candidates[k] = waiting.size() == 0 ? View.NONE : candidate(view, k);
        }
    }

    private int candidate(View view, int k) {
        int serverCount = freed.servers().size();
        if (k < serverCount) {
            int server = freed.servers().get(k);
            int job = waiting.choose(view, server);
            return job == View.NONE || held.admits(view, server, job) ? job : View.NONE;
        }
        int siteCount = freed.sites().size();
        return k - serverCount < siteCount
                ? waiting.chooseIn(view, freed.sites().get(k - serverCount), servers)
                : waiting.chooseWith(view, spreads.get(k - serverCount - siteCount), servers);
    }

    /**
     * The earliest of the candidates. Room only shrinks while the queue is looked through, so a candidate that still
     * fits is still the earliest.
     */
    private int earliestCandidate(View view) {
        int earliest = View.NONE;
        int count = freed.servers().size() + freed.sites().size() + spreads.size();
        for (int k = 0; k < count; k++) {
            if (candidates[k] != View.NONE && !isValid(view, k)) {
                candidates[k] = candidate(view, k);
            }
            int job = candidates[k];
            if (job != View.NONE && (earliest == View.NONE || Undecided.goesFirst(view, job, earliest))) {
                earliest = job;
            }
        }
        return earliest;
    }

    private boolean isValid(View view, int k) {
        int job = candidates[k];
        if (view.state(job) != JobState.WAITING) {
            return false;
        }
        int serverCount = freed.servers().size();
        if (k < serverCount) {
            int server = freed.servers().get(k);
            return view.fits(job, server) && held.admits(view, server, job);
        }
        return k - serverCount < freed.sites().size()
                ? servers.choose(view, job, freed.sites().get(k - serverCount)) != View.NONE
                : servers.choose(view, job) != View.NONE;
    }

    @Override
    public void save(StateWriter out) {
        freed.save(out);
        gangs.save(out, !held.isEmpty());
        if (!held.isEmpty()) {
            held.save(out);
        }
    }

    @Override
    public void restore(StateReader in, View view) {
        freed.restore(in);
        gangs.restore(in);
        if (!in.atEnd()) {
            held.restore(in);
            held.servers().forEach(server -> servers.update(view, server));
        }
    }
}
