package dev.stowage.report;

import java.util.List;

/**
 * Horizontal bars, the first on top.
 *
 * @param labels name of each bar, unique
 * @param values length of each bar, not negative
 * @param axis the axis of the lengths
 */
record BarFigure(String name, String title, String caption, List<String> labels, double[] values, Axis axis)
        implements Figure {}
