package dev.stowage.core.engine;

import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** The draining servers whose requests are moved, and how fast. */
final class Drains {
    /**
     * One server.
     *
     * @param gapNanos from one request to the next
     * @param timer of the next, -1 while there is nothing to move
     * @param vain attempts in a row that moved nothing, with nothing changed between them, as far as counted;
     *     not saved
     * @param digest after the last of them
     */
    record Drain(long gapNanos, int timer, int vain, long digest) {
        Drain(long gapNanos, int timer) {
            this(gapNanos, timer, 0, 0);
        }
    }

    /** At most so many attempts are made up for at once. */
    private static final int MOST_AT_ONCE = 64;

    private static final long LONGEST_PAUSE = 60_000_000_000L;

    private final Map<Integer, Drain> drains = new TreeMap<>();

    boolean any() {
        return !drains.isEmpty();
    }

    void put(int server, long gapNanos, int timer) {
        drains.put(server, new Drain(gapNanos, timer));
    }

    /** There is another policy, which may move what the last could not. */
    void policyChanged() {
        drains.replaceAll((server, drain) -> new Drain(drain.gapNanos, drain.timer));
    }

    /** The next attempt, after one that moved nothing. */
    void putInVain(int server, Drain before, int timer, long digest) {
        int vain = before.vain > 0 && before.digest == digest ? Math.min(before.vain, MOST_AT_ONCE) + 1 : 1;
        drains.put(server, new Drain(before.gapNanos, timer, vain, digest));
    }

    Drain of(int server) {
        return Objects.requireNonNull(drains.get(server));
    }

    /** How much later than due the time may come for the next attempt: as long as has been tried in vain. */
    long pauseNanos(int server, long digest) {
        Drain drain = of(server);
        return drain.vain == 0 || drain.digest != digest
                ? 0
                : Math.min(LONGEST_PAUSE, Math.min(LONGEST_PAUSE, drain.gapNanos) * Math.min(drain.vain, MOST_AT_ONCE));
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
