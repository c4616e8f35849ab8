package dev.stowage.policies.lifetime;

import dev.stowage.core.policy.View;

/** Servers by the class of the time until they are expected to be empty; the nearest class goes first. */
final class Alignment implements Grouping {
    private static final Times TIMES = Times.TENFOLD;

    private long until;

    @Override
    public int count() {
        return TIMES.classes() + 1;
    }

    @Override
    public int of(View view, int server) {
        long latest = ExpectedEnds.EMPTY;
        until = ExpectedEnds.NEVER;
        for (int job = view.firstOn(server); job != View.NONE; job = view.next(job)) {
            long end = ExpectedEnds.of(view, job);
            latest = Math.max(latest, end);
            until = Math.min(until, end);
        }
        if (latest == ExpectedEnds.EMPTY) {
            return EMPTY;
        }
        int group = group(view, latest);
        if (group > 1 && latest != ExpectedEnds.NEVER) {
            until = Math.min(until, latest - TIMES.end(group - 1) + 1);
        }
        return group;
    }

    private static int group(View view, long end) {
        return TIMES.of(end == ExpectedEnds.NEVER ? end : end - view.now());
    }

    @Override
    public long until() {
        return until;
    }

    @Override
    public int preferred(View view, int job, int[] into) {
        int own = group(view, ExpectedEnds.of(view, job));
        int count = 0;
        for (int distance = 0; distance < TIMES.classes(); distance++) {
            if (own + distance <= TIMES.classes()) {
                into[count++] = own + distance;
            }
            if (distance > 0 && own - distance > EMPTY) {
                into[count++] = own - distance;
            }
        }
        return count;
    }
}
