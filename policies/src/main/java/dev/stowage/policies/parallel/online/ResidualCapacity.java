package dev.stowage.policies.parallel.online;

import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.core.policy.View;
import java.util.Arrays;

/**
 * DRC, Algorithm 5: the capacity left on a server is distributed to its tasks by equivalent load, and taken back later.
 * Remembers the amount that each task has from its plan. O(tasks on the server).
 */
final class ResidualCapacity {
    private final Center center;
    private long[] planned = new long[16];

    ResidualCapacity(Center center) {
        this.center = center;
    }

    /** A task holds an amount of its own. */
    void planned(int task, long amount) {
        if (task >= planned.length) {
            planned = Arrays.copyOf(planned, Math.max(task + 1, 2 * planned.length));
        }
        planned[task] = amount;
    }

    /** Takes back what was distributed, on all servers. */
    void takeBack(View view, Actions actions) {
        for (int j = 0; j < view.servers(); j++) {
            for (int task = view.firstOn(j); task != View.NONE; task = view.next(task)) {
                if (isTask(view, task) && view.share(task) > planned[task]) {
                    actions.allocate(task, planned[task]);
                }
            }
        }
    }

    void distribute(View view, Actions actions) {
        for (int j = 0; j < view.servers(); j++) {
            distribute(j, view, actions);
        }
    }

    void distribute(int server, View view, Actions actions) {
        long residual = view.free(server, center.divisible());
        if (residual == 0) {
            return;
        }
        double total = 0;
        for (int task = view.firstOn(server); task != View.NONE; task = view.next(task)) {
            total += isTask(view, task) ? center.equivalentLoad(view, task, server) : 0;
        }
        for (int task = view.firstOn(server); task != View.NONE; task = view.next(task)) {
            if (isTask(view, task)) {
                double part = center.equivalentLoad(view, task, server) / total;
                long extra = Math.min((long) (residual * part), view.free(server, center.divisible()));
                if (extra > 0) {
                    actions.allocate(task, view.share(task) + extra);
                }
            }
        }
    }

    /** A dummy of another policy holds capacity too, but is not a task. */
    static boolean isTask(View view, int job) {
        return view.id(job) >= 0;
    }

    /** The task is gone. */
    void forget(int task) {
        planned(task, 0);
    }

    /** By handle, up to the last task, so that the bytes do not depend on the length of the arrays. */
    void save(StateWriter out) {
        int length = planned.length;
        while (length > 0 && planned[length - 1] == 0) {
            length--;
        }
        out.putLongs(planned, length);
    }

    void restore(StateReader in) {
        long[] saved = in.getLongs();
        planned = Arrays.copyOf(saved, Math.max(planned.length, saved.length));
    }
}
