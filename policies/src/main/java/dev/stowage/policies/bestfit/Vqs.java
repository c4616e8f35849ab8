package dev.stowage.policies.bestfit;

import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.JobState;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.core.policy.View;
import dev.stowage.policies.fit.Undecided;
import org.jspecify.annotations.Nullable;

/**
 * VQS, virtual queue scheduling (section V). In every step each server, in index order, renews its configuration if it
 * is empty; then
 *
 * <ol>
 *   <li>if k_1 = 1, two thirds of it are reserved for class 1, and it takes the head of virtual queue 1 if it holds
 *       none;
 *   <li>it takes heads of the other virtual queue of its configuration, until one does not fit.
 * </ol>
 *
 * <p>Only servers that will take something are visited: O(J log n) each, O(log n) per placement. After a placement the
 * new head may fit a server whose turn is over; then another step follows at once, in slotted time in the next slot.
 */
final class Vqs implements Policy {
    private static final String HEAD = "head of a virtual queue of the server's configuration";
    private static final String WAITS = "in its virtual queue";

    private final VirtualQueues queues;
    private final ServerContents contents;
    private final ServerRooms rooms;
    private final @Nullable StallsLightConfigurations stalling;
    private final Undecided undecided = new Undecided();
    private FirstInFirstOut waiting;
    private Takers takers;
    private boolean anotherStepIsDue;

    Vqs(View view, VirtualQueueOptions options) {
        queues = new VirtualQueues(view, options.levels());
        contents = new ServerContents();
        rooms = new ServerRooms(view, queues);
        stalling = options.stalling() > 0 ? new StallsLightConfigurations(options.stalling(), queues, contents) : null;
        waiting = new FirstInFirstOut(queues.size());
        takers = new Takers(view, queues);
    }

    @Override
    public void started(View view, Actions actions) {
        rejoin(view);
    }

    /** All requests join their virtual queues anew. */
    private void rejoin(View view) {
        queues.clear(view);
        takers = new Takers(view, queues);
        waiting = new FirstInFirstOut(queues.size());
        for (int job = view.queueHead(0); job != View.NONE; job = view.next(job)) {
            join(view, job);
        }
        contents.recount(view, queues);
        takeInServers(view);
    }

    private void takeInServers(View view) {
        takers = new Takers(view, queues);
        rooms.recount(view);
        for (int server = 0; server < view.servers(); server++) {
            update(view, server);
        }
    }

    private void join(View view, int job) {
        int number = queues.join(view, job);
        if (number != View.NONE) {
            if (waiting.head(number) == View.NONE) {
                takers.headChanged(number);
            }
            waiting.append(number, job);
        }
    }

    /** Updates the data of a server. */
    private void update(View view, int server) {
        if (stalling != null) {
            stalling.changed(view, server);
        }
        refresh(view, server);
    }

    private void refresh(View view, int server) {
        takers.update(view, server, contents, rooms, stalling == null || stalling.isOpen(server));
    }

    @Override
    public void arrived(int job, View view, Actions actions) {
        if (queues.arrived(view, job)) {
            rejoin(view);
        }
    }

    @Override
    public void displaced(int job, int server, View view, Actions actions) {
        // Its size was recorded when it arrived.
    }

    @Override
    public void left(int job, int server, View view, Actions actions) {
        if (server != View.NONE) {
            contents.count(view, queues, server, job, -1);
            rooms.count(view, server, job, -1);
            update(view, server);
        } else {
            leave(job);
        }
    }

    private void leave(int job) {
        int number = queues.numberOf(job);
        if (number != View.NONE) {
            takers.headChanged(number);
            waiting.remove(number, job);
        }
        queues.leave(job);
    }

    @Override
    public void serverChanged(int server, View view, Actions actions) {
        if (queues.serverChanged(view, server)) {
            rejoin(view);
        } else if (!takers.knows(server)) {
            contents.recount(view, queues);
            takeInServers(view);
        } else {
            contents.recount(view, queues, server);
            rooms.recount(view, server);
            update(view, server);
        }
    }

    @Override
    public void timer(long tag, View view, Actions actions) {
        anotherStepIsDue = false;
    }

    @Override
    public void round(View view, Actions actions) {
        undecided.collect(view);
        for (int k = 0; k < undecided.size(); k++) {
            join(view, undecided.get(k));
        }
        takers.stepBegins();
        int server = takers.after(view, View.NONE, waiting);
        while (server != View.NONE) {
            serve(view, actions, server);
            server = takers.after(view, server, waiting);
        }
        for (int k = 0; k < undecided.size(); k++) {
            if (view.state(undecided.get(k)) == JobState.PENDING) {
                actions.enqueue(undecided.get(k), 0, WAITS);
            }
        }
        if (stalling != null && view.queueLength(0) > 0) {
            stall(view, stalling);
        }
        if (!anotherStepIsDue && takers.anyLeft(view, waiting)) {
            anotherStepIsDue = true;
            actions.timer(view.now() + 1, 0);
        }
    }

    private void serve(View view, Actions actions, int server) {
        if (view.firstOn(server) == View.NONE) {
            contents.renew(server, queues.heaviest(view, server));
        }
        int active = contents.active(server);
        int offset = queues.offset(view, server);
        if (ReducedConfigurations.holdsBig(active) && contents.big(server) == 0) {
            int job = waiting.head(offset + Partition.BIG);
            if (job != View.NONE && view.fits(job, server)) {
                place(view, actions, job, server);
            }
        }
        int other = queues.other(view, server, active);
        if (other != View.NONE) {
            fill(view, actions, server, other);
        }
        update(view, server);
    }

    private void fill(View view, Actions actions, int server, int number) {
        int active = contents.active(server);
        int job = waiting.head(number);
        while (job != View.NONE && rooms.has(view, server, active, job)) {
            place(view, actions, job, server);
            job = waiting.head(number);
        }
    }

    private void place(View view, Actions actions, int job, int server) {
        leave(job);
        actions.place(job, server, HEAD);
        contents.count(view, queues, server, job, 1);
        rooms.count(view, server, job, 1);
    }

    private void stall(View view, Stalling rule) {
        for (int server = rule.stallNext(view); server != View.NONE; server = rule.stallNext(view)) {
            refresh(view, server);
        }
    }

    @Override
    public void save(StateWriter out) {
        queues.save(out);
        contents.save(out);
        out.putBoolean(anotherStepIsDue);
        if (stalling != null) {
            stalling.save(out);
        }
    }

    @Override
    public void restore(StateReader in, View view) {
        queues.restore(in, view);
        waiting = new FirstInFirstOut(queues.size());
        for (int job = view.queueHead(0); job != View.NONE; job = view.next(job)) {
            if (queues.numberOf(job) != View.NONE) {
                waiting.append(queues.numberOf(job), job);
            }
        }
        contents.restore(in, view, queues);
        anotherStepIsDue = in.getBoolean();
        if (stalling != null) {
            stalling.restore(in, view);
        }
        takeInServers(view);
    }
}
