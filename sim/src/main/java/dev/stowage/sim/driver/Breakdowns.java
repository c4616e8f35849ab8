package dev.stowage.sim.driver;

import dev.stowage.core.engine.Commands;
import dev.stowage.core.engine.DeadlineHeap;
import dev.stowage.core.random.KeyedRandom;
import dev.stowage.core.random.Streams;
import dev.stowage.sim.workload.Distribution;
import java.util.BitSet;
import java.util.List;

/**
 * Servers that fail and are repaired. The times are keyed by server and number of the failure: they do not depend on
 * the policy, and those of one server do not depend on the other servers. O(log servers) per failure.
 */
final class Breakdowns {
    private static final long FAILURES = Streams.of("server-failures");
    private static final int NUMBER_BITS = 32;
    private static final double NANOS = 1e9;

    private final List<ServerFailures> all;
    private final long seed;
    private final KeyedRandom random = new KeyedRandom();
    private final DeadlineHeap events = new DeadlineHeap();
    private final BitSet down = new BitSet();
    /** Changes drawn so far, by server. */
    private final int[] drawn;

    Breakdowns(List<ServerFailures> all, long seed) {
        this.all = all;
        this.seed = seed;
        drawn = new int
                [all.stream().mapToInt(each -> each.from() + each.count()).max().orElse(0)];
        for (ServerFailures each : all) {
            for (int server = each.from(); server < each.from() + each.count(); server++) {
                draw(server, 0, each.toFailure());
            }
        }
    }

    /** When the next server fails or is repaired, or {@link DeadlineHeap#NEVER}. */
    long next() {
        return events.firstDeadline();
    }

    /** Whether some server is down. */
    boolean anyDown() {
        return !down.isEmpty();
    }

    /** Carries out the next failure or repair, at its time or at a slot boundary after it. */
    void apply(long at, Commands commands) {
        int server = events.firstHandle();
        long since = events.firstDeadline();
        ServerFailures its = of(server);
        if (down.get(server)) {
            down.clear(server);
            commands.returnServer(at, server);
            draw(server, since, its.toFailure());
        } else {
            down.set(server);
            commands.loseServer(at, server);
            draw(server, since, its.toRepair());
        }
    }

    private ServerFailures of(int server) {
        return all.stream().filter(each -> each.has(server)).findFirst().orElseThrow();
    }

    private void draw(int server, long since, Distribution seconds) {
        long index = ((long) server << NUMBER_BITS) + drawn[server]++;
        long lasts = Math.max(1, Math.round(NANOS * seconds.sample(random.key(seed, FAILURES, index))));
        events.put(server, lasts > DeadlineHeap.NEVER - 1 - since ? DeadlineHeap.NEVER - 1 : since + lasts, server);
    }
}
