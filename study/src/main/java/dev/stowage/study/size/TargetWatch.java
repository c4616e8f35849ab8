package dev.stowage.study.size;

import dev.stowage.core.engine.Effects;
import dev.stowage.core.engine.Refusal;
import dev.stowage.sim.experiment.SizeTarget;
import java.util.Arrays;

/**
 * Counts the requests of one run that miss a target: turned away, fitting no server, or beginning later than they may.
 * O(1) per
 * request.
 */
final class TargetWatch implements Effects {
    private static final long NOT_WAITING = -1;

    private final long within;
    private final long allowed;
    private long missed;
    /** By handle: when a request arrived that has not begun. */
    private long[] arrival = new long[64];

    /** Of a run of so many requests. */
    TargetWatch(SizeTarget target, long requests) {
        within = target.withinNanos();
        allowed = target.allowed(requests);
        Arrays.fill(arrival, NOT_WAITING);
    }

    /** Whether more requests than may have missed it. */
    boolean failed() {
        return missed > allowed;
    }

    /** The run is over: who waits longer than it may has missed it. */
    void finish(long end) {
        for (long since : arrival) {
            missed += since != NOT_WAITING && end - since > within ? 1 : 0;
        }
    }

    @Override
    public void arrived(long now, int job) {
        if (job >= arrival.length) {
            int known = arrival.length;
            arrival = Arrays.copyOf(arrival, Math.max(2 * known, job + 1));
            Arrays.fill(arrival, known, arrival.length, NOT_WAITING);
        }
        arrival[job] = now;
    }

    @Override
    public void placed(long now, int job, int server, String reason) {
        if (job < arrival.length && arrival[job] != NOT_WAITING) {
            missed += now - arrival[job] > within ? 1 : 0;
            arrival[job] = NOT_WAITING;
        }
    }

    @Override
    public void rejected(long now, int job, String reason) {
        missed++;
        arrival[job] = NOT_WAITING;
    }

    @Override
    public void refused(long now, long subject, Refusal refusal, String detail) {
        missed++;
    }
}
