package dev.stowage.service.raft;

import java.util.function.LongSupplier;

/**
 * The time that log entries carry: wall-clock time when it was set, going on with the monotonic clock. It never goes back, not
 * when the wall clock jumps and not behind what the log already says.
 */
final class LeaderClock {
    private final LongSupplier wallNanos;
    private final LongSupplier monotonicNanos;
    private long wallAtStart;
    private long monotonicAtStart;
    private long last = Long.MIN_VALUE;

    LeaderClock(LongSupplier wallNanos, LongSupplier monotonicNanos) {
        this.wallNanos = wallNanos;
        this.monotonicNanos = monotonicNanos;
        set();
    }

    static LeaderClock system() {
        return new LeaderClock(() -> Math.multiplyExact(System.currentTimeMillis(), 1_000_000L), System::nanoTime);
    }

    /** Asks the wall clock again; for a node that becomes leader. */
    synchronized void set() {
        wallAtStart = wallNanos.getAsLong();
        monotonicAtStart = monotonicNanos.getAsLong();
    }

    /** Now, at least {@code least} and what was said before. */
    synchronized long now(long least) {
        long time = wallAtStart + (monotonicNanos.getAsLong() - monotonicAtStart);
        last = Math.max(Math.max(last, least), time);
        return last;
    }
}
