package dev.stowage.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;

/** Numbers for people, the same in every locale. */
final class Numbers {

    private Numbers() {}

    /** With thousands separators and exactly this many decimals. */
    static String fixed(double value, int decimals) {
        String text = String.format(Locale.ROOT, "%,." + decimals + "f", value);
        return isZero(text) && text.startsWith("-") ? text.substring(1) : text;
    }

    /** About three significant digits, no trailing zeros: the text of an axis tick. */
    static String plain(double value) {
        String text = fixed(value, decimalsFor(value, 3));
        return text.contains(".") ? text.replaceAll("0+$", "").replaceAll("\\.$", "") : text;
    }

    /** How many decimals show {@code digits} significant digits of the value; 0 for 0. */
    static int decimalsFor(double value, int digits) {
        if (value == 0 || !Double.isFinite(value)) {
            return 0;
        }
        BigDecimal rounded = new BigDecimal(Math.abs(value)).round(new MathContext(digits, RoundingMode.HALF_UP));
        int leading = rounded.precision() - rounded.scale();
        return Math.max(0, Math.min(9, digits - leading));
    }

    private static boolean isZero(String text) {
        return text.chars().noneMatch(c -> c >= '1' && c <= '9');
    }

    /** Whether a text is a number. */
    static boolean isNumber(String text) {
        try {
            return Double.isFinite(Double.parseDouble(text));
        } catch (NumberFormatException e) {
            return false;
        }
    }
}
