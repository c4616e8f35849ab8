package dev.stowage.policies.fit;

import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.core.policy.View;
import java.util.ArrayList;
import java.util.List;

/**
 * Gangs among requests that are placed one by one: its members, in order of arrival, go each where a {@link
 * ServerChoice} puts it, as if those before were there; if one fits nowhere, none is placed. So a gang may wait that
 * another choice would have placed: to find out is a packing problem.
 *
 * <p>In every step gangs are decided before single requests, because they are harder to place: those that wait, where
 * room appeared, and then the new ones. An attempt costs a search and an update of the index for each member.
 */
public final class GangFit {
    private static final String WAITS = "no room for the whole gang now";

    /** Takes in that a server changed. */
    public interface Update {
        /** The free capacity of a server is another. */
        void of(int server);
    }

    private final ServerChoice servers;
    private final NumberSet touched = new NumberSet();
    private final List<Integer> waiting = new ArrayList<>();
    /** Whether one that waits lost a member since the last step, so that it may fit. */
    private boolean smaller;

    /** With the gangs that wait in queue 0. */
    public GangFit(View view, ServerChoice servers) {
        this.servers = servers;
        for (int job = view.queues() == 0 ? View.NONE : view.queueHead(0); job != View.NONE; job = view.next(job)) {
            int gang = view.gang(job);
            if (gang != View.NONE && view.gangMember(gang, 0) == job) {
                waiting.add(gang);
            }
        }
    }

    /** Whether a gang waits, after a {@link #round}. */
    public boolean areWaiting() {
        return !waiting.isEmpty();
    }

    /** Whether a {@link #round} has anything to do. */
    public boolean concerns(Undecided undecided) {
        return undecided.gangs() > 0 || smaller || !waiting.isEmpty();
    }

    /** A request that did not run has left. */
    public void left(View view, int job) {
        smaller |= view.gang(job) != View.NONE;
    }

    /**
     * Decides about the gangs of a step; those that do not fit wait in queue 0.
     *
     * @param room whether room appeared since the last step
     */
    public void round(View view, Actions actions, Undecided undecided, boolean room, Update update) {
        boolean again = room || smaller;
        smaller = false;
        if (again && !waiting.isEmpty()) {
            waiting.removeIf(gang -> view.gangSize(gang) == 0 || place(view, actions, gang, update));
        }
        for (int k = 0; k < undecided.gangs(); k++) {
            int gang = undecided.gang(k);
            if (!place(view, actions, gang, update)) {
                actions.enqueueGang(gang, 0, WAITS);
                waiting.add(gang);
            }
        }
    }

    /**
     * Writes what is not in the view, and nothing in most cases: so states from before there were gangs can be read.
     *
     * @param more whether the policy writes more after it
     */
    public void save(StateWriter out, boolean more) {
        if (smaller || more) {
            out.putBoolean(smaller);
        }
    }

    /** Reads the state, if there is any. */
    public void restore(StateReader in) {
        smaller = !in.atEnd() && in.getBoolean();
    }

    /** Places a gang if there is room for all of it. */
    public boolean place(View view, Actions actions, int gang, Update update) {
        boolean fits = true;
        int members = view.gangSize(gang);
        for (int k = 0; fits && k < members; k++) {
            int job = view.gangMember(gang, k);
            int server = servers.choose(view, job);
            fits = server != View.NONE;
            if (fits) {
                actions.assume(job, server);
                servers.update(view, server);
                touched.add(server);
            }
        }
        if (fits) {
            actions.placeGang(gang, servers.reason());
        } else {
            actions.assumeNothing();
        }
        for (int k = 0; k < touched.size(); k++) {
            update.of(touched.get(k));
        }
        touched.clear();
        return fits;
    }
}
