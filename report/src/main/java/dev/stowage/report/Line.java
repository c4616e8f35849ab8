package dev.stowage.report;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One line of a {@link LineFigure}.
 *
 * @param label name in the legend; empty for a line without an entry, which belongs to another one of its colour
 * @param colour index in the palette: a policy keeps its colour in every figure
 * @param x positions, ascending
 * @param y values, same length; NaN interrupts the line
 * @param low lower end of each error bar, or null without error bars
 * @param high upper end of each error bar, or null without error bars
 * @param dashed whether it is dashed, as for a bound or an expected value
 */
record Line(
        String label,
        int colour,
        double[] x,
        double[] y,
        double @Nullable [] low,
        double @Nullable [] high,
        boolean dashed) {

    /** A solid line. */
    Line(String label, int colour, double[] x, double[] y, double @Nullable [] low, double @Nullable [] high) {
        this(label, colour, x, y, low, high, false);
    }

    /** The same without values below a limit: the line begins, or continues, where values are above it. */
    Line from(double least) {
        double[] above = Arrays.stream(y)
                .map(value -> value < least ? Double.NaN : value)
                .toArray();
        return new Line(label, colour, x, above, low, high, dashed);
    }

    static Line plain(String label, int colour, double[] x, double[] y) {
        return new Line(label, colour, x, y, null, null);
    }

    static Line dashed(String label, int colour, double[] x, double[] y) {
        return new Line(label, colour, x, y, null, null, true);
    }
}
