package dev.stowage.policies.bestfit;

import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.JobState;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.core.policy.View;
import dev.stowage.policies.fit.FirstFit;
import dev.stowage.policies.fit.FreedRoom;
import dev.stowage.policies.fit.GangFit;
import dev.stowage.policies.fit.Moving;
import dev.stowage.policies.fit.NumberSet;
import dev.stowage.policies.fit.ServerChoice;
import dev.stowage.policies.fit.Undecided;
import dev.stowage.policies.fit.WaitingJobs;
import java.util.Objects;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * What BF-S and BF-J/S have in common: servers, in index order, are filled with the requests that fit them best, from
 * the whole queue with the new arrivals in it.
 *
 * <p>Nothing that waits fits anywhere when a step has ended, so in the next step only servers where room appeared need
 * to be filled, and for BF-S those that fit a new arrival.
 */
abstract class ServerByServer implements Policy {
    private static final String BEST_FOR_SERVER = "best waiting request for the server";
    private static final String WAITS = "fits no server now";

    private final WaitingJobs waiting;
    private final FreedRoom freed = new FreedRoom();
    private final Undecided undecided = new Undecided();
    /** Absent until there is a gang. */
    private @Nullable GangFit gangs;
    /** Constraints of waiting requests that may get room on servers without a departure. */
    private final NumberSet spreads = new NumberSet();
    /**
     * Finds the servers for waiting requests that only a pool or a spread limit kept out; absent until it is needed.
     */
    private @Nullable FirstFit firstFit;
    /** Absent where no server is ever stalled. */
    private final @Nullable Stalling stalling;

    ServerByServer(WaitingJobs waiting, @Nullable FirstFit firstFit, @Nullable Stalling stalling) {
        this.waiting = waiting;
        this.firstFit = firstFit;
        this.stalling = stalling;
    }

    /** The servers that a stalling rule leaves open. */
    static IntPredicate open(@Nullable Stalling stalling) {
        return stalling == null ? server -> true : stalling::isOpen;
    }

    /** The next request for a server that is being filled, or NONE when it is to take no more. */
    int next(View view, int server) {
        return waiting.choose(view, server);
    }

    /** Places a waiting request out of turn, at the beginning of a step. */
    final void placeFirst(View view, Actions actions, int job, int server, String reason) {
        waiting.remove(job);
        actions.place(job, server, reason);
        update(view, server);
    }

    /** A server that has room may take requests again. */
    final void opened(View view, int server) {
        refresh(view, server);
        freed.changed(view, server);
    }

    /** A waiting request or a new arrival was placed. */
    void placed(View view, int job, int server) {
        // Of no concern to most.
    }

    /** Updates the data of a server that changed. */
    void update(View view, int server) {
        if (stalling != null) {
            stalling.changed(view, server);
        }
        refresh(view, server);
    }

    /** Brings the indexes of servers up to date. */
    void refresh(View view, int server) {
        if (firstFit != null) {
            firstFit.update(view, server);
        }
    }

    /** Whether servers are filled for new arrivals even if room appeared nowhere. */
    abstract boolean fillsForArrivals();

    /** The filling of servers begins. */
    abstract void beginFilling(View view, Undecided arrivals);

    /** The lowest-numbered server to be filled for the sake of a new arrival, or NONE. */
    abstract int serverForArrivals(View view, Undecided arrivals);

    /** Where members of gangs go, and requests that are moved. */
    abstract ServerChoice choice();

    /** Places a new arrival that no server has taken; false if it fits nowhere. */
    abstract boolean placeArrival(View view, Actions actions, int job);

    @Override
    public void started(View view, Actions actions) {
        for (int server = 0; server < view.servers() && stalling != null; server++) {
            stalling.changed(view, server);
        }
    }

    @Override
    public void arrived(int job, View view, Actions actions) {
        // Decided when the step ends.
    }

    @Override
    public void left(int job, int server, View view, Actions actions) {
        if (server != View.NONE) {
            update(view, server);
            freed.left(view, job, server);
        } else if (waiting.contains(job)) {
            waiting.remove(job);
        } else {
            gangs(view).left(view, job);
        }
    }

    @Override
    public void adopted(int job, int server, View view, Actions actions) {
        update(view, server);
    }

    @Override
    public void moveOff(int job, View view, Actions actions) {
        int from = view.server(job);
        int target = Moving.off(view, actions, job, choice());
        if (target != View.NONE) {
            update(view, target);
            update(view, from);
            freed.left(view, job, from);
        }
    }

    @Override
    public void serverChanged(int server, View view, Actions actions) {
        update(view, server);
        waiting.serversChanged(view);
        freed.changed(view, server);
    }

    @Override
    public void round(View view, Actions actions) {
        undecided.collect(view);
        for (int k = 0; k < undecided.size(); k++) {
            waiting.expect(view, undecided.get(k));
        }
        if (gangs != null || undecided.gangs() > 0) {
            gangs(view).round(view, actions, undecided, !freed.isEmpty(), server -> update(view, server));
        }
        if (fillsForArrivals() || !freed.isEmpty()) {
            for (int k = 0; k < undecided.size(); k++) {
                waiting.add(view, undecided.get(k));
            }
            fillServers(view, actions);
        }
        freed.clear();
        spreads.clear();
        for (int k = 0; k < undecided.size(); k++) {
            if (view.state(undecided.get(k)) == JobState.PENDING) {
                decide(view, actions, undecided.get(k));
            }
        }
        if (stalling != null && (waiting.size() > 0 || (gangs != null && gangs.areWaiting()))) {
            stall(view, stalling);
        }
    }

    private GangFit gangs(View view) {
        GangFit made = gangs == null ? new GangFit(view, choice()) : gangs;
        gangs = made;
        return made;
    }

    private void stall(View view, Stalling rule) {
        for (int server = rule.stallNext(view); server != View.NONE; server = rule.stallNext(view)) {
            refresh(view, server);
        }
    }

    private void fillServers(View view, Actions actions) {
        freed.sort();
        if (!freed.isEmpty()) {
            waiting.spreadOverLabels(view, spreads);
        }
        beginFilling(view, undecided);
        int done = 0;
        while (waiting.size() > 0) {
            int listed = done < freed.servers().size() ? freed.servers().get(done) : View.NONE;
            int server = FreedRoom.lower(listed, serverForArrivals(view, undecided));
            server = FreedRoom.lower(server, serverForPools(view));
            server = FreedRoom.lower(server, serverForSpreads(view));
            if (server == View.NONE) {
                return;
            }
            if (server == listed) {
                done++;
            }
            fill(view, actions, server);
        }
    }

    private int serverForPools(View view) {
        int lowest = View.NONE;
        for (int k = 0; k < freed.sites().size(); k++) {
            int server = waiting.lowestServer(view, freed.sites().get(k), Objects.requireNonNull(firstFit));
            lowest = FreedRoom.lower(lowest, server);
        }
        return lowest;
    }

    private int serverForSpreads(View view) {
        int lowest = View.NONE;
        for (int k = 0; k < spreads.size(); k++) {
            if (firstFit == null) {
                firstFit = FirstFit.whateverThePenalty(view, open(stalling));
            }
            lowest = FreedRoom.lower(lowest, waiting.lowestServerFor(view, spreads.get(k), firstFit));
        }
        return lowest;
    }

    private void fill(View view, Actions actions, int server) {
        if (stalling != null && !stalling.isOpen(server)) {
            return;
        }
        int job = next(view, server);
        while (job != View.NONE) {
            waiting.remove(job);
            actions.place(job, server, BEST_FOR_SERVER);
            placed(view, job, server);
            job = next(view, server);
        }
        update(view, server);
    }

    private void decide(View view, Actions actions, int job) {
        if (placeArrival(view, actions, job)) {
            if (waiting.contains(job)) {
                waiting.remove(job);
            }
            return;
        }
        actions.enqueue(job, 0, WAITS);
        if (!waiting.contains(job)) {
            waiting.add(view, job);
        }
    }

    @Override
    public void save(StateWriter out) {
        freed.save(out);
        if (stalling != null) {
            stalling.save(out);
        }
        if (gangs != null) {
            gangs.save(out, false);
        }
    }

    @Override
    public void restore(StateReader in, View view) {
        freed.restore(in);
        if (stalling != null) {
            stalling.restore(in, view);
            for (int server = 0; server < view.servers(); server++) {
                refresh(view, server);
            }
        }
        gangs(view).restore(in);
    }
}
