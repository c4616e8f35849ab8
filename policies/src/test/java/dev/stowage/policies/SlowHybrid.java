package dev.stowage.policies;

import dev.stowage.core.policy.JobState;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The hybrid of servers for all and servers for a type, worked out from all servers each time. */
final class SlowHybrid {
    private static final long MINUTE = 60_000_000_000L;

    /** A class of run time and when its present stretch began, or a stretch that is over. */
    private record Type(int number, long stretch) {}

    /** Of servers in use: the type that a server is for, null if it is for all. */
    private final Map<Integer, @Nullable Type> inUse = new HashMap<>();

    void look(View view) {
        for (int server = 0; server < view.servers(); server++) {
            if (view.status(server) == ServerStatus.UP) {
                if (view.firstOn(server) < 0) {
                    inUse.remove(server);
                } else if (!inUse.containsKey(server)) {
                    inUse.put(server, wants(view, view.firstOn(server)));
                }
            }
        }
    }

    /** The type whose own servers a request goes to; null if it goes to those for all. */
    private @Nullable Type wants(View view, int job) {
        Type type = type(view, job);
        if (isPresent(view, type) && !up(view, type).isEmpty()) {
            return type;
        }
        long load = size(view, job);
        for (int server : isPresent(view, type) ? up(view, null) : List.<Integer>of()) {
            for (int other = view.firstOn(server); other >= 0; other = view.next(other)) {
                load += type(view, other).equals(type) ? size(view, other) : 0;
            }
        }
        return load > 1e9 / (2 * Math.sqrt(type.number())) ? type : null;
    }

    /** Those that are for a type, or for all. */
    private List<Integer> up(View view, @Nullable Type wanted) {
        List<Integer> servers = new ArrayList<>();
        inUse.forEach((server, type) -> {
            if (Objects.equals(type, wanted) && view.status(server) == ServerStatus.UP) {
                servers.add(server);
            }
        });
        return servers;
    }

    private static boolean isPresent(View view, Type type) {
        return type.stretch() == view.now() / length(type.number());
    }

    private static long length(int number) {
        return number == 28 ? Long.MAX_VALUE : MINUTE << (number - 1);
    }

    private static Type type(View view, int job) {
        long expected = view.expectedNanos(job);
        int number = 1;
        while (number < 28 && (expected == 0 || length(number) <= expected)) {
            number++;
        }
        long since = view.state(job) == JobState.RUNNING ? view.runsSince(job) : view.now();
        return new Type(number, since / length(number));
    }

    private static long size(View view, int job) {
        double most = 0;
        for (int r = 0; r < view.resources(); r++) {
            most = Math.max(most, (double) view.demand(job, r) / Math.max(1, view.classCapacity(0, r)));
        }
        return Math.round(1e9 * Math.min(1, most));
    }

    /** The servers that it goes to, empty ones, those for all, by class, of stretches that are over. */
    int place(View view, int job, int server) {
        Type wanted = wants(view, job);
        if (!inUse.containsKey(server)) {
            return 1;
        }
        Type its = inUse.get(server);
        if (Objects.equals(its, wanted) && (its == null || isPresent(view, its))) {
            return 0;
        }
        return its == null ? 2 : isPresent(view, its) ? 2 + its.number() : 100;
    }
}
