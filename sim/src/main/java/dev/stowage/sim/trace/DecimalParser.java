package dev.stowage.sim.trace;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Reads decimal numbers exactly, times a whole factor, into whole numbers. Numbers of up to 18 digits without exponent
 * take a fast path without garbage; others go through {@link BigDecimal}.
 */
final class DecimalParser {
    static final String NOT_A_NUMBER = "is not a number";
    static final String NOT_FINITE = "is not finite";
    static final String NEGATIVE = "is negative";
    static final String TOO_LARGE = "is too large";

    private static final int FAST_DIGITS = 18;
    private static final int MAX_MAGNITUDE = 40;
    private static final long[] POWERS_OF_TEN = new long[FAST_DIGITS + 1];

    static {
        POWERS_OF_TEN[0] = 1;
        for (int i = 1; i <= FAST_DIGITS; i++) {
            POWERS_OF_TEN[i] = 10 * POWERS_OF_TEN[i - 1];
        }
    }

    private final char[] plain = new char[FAST_DIGITS + 1];
    private long digits;
    private long value;
    private double relativeError;

    /** The whole number of the last successful {@link #parse}. */
    long value() {
        return value;
    }

    /** (rounded - exact) / exact of the last successful {@link #parse}, absolute; 0 where it was exact. */
    double relativeError() {
        return relativeError;
    }

    /**
     * Reads {@code text} times {@code factor}.
     *
     * @param factor at least 1
     * @param mode {@link RoundingMode#CEILING} or {@link RoundingMode#FLOOR}
     * @return null, or what is wrong with the text
     */
    @Nullable
    String parse(String text, long factor, RoundingMode mode) {
        int length = text.length();
        if (length == 0 || length > plain.length) {
            return parseSlowly(text, factor, mode);
        }
        text.getChars(0, length, plain, 0);
        int decimals = decimals(plain, 0, length);
        boolean fits = decimals != Rows.TEXT && scaled(digits, decimals, factor, mode);
        return fits ? null : parseSlowly(text, factor, mode);
    }

    /**
     * Number of decimals of a plain number, of at most 18 digits and at most one point; {@link Rows#TEXT} if it is
     * something else. Then its {@link #digits} are known.
     *
     * @param from where it begins in the text
     * @param to where it ends
     */
    int decimals(char[] text, int from, int to) {
        int length = to - from;
        int point = -1;
        long all = 0;
        if (length == 0 || length > plain.length) {
            return Rows.TEXT;
        }
        for (int i = from; i < to; i++) {
            char c = text[i];
            if (c >= '0' && c <= '9') {
                all = 10 * all + (c - '0');
            } else if (c == '.' && point < 0 && length > 1) {
                point = i;
            } else {
                return Rows.TEXT;
            }
        }
        if (point < 0 && length > FAST_DIGITS) {
            return Rows.TEXT;
        }
        digits = all;
        return point < 0 ? 0 : to - 1 - point;
    }

    /** The digits of the number that {@link #decimals} found last. */
    long digits() {
        return digits;
    }

    /**
     * Takes {@code digits} / 10<sup>{@code decimals}</sup> times {@code factor}, if it can be done in 63 bits.
     *
     * @param decimals 0 to 18
     * @return whether it was done; else nothing has changed
     */
    boolean scaled(long digits, int decimals, long factor, RoundingMode mode) {
        // Common factors of ten are cancelled first: for seconds with nine decimals the nanoseconds are the digits
        // themselves.
        long times = factor;
        int places = decimals;
        while (places > 0 && times % 10 == 0) {
            times /= 10;
            places--;
        }
        long product = digits * times;
        if (digits < 0 || places > FAST_DIGITS || Math.multiplyHigh(digits, times) != 0 || product < 0) {
            return false;
        }
        long divisor = POWERS_OF_TEN[places];
        value = product / divisor;
        relativeError = 0;
        if (value * divisor != product) {
            value += mode == RoundingMode.CEILING ? 1 : 0;
            relativeError = Math.abs(value * (double) divisor - product) / product;
        }
        return true;
    }

    private @Nullable String parseSlowly(String text, long factor, RoundingMode mode) {
        BigDecimal number;
        try {
            number = new BigDecimal(text.strip());
        } catch (NumberFormatException e) {
            return looksInfinite(text) ? NOT_FINITE : NOT_A_NUMBER;
        }
        if (number.signum() < 0) {
            return NEGATIVE;
        }
        if (number.signum() == 0) {
            value = 0;
            relativeError = 0;
            return null;
        }
        long magnitude = (long) number.precision() - number.scale();
        if (magnitude > MAX_MAGNITUDE) {
            return TOO_LARGE;
        }
        BigDecimal exact = number.multiply(BigDecimal.valueOf(factor));
        BigInteger whole = magnitude < -MAX_MAGNITUDE
                ? (mode == RoundingMode.CEILING ? BigInteger.ONE : BigInteger.ZERO)
                : exact.setScale(0, mode).toBigInteger();
        if (whole.bitLength() > Long.SIZE - 1) {
            return TOO_LARGE;
        }
        value = whole.longValue();
        double exactly = exact.doubleValue();
        relativeError = exact.compareTo(new BigDecimal(whole)) == 0 ? 0 : Math.abs(value - exactly) / exactly;
        return null;
    }

    private static boolean looksInfinite(String text) {
        String lower = text.strip().toLowerCase(Locale.ROOT).replaceFirst("^[+-]", "");
        return lower.equals("nan") || lower.equals("inf") || lower.equals("infinity");
    }
}
