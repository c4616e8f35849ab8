package dev.stowage.report;

import org.jspecify.annotations.Nullable;

/**
 * One line of a {@link LineFigure}.
 *
 * @param label name in the legend
 * @param colour index in the palette: a policy keeps its colour in every figure
 * @param x positions, ascending
 * @param y values, same length; NaN interrupts the line
 * @param low lower end of each error bar, or null without error bars
 * @param high upper end of each error bar, or null without error bars
 */
record Line(String label, int colour, double[] x, double[] y, double @Nullable [] low, double @Nullable [] high) {

    static Line plain(String label, int colour, double[] x, double[] y) {
        return new Line(label, colour, x, y, null, null);
    }
}
