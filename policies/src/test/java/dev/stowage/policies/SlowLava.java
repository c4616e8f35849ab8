package dev.stowage.policies;

import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Lifetime classes of servers, as LAVA has them, over all servers. */
final class SlowLava {
    private static final class Server {
        int number;
        /** Since when it is recycled, or null if it is open. */
        @Nullable
        Long recycled;

        long allowed;
    }

    private final Map<Integer, Server> inUse = new TreeMap<>();

    void look(View view) {
        for (int server = 0; server < view.servers(); server++) {
            if (view.status(server) == ServerStatus.UP) {
                look(view, server);
            }
        }
    }

    private void look(View view, int server) {
        if (view.firstOn(server) < 0) {
            inUse.remove(server);
            return;
        }
        Server its = inUse.get(server);
        if (its == null) {
            its = new Server();
            inUse.put(server, its);
            for (int job = view.firstOn(server); job >= 0; job = view.next(job)) {
                its.number = Math.max(its.number, number(view, job));
            }
            allow(its, view.now());
        }
        while (its.allowed <= view.now()) {
            its.number++;
            allow(its, its.allowed);
        }
        if (its.recycled == null) {
            for (int r = 0; r < view.resources(); r++) {
                if (view.capacity(server, r) > 0 && view.free(server, r) <= view.capacity(server, r) / 10) {
                    its.recycled = view.now();
                }
            }
            return;
        }
        boolean over = true;
        for (int job = view.firstOn(server); job >= 0; job = view.next(job)) {
            over &= view.runsSince(job) > its.recycled;
        }
        if (over) {
            its.number = its.number == 1 ? 1 : its.number - 1;
            its.recycled = view.now();
            allow(its, view.now());
        }
    }

    private static void allow(Server server, long from) {
        server.allowed = switch (server.number) {
            case 1 -> from + SlowLifetimes.HOUR;
            case 2 -> from + 10 * SlowLifetimes.HOUR;
            case 3 -> from + 100 * SlowLifetimes.HOUR;
            default -> Long.MAX_VALUE;
        };
    }

    private static int number(View view, int job) {
        return SlowLifetimes.tenfold(SlowLifetimes.end(view, job) - view.now());
    }

    /** Recycled longer, open of its own class, open longer, recycled of its own, shorter, then empty servers. */
    int place(View view, int job, int server) {
        Server its = inUse.get(server);
        if (its == null) {
            return 100;
        }
        int longer = its.number - number(view, job);
        boolean recycled = its.recycled != null;
        if (longer > 0) {
            return recycled ? longer : 20 + longer;
        }
        if (longer == 0) {
            return recycled ? 30 : 10;
        }
        return 40 - 2 * longer + (recycled ? 0 : 1);
    }
}
