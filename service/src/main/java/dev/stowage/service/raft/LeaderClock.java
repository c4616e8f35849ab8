package dev.stowage.service.raft;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.LoggerFactory;

/**
 * The time that log entries carry: wall-clock time when it was set, continued with the monotonic clock. It never goes
 * back, neither when the wall clock jumps nor before the time that the log has reached. If it is ahead of the wall
 * clock, because an earlier leader's clock was wrong or this one was set back, it runs at nine tenths of the pace until
 * the wall clock has caught up: if it stood still, no wait would end. If it is behind, because this node's clock was
 * set forward while it led, it goes faster by a hundredth until it has caught up, or until a leader begins: if it
 * jumped, what waits would end too early, and a lease before its agent has ended what it runs.
 */
public final class LeaderClock {
    /** How far ahead it may be without being slowed down, because clocks of machines differ. */
    private static final long TOLERATED = TimeUnit.SECONDS.toNanos(1);
    /** While it is ahead, one of this many nanoseconds is left out. */
    private static final long SLOWER = 10;
    /**
     * While it is behind, one is added to this many: so little that a grace time of a hundredth of its lease is enough
     * for agents, who measure by their own clocks.
     */
    private static final long FASTER = 100;

    private static final long WARN_EVERY = TimeUnit.MINUTES.toNanos(10);
    /** Least time between warnings about a wall clock that jumps back and forth. */
    private static final long WARN_AGAIN = TimeUnit.MINUTES.toNanos(1);

    private final LongSupplier wallNanos;
    private final LongSupplier monotonicNanos;
    private final Consumer<String> warnings;
    private long time;
    private long monotonicThen;
    private long last = Long.MIN_VALUE;
    private boolean ahead;
    private boolean behind;
    /** Whether that was reported; then its end is reported, too. */
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
     * @param warnings called when it is ahead of the wall clock or behind it: when that begins, from time to time, and
     *     when it is over
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
        time += passed + (behind ? passed / FASTER : 0) - (ahead ? passed / SLOWER : 0);
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
        // Once its pace is another it stays so until they are equal, not only until the difference is tolerable.
        ahead = nanos > (ahead ? 0 : TOLERATED);
        behind = nanos < (behind ? 0 : -TOLERATED);
        if ((ahead || behind) && (!warned || monotonicThen - warnedAt >= (told ? WARN_EVERY : WARN_AGAIN))) {
            warned = true;
            warnedAt = monotonicThen;
            told = true;
            warnings.accept(ahead ? ahead(nanos / 1e9) : behind(-nanos / 1e9));
        } else if (told && !ahead && !behind) {
            told = false;
            warnings.accept("the service's time is that of this node's clock again");
        }
    }

    private static String ahead(double seconds) {
        return String.format(
                Locale.ROOT,
                "the service's time is %.1f s ahead of this node's clock: a leader's clock was wrong, or this one"
                        + " is. For about %.0f s the service's time runs at nine tenths of normal speed, and waits take"
                        + " longer",
                seconds,
                seconds * SLOWER);
    }

    private static String behind(double seconds) {
        return String.format(
                Locale.ROOT,
                "the service's time is %.1f s behind this node's clock, which was set forward while this node"
                        + " led. For about %.0f s the service's time runs one hundredth faster, and waits end earlier;"
                        + " TransferLeadership lets another node lead, and the service's time jumps to its clock",
                seconds,
                seconds * FASTER);
    }
}
