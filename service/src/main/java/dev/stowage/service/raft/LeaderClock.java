package dev.stowage.service.raft;

import java.util.function.LongSupplier;

/**
 * The time that log entries carry: wall-clock time when it was set, going on with the monotonic clock. It never goes back, not
 * when the wall clock jumps and not behind what the log already says; where the wall clock is behind that, it goes on from there.
 */
public final class LeaderClock {
    private final LongSupplier wallNanos;
    private final LongSupplier monotonicNanos;
    private long wallAtStart;
    private long monotonicAtStart;
    private long last = Long.MIN_VALUE;

    /**
     * A clock that is set.
     *
     * @param wallNanos nanoseconds since 1970; may jump
     * @param monotonicNanos nanoseconds since some moment; never goes back
     */
    public LeaderClock(LongSupplier wallNanos, LongSupplier monotonicNanos) {
        this.wallNanos = wallNanos;
        this.monotonicNanos = monotonicNanos;
        set(Long.MIN_VALUE);
    }

    static LeaderClock system() {
        return new LeaderClock(() -> Math.multiplyExact(System.currentTimeMillis(), 1_000_000L), System::nanoTime);
    }

    /**
     * Asks the wall clock again; for a node that becomes leader.
     *
     * @param least the time that the log has reached. If the wall clock is behind it, time goes on from here: standing still
     *     until the wall clock has caught up would let no wait end
     */
    public synchronized void set(long least) {
        wallAtStart = Math.max(wallNanos.getAsLong(), Math.max(least, last));
        monotonicAtStart = monotonicNanos.getAsLong();
    }

    /** Now, at least what was said before. */
    public synchronized long now() {
        last = Math.max(last, wallAtStart + (monotonicNanos.getAsLong() - monotonicAtStart));
        return last;
    }
}
