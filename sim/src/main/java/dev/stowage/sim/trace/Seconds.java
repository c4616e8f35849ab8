package dev.stowage.sim.trace;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.LinkedHashMap;
import java.util.Map;

/** Nanoseconds written in seconds or in a larger unit, without trailing zeros. */
public final class Seconds {
    private static final long NANOS = 1_000_000_000L;
    private static final long MINUTE = 60 * NANOS;
    private static final long HOUR = 60 * MINUTE;
    private static final Map<String, Long> LARGER = new LinkedHashMap<>();

    static {
        LARGER.put(" d", 24 * HOUR);
        LARGER.put(" h", HOUR);
        LARGER.put(" min", MINUTE);
    }

    private Seconds() {}

    /** Exactly, in seconds. */
    static String text(long nanos) {
        if (nanos % NANOS == 0) {
            return Long.toString(nanos / NANOS);
        }
        return BigDecimal.valueOf(nanos, 9).stripTrailingZeros().toPlainString();
    }

    /**
     * {@code 1.5 d}: whole minutes in the largest unit of which they are a whole number of tenths; all else from an
     * hour on in the largest unit, rounded to hundredths, and below it in seconds.
     */
    public static String words(long nanos) {
        for (Map.Entry<String, Long> unit : LARGER.entrySet()) {
            if (nanos >= unit.getValue() && nanos % MINUTE == 0 && nanos % (unit.getValue() / 10) == 0) {
                return BigDecimal.valueOf(nanos / (unit.getValue() / 10), 1)
                                .stripTrailingZeros()
                                .toPlainString()
                        + unit.getKey();
            }
        }
        for (Map.Entry<String, Long> unit : LARGER.entrySet()) {
            if (nanos >= unit.getValue() && nanos >= HOUR) {
                return BigDecimal.valueOf(nanos)
                                .divide(BigDecimal.valueOf(unit.getValue()), 2, RoundingMode.HALF_UP)
                                .stripTrailingZeros()
                                .toPlainString()
                        + unit.getKey();
            }
        }
        return text(nanos) + " s";
    }
}
