package dev.stowage.policies.catalog;

import java.math.BigDecimal;

/**
 * The allowed numbers of a parameter.
 *
 * @param whole whether only whole numbers are allowed
 * @param least the least of them
 * @param most the greatest of them
 * @param list whether there may be several, separated by slashes
 */
public record NumberRange(boolean whole, double least, double most, boolean list) {
    /** No number at all. */
    public static final NumberRange NONE = new NumberRange(true, 1, 0, false);

    boolean contains(String text) {
        if (!list) {
            return containsOne(text);
        }
        for (String part : text.split("/", -1)) {
            if (!containsOne(part)) {
                return false;
            }
        }
        return true;
    }

    private boolean containsOne(String text) {
        double value;
        try {
            value = whole ? Long.parseLong(text) : Double.parseDouble(text);
        } catch (NumberFormatException e) {
            return false;
        }
        return value >= least && value <= most;
    }

    String range() {
        String range = " from " + text(least) + " to " + text(most);
        if (list) {
            return "numbers" + range + ", one per type, separated by slashes, as in 10/2.5/3";
        }
        return (whole ? "a whole number" : "a number") + range;
    }

    static String text(double value) {
        return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
    }
}
