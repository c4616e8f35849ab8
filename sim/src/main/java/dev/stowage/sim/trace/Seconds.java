package dev.stowage.sim.trace;

import java.math.BigDecimal;

/** Nanoseconds written as decimal seconds, exactly and without trailing zeros. */
final class Seconds {
    private static final long NANOS = 1_000_000_000L;

    private Seconds() {}

    static String text(long nanos) {
        if (nanos % NANOS == 0) {
            return Long.toString(nanos / NANOS);
        }
        return BigDecimal.valueOf(nanos, 9).stripTrailingZeros().toPlainString();
    }
}
