package dev.stowage.policies;

import dev.stowage.core.policy.JobState;
import dev.stowage.core.policy.View;
import java.util.ArrayList;
import java.util.List;

/**
 * The rules of placing by expected lifetimes, worked out from the view each time, and whether expectations are trusted,
 * from all that have ended.
 */
final class SlowLifetimes {
    static final long HOUR = 3_600_000_000_000L;
    private static final long NEVER = Long.MAX_VALUE;

    private final String rule;
    private final List<Boolean> right = new ArrayList<>();
    private final SlowLava lava = new SlowLava();
    private final SlowHybrid hybrid = new SlowHybrid();

    SlowLifetimes(String rule) {
        this.rule = rule;
    }

    /** A request is about to leave. */
    void left(View view, int job, int server) {
        long expected = view.expectedNanos(job);
        if (server >= 0 && expected > 0) {
            long ran = view.now() - view.runsSince(job);
            right.add(expected > ran / 3 && ran > expected / 3);
        }
    }

    private boolean trusted() {
        int balance = 0;
        boolean trusted = false;
        for (boolean one : right) {
            balance = one ? Math.min(200, balance + 1) : Math.max(0, balance - 1);
            trusted = balance == 200 || (trusted && balance > 0);
        }
        return trusted;
    }

    /** Places of servers in the order in which a request looks for room, by a rule; servers at one place are alike. */
    int place(View view, int job, int server) {
        if (rule.equals("lava")) {
            return lava.place(view, job, server);
        }
        if (rule.equals("hybrid")) {
            return hybrid.place(view, job, server);
        }
        boolean empty = view.firstOn(server) < 0;
        if (rule.equals("duration")) {
            int own = doubling(duration(view, job));
            int its = 0;
            for (int other = view.firstOn(server); other >= 0; other = view.next(other)) {
                its = Math.max(its, doubling(duration(view, other)));
            }
            return empty ? 1 : its == own ? 0 : 1 + its;
        }
        if (empty) {
            return Integer.MAX_VALUE;
        }
        long its = 0;
        for (int other = view.firstOn(server); other >= 0; other = view.next(other)) {
            its = Math.max(its, end(view, other));
        }
        long own = end(view, job);
        if (rule.equals("alignment")) {
            int distance = tenfold(own - view.now()) - tenfold(its - view.now());
            return 2 * Math.abs(distance) + (distance > 0 ? 1 : 0);
        }
        int extension = Math.max(0, rank(own) - rank(its));
        return rule.equals("nilas")
                ? extension == 0 ? 0 : extension > 1_000_000 ? 4 : tenfold((long) extension << 34)
                : trusted() ? extension : 0;
    }

    /** Whether the first of servers at one place goes first, and not the best. */
    boolean isFirstFit() {
        return rule.equals("duration") || rule.equals("hybrid");
    }

    /** Everything is looked at, after each callback and before each decision. */
    void look(View view) {
        if (rule.equals("lava")) {
            lava.look(view);
        } else if (rule.equals("hybrid")) {
            hybrid.look(view);
        }
    }

    private static int rank(long end) {
        return end == NEVER ? 1 << 30 : (int) (end / (1L << 34));
    }

    /** 1 for less than an hour, 2 for less than 10, 3 for less than 100, 4 for longer. */
    static int tenfold(long time) {
        return time < HOUR ? 1 : time < 10 * HOUR ? 2 : time < 100 * HOUR ? 3 : 4;
    }

    private static int doubling(long time) {
        int number = 1;
        for (long limit = HOUR / 60; number < 28 && limit <= time; limit *= 2) {
            number++;
        }
        return number;
    }

    /** When a request is expected to end. */
    static long end(View view, int job) {
        long since = view.state(job) == JobState.RUNNING ? view.runsSince(job) : view.now();
        long duration = duration(view, job);
        return duration == NEVER ? NEVER : since + duration;
    }

    /** Whoever outlives an expectation is expected to run twice as long. */
    private static long duration(View view, int job) {
        long since = view.state(job) == JobState.RUNNING ? view.runsSince(job) : view.now();
        long expected = view.expectedNanos(job);
        if (expected == 0) {
            return NEVER;
        }
        while (expected <= view.now() - since) {
            expected += expected;
        }
        return expected;
    }
}
