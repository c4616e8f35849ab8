package dev.stowage.sim.trace;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;

/** Nanoseconds written in seconds or in a larger unit, exactly and without trailing zeros. */
public final class Seconds {
    private static final long NANOS = 1_000_000_000L;
    private static final Map<String, Long> LARGER = new LinkedHashMap<>();

    static {
        LARGER.put(" d", 86_400 * NANOS);
        LARGER.put(" h", 3_600 * NANOS);
        LARGER.put(" min", 60 * NANOS);
    }

    private Seconds() {}

    static String text(long nanos) {
        if (nanos % NANOS == 0) {
            return Long.toString(nanos / NANOS);
        }
        return BigDecimal.valueOf(nanos, 9).stripTrailingZeros().toPlainString();
    }

    /** {@code 1.5 d}: in the largest unit of which it is a whole number of tenths, else in seconds. */
    public static String words(long nanos) {
        for (Map.Entry<String, Long> unit : LARGER.entrySet()) {
            if (nanos >= unit.getValue() && nanos % (unit.getValue() / 10) == 0) {
                return BigDecimal.valueOf(nanos / (unit.getValue() / 10), 1)
                                .stripTrailingZeros()
                                .toPlainString()
                        + unit.getKey();
            }
        }
        return text(nanos) + " s";
    }
}
