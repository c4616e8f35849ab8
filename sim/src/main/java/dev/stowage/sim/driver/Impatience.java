package dev.stowage.sim.driver;

import dev.stowage.core.engine.Commands;
import dev.stowage.core.engine.DeadlineHeap;
import dev.stowage.core.engine.EngineListener;
import dev.stowage.core.policy.JobState;
import dev.stowage.core.policy.View;

/**
 * Requests with a longest wait: one that waits when it is over leaves, a gang as a whole. As in the service, the time
 * counts from the arrival, and a request that runs at its end is free to wait afterwards if it loses its server.
 * O(log requests in the system) for each that has a longest wait.
 */
final class Impatience extends EngineListener {
    /** No longest wait. */
    static final long NEVER = DeadlineHeap.NEVER;

    private final DeadlineHeap ends = new DeadlineHeap();
    private long nextWait = NEVER;

    /** Longest wait of the requests that arrive next, nanoseconds, or {@link #NEVER}. */
    void expect(long waitNanos) {
        nextWait = waitNanos;
    }

    /** When the next longest wait is over, or {@link #NEVER}. */
    long next() {
        return ends.firstDeadline();
    }

    /** Ends that wait, at its time or at a slot boundary after it. */
    void end(long at, Commands commands) {
        View v = view();
        int job = ends.firstHandle();
        ends.remove(job);
        if (v.state(job) == JobState.WAITING) {
            if (v.gang(job) == View.NONE) {
                commands.leave(at, v.id(job), job);
            } else {
                commands.leaveTogether(at, v.id(job));
            }
        }
    }

    @Override
    public void arrived(long now, int job) {
        if (nextWait < NEVER - now) {
            ends.put(job, now + nextWait, view().order(job));
        }
    }

    @Override
    public void left(long now, int job, int server) {
        forget(job);
    }

    @Override
    public void rejected(long now, int job, String reason) {
        forget(job);
    }

    private void forget(int job) {
        if (ends.contains(job)) {
            ends.remove(job);
        }
    }
}
