package dev.stowage.policies.lifetime;

import dev.stowage.core.policy.JobState;
import dev.stowage.core.policy.View;

/**
 * Servers by the class of the longest run time that any of their requests expects. A request goes to one of its own
 * class, else to an empty one; where there is none, to any.
 */
final class DurationClasses implements Grouping {
    private static final Times TIMES = Times.DOUBLING;

    private long until;

    @Override
    public int count() {
        return TIMES.classes() + 1;
    }

    @Override
    public int of(View view, int server) {
        int group = EMPTY;
        until = ExpectedEnds.NEVER;
        for (int job = view.firstOn(server); job != View.NONE; job = view.next(job)) {
            group = Math.max(group, group(view, job));
            until = Math.min(until, ExpectedEnds.of(view, job));
        }
        return group;
    }

    private static int group(View view, int job) {
        long end = ExpectedEnds.of(view, job);
        long since = view.state(job) == JobState.RUNNING ? view.runsSince(job) : view.now();
        return TIMES.of(end == ExpectedEnds.NEVER ? end : end - since);
    }

    @Override
    public long until() {
        return until;
    }

    @Override
    public int preferred(View view, int job, int[] into) {
        into[0] = group(view, job);
        into[1] = EMPTY;
        return 2;
    }
}
