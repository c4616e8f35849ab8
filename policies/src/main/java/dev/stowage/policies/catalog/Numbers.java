package dev.stowage.policies.catalog;

import java.math.BigDecimal;

/**
 * The numbers that a parameter may be.
 *
 * @param whole whether only whole numbers are allowed
 * @param least the least of them
 * @param most the greatest of them
 */
public record Numbers(boolean whole, double least, double most) {
    /** No number at all. */
    public static final Numbers NONE = new Numbers(true, 1, 0);

    boolean contains(String text) {
        double value;
        try {
            value = whole ? Long.parseLong(text) : Double.parseDouble(text);
        } catch (NumberFormatException e) {
            return false;
        }
        return value >= least && value <= most;
    }

    String range() {
        return (whole ? "a whole number from " : "a number from ") + text(least) + " to " + text(most);
    }

    static String text(double value) {
        return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
    }
}
