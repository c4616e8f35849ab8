package dev.stowage.policies;

import dev.stowage.core.policy.JobState;
import dev.stowage.core.policy.View;

/** Classes of lifetime, worked out from the view each time. */
final class SlowLifetimes {
    private static final long MINUTE = 60_000_000_000L;
    private static final int UNKNOWN = 100;

    private SlowLifetimes() {}

    /** 0 for a server of the request's class or a longer one, 1 for one of the next shorter class, ...; last empty. */
    static int rank(View view, int job, int server) {
        int own = number(left(view, job));
        int its = 0;
        for (int other = view.firstOn(server); other >= 0; other = view.next(other)) {
            its = Math.max(its, number(left(view, other)));
        }
        return Math.max(0, own - its);
    }

    /** Time until a request is expected to end, -1 if unknown; whoever outlives it is expected to run twice as long. */
    private static long left(View view, int job) {
        long ran = view.state(job) == JobState.RUNNING ? view.now() - view.runsSince(job) : 0;
        long expected = view.expectedNanos(job);
        while (expected > 0 && expected <= ran) {
            expected += expected;
        }
        return expected == 0 ? -1 : expected - ran;
    }

    private static int number(long left) {
        int number = 1;
        for (long limit = MINUTE; left >= limit; limit += limit) {
            number++;
        }
        return left < 0 ? UNKNOWN : number;
    }
}
