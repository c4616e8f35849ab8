package dev.stowage.report;

import java.util.List;

/**
 * Fractions over time as shades: a row per quantity, dark where it is large, and beside it a column of the expected
 * values.
 *
 * @param rows name of each row, the first on top
 * @param values by row and interval, not negative
 * @param edges ends of the intervals on the axis, one more than intervals, ascending
 * @param time the axis
 * @param top the value of the darkest shade; 0 for the largest of all
 * @param of what the values are parts of, as in "of the servers"
 * @param beside heading of the column at the right
 * @param expected its values by row; empty without the column
 */
record HeatFigure(
        String name,
        String title,
        String caption,
        List<String> rows,
        double[][] values,
        double[] edges,
        Axis time,
        double top,
        String of,
        String beside,
        double[] expected)
        implements Figure {}
