package dev.stowage.study.step;

import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import java.util.ArrayList;
import java.util.List;

/**
 * A run over time in at most {@value #MOST} points; when there are more each second one is left out. A look at the
 * servers per point.
 */
final class RunCurve {
    private static final int MOST = 1024;

    /**
     * One moment.
     *
     * @param use part of each resource's capacity that is held, of servers that are there; NaN where there is none
     */
    record Point(long at, long waiting, long running, int inUse, List<Double> use) {}

    private final List<Point> points = new ArrayList<>();
    private long gap = 1;
    private long due = Long.MIN_VALUE;

    /** When the next point is wanted. */
    boolean due(long at) {
        return at >= due;
    }

    void add(long at, View view) {
        points.add(of(at, view));
        if (points.size() > MOST) {
            for (int i = points.size() - 1; i > 0; i -= 2) {
                points.remove(i - 1);
            }
            gap = Math.max(gap * 2, (at - points.get(0).at()) / MOST);
        }
        due = at + gap;
    }

    List<Point> points() {
        return points;
    }

    /** What there is now. O(servers + queues). */
    static Point of(long at, View view) {
        long waiting = view.pending();
        for (int queue = 0; queue < view.queues(); queue++) {
            waiting += view.queueLength(queue);
        }
        double[] held = new double[view.resources()];
        double[] all = new double[view.resources()];
        long running = 0;
        int inUse = 0;
        for (int server = 0; server < view.servers(); server++) {
            if (view.status(server) == ServerStatus.GONE) {
                continue;
            }
            running += view.running(server);
            inUse += view.running(server) > 0 ? 1 : 0;
            for (int r = 0; r < held.length; r++) {
                held[r] += view.capacity(server, r) - view.free(server, r);
                all[r] += view.capacity(server, r);
            }
        }
        List<Double> use = new ArrayList<>();
        for (int r = 0; r < held.length; r++) {
            use.add(held[r] / all[r]);
        }
        return new Point(at, waiting, running, inUse, use);
    }
}
