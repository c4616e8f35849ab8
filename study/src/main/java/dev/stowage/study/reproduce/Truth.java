package dev.stowage.study.reproduce;

import dev.stowage.sim.result.Estimate;
import java.util.Arrays;
import java.util.List;

/** What measurements say about a statement. */
enum Truth {
    /** The statement holds in the whole confidence interval. */
    YES,
    /** The statement does not hold anywhere in the confidence interval. */
    NO,
    /** The interval lies on both sides, or there is none. */
    OPEN;

    /** A fact without an estimate. */
    static Truth of(boolean fact) {
        return fact ? YES : NO;
    }

    /** Whether a quantity is above a limit. */
    static Truth above(Estimate estimate, double limit) {
        return within(estimate, limit, Double.POSITIVE_INFINITY);
    }

    /** Whether a quantity is at most a limit. */
    static Truth atMost(Estimate estimate, double limit) {
        return above(estimate, limit).not();
    }

    /** Whether a quantity is above {@code low} and at most {@code high}. */
    static Truth within(Estimate estimate, double low, double high) {
        Double given = estimate.halfWidth();
        double half = given == null ? (estimate.method().equals("proven") ? 0 : Double.NaN) : given;
        if (estimate.mean() - half > low && estimate.mean() + half <= high) {
            return YES;
        }
        return estimate.mean() + half <= low || estimate.mean() - half > high ? NO : OPEN;
    }

    /** Whether a quantity is a claimed size: within a quarter of it. */
    static Truth about(Estimate estimate, double size) {
        return within(estimate, 0.75 * size, 1.25 * size);
    }

    Truth not() {
        return switch (this) {
            case YES -> NO;
            case NO -> YES;
            case OPEN -> OPEN;
        };
    }

    /** Whether all statements hold. */
    static Truth all(Truth... parts) {
        return all(Arrays.asList(parts));
    }

    /** Whether all statements hold. */
    static Truth all(List<Truth> parts) {
        return parts.contains(NO) ? NO : parts.contains(OPEN) ? OPEN : YES;
    }

    /** Whether one statement holds or more. */
    static Truth any(List<Truth> parts) {
        return parts.contains(YES) ? YES : parts.contains(OPEN) ? OPEN : NO;
    }

    /** Whether more than half of the statements hold. */
    static Truth most(List<Truth> parts) {
        long yes = parts.stream().filter(YES::equals).count();
        long no = parts.stream().filter(NO::equals).count();
        return 2 * yes > parts.size() ? YES : 2 * no >= parts.size() ? NO : OPEN;
    }
}
