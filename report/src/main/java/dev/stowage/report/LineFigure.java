package dev.stowage.report;

import java.util.List;

/**
 * Lines over two axes.
 *
 * @param marks x positions of thin vertical lines, e.g. the end of the warm-up
 * @param points whether each value is marked by a symbol: for few values, as in a sweep
 */
record LineFigure(
        String name, String title, String caption, Axis x, Axis y, List<Line> lines, List<Double> marks, boolean points)
        implements Figure {}
