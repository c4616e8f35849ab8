package dev.stowage.sim.experiment;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Numbers with units, as experiments write them. Errors are {@link IllegalArgumentException} that continue "'value'
 * ...".
 */
public final class Units {
    private static final Pattern QUANTITY =
            Pattern.compile("\\s*([+-]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][+-]?\\d+)?)\\s*([^\\d\\s].*)?");
    /** One spelling of each unit, for messages. */
    private static final String ALLOWED = "ns, us, ms, s, min, h, d, weeks";

    private static final Map<String, BigDecimal> DURATIONS = new LinkedHashMap<>();
    private static final Map<String, BigDecimal> BYTES = new LinkedHashMap<>();
    private static final Pattern SOLD = Pattern.compile("(?i)([0-9.]+) *([kmgtp]b)");
    private static final BigDecimal MEBI = BigDecimal.valueOf(1 << 20);
    private static final BigDecimal MILLI = BigDecimal.valueOf(1000);
    private static final double NANOS_PER_SECOND = 1e9;
    private static final BigDecimal MICROS_PER_HOUR_IN_NANOS = new BigDecimal("3600e15");

    static {
        duration("1", "ns");
        duration("1e3", "us");
        duration("1e6", "ms");
        duration("1e9", "s", "second", "seconds");
        duration("60e9", "min", "minute", "minutes");
        duration("3600e9", "h", "hour", "hours");
        duration("86400e9", "d", "day", "days");
        duration("604800e9", "w", "week", "weeks");
        String[] binary = {"KiB", "MiB", "GiB", "TiB", "PiB"};
        // As machines are sold, and as in the names of columns: 128 GB are 128 GiB.
        String[] sold = {"kB", "MB", "GB", "TB", "PB"};
        for (int i = 0; i < binary.length; i++) {
            BigDecimal bytes = BigDecimal.valueOf(1024).pow(i + 1);
            BYTES.put(binary[i].toLowerCase(Locale.ROOT), bytes);
            BYTES.put(sold[i].toLowerCase(Locale.ROOT), bytes);
        }
    }

    private Units() {}

    /**
     * A finite number; "70 %" is 0.7.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static double number(String text) {
        String stripped = text.strip();
        boolean percent = stripped.endsWith("%");
        try {
            double value = new BigDecimal(
                            percent
                                    ? stripped.substring(0, stripped.length() - 1)
                                            .strip()
                                    : stripped)
                    .doubleValue();
            if (Double.isFinite(value)) {
                return percent ? value / 100 : value;
            }
        } catch (NumberFormatException e) {
            // told below
        }
        throw new IllegalArgumentException("must be a finite number");
    }

    /** A whole number. */
    static long whole(String text) {
        try {
            return new BigDecimal(text.strip().replace("_", "")).longValueExact();
        } catch (ArithmeticException | NumberFormatException e) {
            throw new IllegalArgumentException("must be a whole number", e);
        }
    }

    /**
     * A duration in nanoseconds, at least 0.
     *
     * @param text such as {@code 20 min}
     * @param slotNanos length of a slot, 0 where there are none
     */
    public static long durationNanos(String text, long slotNanos) {
        BigDecimal nanos = exactDuration(text, slotNanos);
        try {
            return nanos.setScale(0, RoundingMode.HALF_UP).longValueExact();
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("is longer than 292 years", e);
        }
    }

    /** A duration in nanoseconds, not rounded. */
    static BigDecimal exactDuration(String text, long slotNanos) {
        Matcher quantity = quantity(text, "a duration such as \"20 min\", \"5 d\" or \"100 ms\"");
        BigDecimal number = new BigDecimal(quantity.group(1));
        String unit = unit(quantity);
        BigDecimal factor =
                unit.startsWith("slot") && slotNanos > 0 ? BigDecimal.valueOf(slotNanos) : DURATIONS.get(unit);
        if (factor == null) {
            throw new IllegalArgumentException((unit.isEmpty() ? "has no unit" : "has the unknown unit '" + unit + "'")
                    + "; allowed: " + ALLOWED + (slotNanos > 0 ? ", slots" : ""));
        }
        if (number.signum() < 0) {
            throw new IllegalArgumentException("must be at least 0");
        }
        return number.multiply(factor);
    }

    /** Events per second from "3 / min" or, in slotted time, "0.03 / slot"; exact if given per second. */
    public static double perSecond(String text, long slotNanos) {
        int slash = text.indexOf('/');
        if (slash < 0) {
            throw new IllegalArgumentException(
                    "must be a rate such as \"3 / min\"" + (slotNanos > 0 ? " or \"0.03 / slot\"" : ""));
        }
        double number = number(text.substring(0, slash));
        if (number < 0) {
            throw new IllegalArgumentException("must be at least 0");
        }
        double nanos = exactDuration("1 " + text.substring(slash + 1).strip(), slotNanos)
                .doubleValue();
        // Not number * (NANOS_PER_SECOND / nanos): arrivals of published experiments depend on the last bit.
        return nanos == NANOS_PER_SECOND ? number : number / nanos * NANOS_PER_SECOND;
    }

    /**
     * Millionths per hour from "0.096 / h", exact: rounding could break ties between prices, or create them.
     *
     * @param slotNanos length of a slot, 0 where there are none
     */
    public static long microsPerHour(String text, long slotNanos) {
        perSecond(text, slotNanos);
        int slash = text.indexOf('/');
        BigDecimal nanos = exactDuration("1 " + text.substring(slash + 1).strip(), slotNanos);
        BigDecimal number = new BigDecimal(text.substring(0, slash).strip().replaceAll("\\s*%$", "e-2"));
        BigDecimal[] micros = number.multiply(MICROS_PER_HOUR_IN_NANOS).divideAndRemainder(nanos);
        if (micros[1].signum() != 0) {
            throw new IllegalArgumentException(
                    "is not a whole number of millionths per hour; give it per hour, with at most 6 digits after the"
                            + " point");
        }
        try {
            return micros[0].longValueExact();
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("is above " + Long.MAX_VALUE / 1_000_000 + " / h", e);
        }
    }

    /** Milli-cores (or thousandths of a GPU) from "48", "48 cores", "2.5 vCPU" or "500m". */
    static long milli(String text) {
        Matcher quantity = quantity(text, "a number such as \"48\", \"48 cores\" or \"500m\"");
        BigDecimal number = new BigDecimal(quantity.group(1));
        BigDecimal milli = switch (unit(quantity)) {
            case "m" -> number;
            case "", "core", "cores", "cpu", "cpus", "vcpu", "vcpus", "gpu", "gpus" -> number.multiply(MILLI);
            default -> throw new IllegalArgumentException("has an unknown unit; allowed: cores, vCPU, gpus, m");
        };
        return amount(milli, "thousandths");
    }

    /** MiB from "128 GiB" and the like. */
    public static long mebibytes(String text) {
        Matcher quantity = quantity(text, "an amount such as \"128 GiB\"");
        BigDecimal factor = BYTES.get(unit(quantity));
        if (factor == null) {
            throw new IllegalArgumentException(
                    "needs a unit: KiB, MiB, GiB, TiB or PiB (kB, MB, GB, TB and PB are read as these)");
        }
        BigDecimal bytes = new BigDecimal(quantity.group(1)).multiply(factor);
        return amount(bytes.divide(MEBI, 6, RoundingMode.HALF_UP), "MiB");
    }

    /** What to say of an amount such as "128 GB", which is read as GiB; empty for others. */
    static Optional<String> soldUnit(String text) {
        Matcher sold = SOLD.matcher(text.strip());
        return sold.matches()
                ? Optional.of(String.format(
                        Locale.ROOT,
                        "%2$s is read as %3$siB: '%1$s %2$s' is %1$s %3$siB, as servers are sold",
                        sold.group(1),
                        sold.group(2),
                        sold.group(2).substring(0, 1).toUpperCase(Locale.ROOT)))
                : Optional.empty();
    }

    /** Whole units, at least 0. */
    static long units(String text) {
        long value = whole(text);
        if (value < 0) {
            throw new IllegalArgumentException("must be at least 0");
        }
        return value;
    }

    private static long amount(BigDecimal value, String unit) {
        if (value.signum() < 0) {
            throw new IllegalArgumentException("must be at least 0");
        }
        try {
            return value.longValueExact();
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException(
                    "is not a whole number of " + unit + " ("
                            + value.stripTrailingZeros().toPlainString() + ")",
                    e);
        }
    }

    private static Matcher quantity(String text, String expected) {
        Matcher matcher = QUANTITY.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("must be " + expected);
        }
        return matcher;
    }

    private static String unit(Matcher quantity) {
        String unit = quantity.group(2);
        return unit == null ? "" : unit.strip().toLowerCase(Locale.ROOT);
    }

    private static void duration(String nanos, String... names) {
        for (String name : names) {
            DURATIONS.put(name, new BigDecimal(nanos));
        }
    }
}
