package dev.stowage.policies;

import dev.stowage.core.policy.JobState;
import dev.stowage.core.policy.View;

/** Classes of lifetime, worked out from the view each time. */
final class SlowLifetimes {
    private static final long MINUTE = 60_000_000_000L;
    private static final int UNKNOWN = 1 << 30;

    private SlowLifetimes() {}

    /**
     * 0 for a server of the request's class or a longer one, 1 for one of the next shorter class, ...; last empty.
     *
     * @param classes doubling, tenfold or none
     */
    static int rank(View view, String classes, int job, int server) {
        int own = number(view, classes, job);
        int its = 0;
        for (int other = view.firstOn(server); other >= 0; other = view.next(other)) {
            its = Math.max(its, number(view, classes, other));
        }
        return Math.max(0, own - its);
    }

    /** Whoever outlives an expectation is expected to run twice as long. */
    private static int number(View view, String classes, int job) {
        long since = view.state(job) == JobState.RUNNING ? view.runsSince(job) : view.now();
        long expected = view.expectedNanos(job);
        if (expected == 0) {
            return UNKNOWN;
        }
        while (expected <= view.now() - since) {
            expected += expected;
        }
        long end = since + expected;
        if (classes.equals("none")) {
            return 1 + (int) (end / (1L << 34));
        }
        int number = 1;
        long factor = classes.equals("tenfold") ? 10 : 2;
        for (long limit = classes.equals("tenfold") ? 60 * MINUTE : MINUTE;
                end - view.now() >= limit;
                limit *= factor) {
            number++;
        }
        return number;
    }
}
