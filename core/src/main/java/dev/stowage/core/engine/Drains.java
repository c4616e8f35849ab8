package dev.stowage.core.engine;

import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import java.util.Map;
import java.util.TreeMap;

/** The draining servers whose requests are moved, and how fast. */
final class Drains {
    /**
     * One server.
     *
     * @param gapNanos from one request to the next
     * @param timer of the next, -1 while there is nothing to move
     */
    record Drain(long gapNanos, int timer) {}

    private final Map<Integer, Drain> drains = new TreeMap<>();

    boolean any() {
        return !drains.isEmpty();
    }

    void put(int server, long gapNanos, int timer) {
        drains.put(server, new Drain(gapNanos, timer));
    }

    long gapNanos(int server) {
        Drain drain = drains.get(server);
        return drain == null ? 0 : drain.gapNanos;
    }

    /** Whether there are no requests to move off a server now. */
    boolean isIdle(int server) {
        Drain drain = drains.get(server);
        return drain != null && drain.timer == State.NONE;
    }

    /** Requests are not moved any more. */
    void end(int server, Timers timers) {
        Drain drain = drains.remove(server);
        if (drain != null && drain.timer != State.NONE) {
            timers.remove(drain.timer);
        }
    }

    void save(StateWriter out) {
        out.putInt(drains.size());
        drains.forEach((server, drain) -> {
            out.putInt(server);
            out.putLong(drain.gapNanos);
            out.putInt(drain.timer);
        });
    }

    void restore(StateReader in) {
        for (int n = in.getInt(); n > 0; n--) {
            put(in.getInt(), in.getLong(), in.getInt());
        }
    }
}
