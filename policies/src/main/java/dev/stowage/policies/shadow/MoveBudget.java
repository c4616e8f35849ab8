package dev.stowage.policies.shadow;

import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;

/** Budget of migrations: a number per hour; unused ones accumulate up to one hour's worth. */
final class MoveBudget {
    private static final double HOUR_NANOS = 3600e9;

    private final double perHour;
    private double saved;
    private long at;

    /**
     * A full budget.
     *
     * @param perHour migrations per hour, infinite for any number
     */
    MoveBudget(double perHour) {
        this.perHour = perHour;
        saved = perHour;
    }

    /** Takes the given number of migrations if the budget has them. */
    boolean take(int moves, long now) {
        if (perHour == Double.POSITIVE_INFINITY) {
            return true;
        }
        saved = Math.min(perHour, saved + (now - at) / HOUR_NANOS * perHour);
        at = now;
        if (saved < moves) {
            return false;
        }
        saved -= moves;
        return true;
    }

    void save(StateWriter out) {
        out.putDouble(saved);
        out.putLong(at);
    }

    void restore(StateReader in) {
        saved = in.getDouble();
        at = in.getLong();
    }
}
