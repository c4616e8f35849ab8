package dev.stowage.service.raft;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.LoggerFactory;

/**
 * The time that log entries carry: wall-clock time when it was set, going on with the monotonic clock. It never goes
 * back, not when the wall clock jumps and not behind what the log already says. Where it is ahead of the wall clock,
 * because that of a leader before was wrong or this one was set back, it goes on at nine tenths of the pace until the
 * wall clock has caught up: standing still would let no wait end.
 */
public final class LeaderClock {
    /** How far ahead it may be without being slower: clocks of machines differ. */
    private static final long TOLERATED = TimeUnit.SECONDS.toNanos(1);
    /** Of so many nanoseconds one is left out while it is ahead. */
    private static final long SLOWER = 10;

    private static final long WARN_EVERY = TimeUnit.MINUTES.toNanos(10);
    /** A wall clock that jumps to and fro is told of no more often. */
    private static final long WARN_AGAIN = TimeUnit.MINUTES.toNanos(1);

    private final LongSupplier wallNanos;
    private final LongSupplier monotonicNanos;
    private final Consumer<String> warnings;
    private long time;
    private long monotonicThen;
    private long last = Long.MIN_VALUE;
    private boolean ahead;
    /** Whether that was told; then it is told when it is over. */
    private boolean told;

    private boolean warned;
    private long warnedAt;
    private long settings;

    /**
     * A clock that is set.
     *
     * @param wallNanos nanoseconds since 1970; may jump
     * @param monotonicNanos nanoseconds since some moment; never goes back
     */
    public LeaderClock(LongSupplier wallNanos, LongSupplier monotonicNanos) {
        this(wallNanos, monotonicNanos, warning -> {});
    }

    /**
     * The same.
     *
     * @param warnings called when it is ahead of the wall clock: when it begins to be, now and then, and when it is
     *     over
     */
    LeaderClock(LongSupplier wallNanos, LongSupplier monotonicNanos, Consumer<String> warnings) {
        this.wallNanos = wallNanos;
        this.monotonicNanos = monotonicNanos;
        this.warnings = warnings;
        time = wallNanos.getAsLong();
        monotonicThen = monotonicNanos.getAsLong();
    }

    static LeaderClock system() {
        return new LeaderClock(LeaderClock::wall, System::nanoTime, LoggerFactory.getLogger(LeaderClock.class)::warn);
    }

    private static long wall() {
        return Math.multiplyExact(System.currentTimeMillis(), 1_000_000L);
    }

    /**
     * Asks the wall clock again; for a node that becomes leader.
     *
     * @param least the time that the log has reached. If the wall clock is behind it, time goes on from here
     */
    public synchronized void set(long least) {
        settings++;
        time = Math.max(wallNanos.getAsLong(), Math.max(least, last));
        monotonicThen = monotonicNanos.getAsLong();
        look();
    }

    /**
     * A time, and how often the clock had been set until then.
     *
     * @param nanos nanoseconds since 1970
     */
    record ClockReading(long nanos, long settings) {}

    /** Now, at least what was said before. */
    synchronized ClockReading read() {
        return new ClockReading(now(), settings);
    }

    /** Now, at least what was said before. */
    public synchronized long now() {
        long monotonic = monotonicNanos.getAsLong();
        long passed = monotonic - monotonicThen;
        monotonicThen = monotonic;
        time += ahead ? passed - passed / SLOWER : passed;
        last = time;
        look();
        return time;
    }

    /** How far it is ahead of the wall clock, nanoseconds; negative if it is behind. */
    public synchronized long aheadNanos() {
        return now() - wallNanos.getAsLong();
    }

    private void look() {
        long nanos = time - wallNanos.getAsLong();
        boolean was = ahead;
        // Once it is slower it stays so until it has caught up, not only until it is tolerable.
        ahead = nanos > (was ? 0 : TOLERATED);
        if (ahead && (!warned || monotonicThen - warnedAt >= (told ? WARN_EVERY : WARN_AGAIN))) {
            warned = true;
            warnedAt = monotonicThen;
            told = true;
            warnings.accept(String.format(
                    Locale.ROOT,
                    "the service's time is %.1f s ahead of this node's clock: a leader's clock was wrong, or this one"
                            + " is. It goes"
                            + " at nine tenths of the pace for about %.0f s, and waits take that much longer",
                    nanos / 1e9,
                    nanos / 1e9 * SLOWER));
        } else if (told && !ahead) {
            told = false;
            warnings.accept("the service's time is that of this node's clock again");
        }
    }
}
