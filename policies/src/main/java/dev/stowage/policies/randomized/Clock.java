package dev.stowage.policies.randomized;

import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.core.policy.View;

/**
 * One timer for all Poisson clocks together: it is due at the next tick of any of them, exponential in the sum of their
 * rates. When the sum changes, the time is drawn anew, which, because exponential times are memoryless, has the same
 * distribution as separate clocks.
 */
final class Clock {
    /** Longest time to a tick: about 146 years. */
    private static final double MOST_NANOS = Long.MAX_VALUE / 2.0;

    private final double unitNanos;
    private int timer = View.NONE;
    private double rate;

    /** A clock whose rates are per {@code unitNanos}. */
    Clock(double unitNanos) {
        this.unitNanos = unitNanos;
    }

    /** Waits for the next tick of clocks with this sum of rates; 0 for none. */
    void wind(double total, View view, Actions actions) {
        if (timer != View.NONE) {
            if (total == rate) {
                return;
            }
            actions.cancelTimer(timer);
            timer = View.NONE;
        }
        rate = total;
        if (total > 0) {
            timer = actions.timer(view.now() + nanos(view.random().nextExponential() * unitNanos / total), 0);
        }
    }

    /** The timer has fired. */
    void ticked() {
        timer = View.NONE;
    }

    /** A duration as whole nanoseconds, at least 1. */
    static long nanos(double duration) {
        return (long) Math.min(MOST_NANOS, Math.max(1, StrictMath.rint(duration)));
    }

    void save(StateWriter out) {
        out.putInt(timer);
        out.putDouble(rate);
    }

    void restore(StateReader in) {
        timer = in.getInt();
        rate = in.getDouble();
    }
}
