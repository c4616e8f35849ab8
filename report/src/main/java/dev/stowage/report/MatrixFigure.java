package dev.stowage.report;

import java.util.List;

/**
 * Fractions by row and column: each number in its cell, dark where it is large, and below it the expected value.
 *
 * @param rows name of each row, the first on top
 * @param columns name of each column
 * @param values by row and column; NaN leaves the cell empty
 * @param expected the same, or without rows
 */
record MatrixFigure(
        String name,
        String title,
        String caption,
        List<String> rows,
        List<String> columns,
        double[][] values,
        double[][] expected)
        implements Figure {}
