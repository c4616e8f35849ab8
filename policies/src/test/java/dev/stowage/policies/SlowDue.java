package dev.stowage.policies;

import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** The server that bf-due holds for a request that waits too long, worked out from the view each time. */
final class SlowDue {
    int server = -1;
    int job = -1;
    private long since;
    private long pausedUntil = Long.MIN_VALUE;
    private long holds;
    private long newest = -1;
    private int begun;

    /** Holds that were begun in all. */
    int begun() {
        return begun;
    }

    void arrived(View view, int one) {
        newest = Math.max(newest, view.order(one));
    }

    void end(View view) {
        pausedUntil = view.now() + holds * (view.now() - since);
        server = -1;
        job = -1;
    }

    boolean couldHold(View view, int one, int at) {
        return view.firstOn(at) >= 0
                && view.status(at) == ServerStatus.UP
                && view.admits(view.constraint(one), at)
                && IntStream.range(0, view.resources()).allMatch(r -> view.demand(one, r) <= view.capacity(at, r));
    }

    /** At the end of a step. */
    void look(View view) {
        int[] due = IntStream.iterate(view.queueHead(0), one -> one >= 0, view::next)
                .filter(one -> view.gang(one) < 0)
                .takeWhile(one -> newest - view.order(one) >= 10 * running(view))
                .limit(64)
                .toArray();
        if (due.length == 0) {
            holds = server < 0 || view.queueLength(0) == 0 ? 0 : holds;
        } else if (server < 0 && view.now() >= pausedUntil) {
            for (int k = 0; k < due.length && server < 0; k++) {
                int one = due[k];
                server = IntStream.range(0, view.servers())
                        .filter(at -> couldHold(view, one, at))
                        .boxed()
                        .min(Comparator.comparingDouble(at -> missing(view, one, at)))
                        .orElse(-1);
                job = one;
            }
            since = view.now();
            holds += server < 0 ? 0 : 1;
            begun += server < 0 ? 0 : 1;
        }
    }

    private static long running(View view) {
        return IntStream.range(0, view.servers()).mapToLong(view::running).sum();
    }

    private static double missing(View view, int one, int at) {
        return IntStream.range(0, view.resources())
                .filter(r -> view.capacity(at, r) > 0)
                .mapToDouble(r -> ((double) view.demand(one, r) - view.free(at, r)) / view.capacity(at, r))
                .map(part -> Math.max(0, part))
                .max()
                .orElse(0);
    }

    /** Of those that fit a server, the first; or the largest above half of it, if it is less than half full. */
    static int earliestOrHalf(View view, int server, List<Integer> fit) {
        long capacity = view.capacity(server, 0);
        boolean loose = view.resources() == 1 && 2 * view.free(server, 0) > capacity;
        return fit.stream()
                .filter(job -> loose && 2 * view.demand(job, 0) > capacity)
                .min(Comparator.<Integer>comparingLong(job -> -view.demand(job, 0))
                        .thenComparingLong(view::order))
                .or(() -> fit.stream().min(Comparator.comparingLong(view::order)))
                .orElse(-1);
    }
}
