package dev.stowage.optimize.configuration;

import java.util.Arrays;
import java.util.List;

/**
 * Whether a configuration s is dominated by a convex combination of others: whether max w s, subject to w r <= 1 for
 * every other r and w >= 0, is at most 1. (By duality that is the least sum of weights of a combination that covers s;
 * a sum below 1 can be raised to 1, because no entry is negative.)
 *
 * <p>A primal simplex in whole numbers (Edmonds' integer pivoting, Bland's rule), so the answer is exact. If a number
 * would overflow a long, the answer is no: keeping a configuration does no harm. Time O(pivots x configurations x
 * types).
 */
final class Dominance {
    private final int types;
    /** A row per other configuration, the objective last; columns: the types, then the right-hand side. */
    private final long[][] tableau;
    /** Variable of each column and row: types are below {@code types}, slacks above. */
    private final int[] columnVariable;

    private final int[] rowVariable;
    /** The common denominator of the tableau. */
    private long denominator = 1;

    private Dominance(int[] configuration, List<int[]> others) {
        types = configuration.length;
        int rows = others.size();
        tableau = new long[rows + 1][types + 1];
        columnVariable = new int[types];
        rowVariable = new int[rows];
        for (int i = 0; i < rows; i++) {
            fill(tableau[i], others.get(i), 1);
            tableau[i][types] = 1;
            rowVariable[i] = types + i;
        }
        fill(tableau[rows], configuration, -1);
        Arrays.setAll(columnVariable, j -> j);
    }

    private static void fill(long[] row, int[] counts, int sign) {
        for (int j = 0; j < counts.length; j++) {
            row[j] = sign * (long) counts[j];
        }
    }

    /** Whether the configuration is at most a convex combination of the others, in every type. */
    static boolean holds(int[] configuration, List<int[]> others) {
        if (others.isEmpty()) {
            return false;
        }
        try {
            return new Dominance(configuration, others).maximumIsAtMostOne();
        } catch (ArithmeticException tooLarge) {
            return false;
        }
    }

    private boolean maximumIsAtMostOne() {
        long[] objective = tableau[tableau.length - 1];
        while (objective[types] <= denominator) {
            int column = entering(objective);
            if (column < 0) {
                return true;
            }
            int row = leaving(column);
            if (row < 0) {
                return false;
            }
            pivot(row, column);
        }
        return false;
    }

    private int entering(long[] objective) {
        int best = -1;
        for (int j = 0; j < types; j++) {
            if (objective[j] < 0 && (best < 0 || columnVariable[j] < columnVariable[best])) {
                best = j;
            }
        }
        return best;
    }

    private int leaving(int column) {
        int best = -1;
        for (int i = 0; i < rowVariable.length; i++) {
            if (tableau[i][column] > 0 && (best < 0 || isTighter(i, best, column))) {
                best = i;
            }
        }
        return best;
    }

    private boolean isTighter(int one, int other, int column) {
        long left = Math.multiplyExact(tableau[one][types], tableau[other][column]);
        long right = Math.multiplyExact(tableau[other][types], tableau[one][column]);
        return left < right || (left == right && rowVariable[one] < rowVariable[other]);
    }

    /** Exchanges the variables of a row and a column; all divisions are exact. */
    private void pivot(int row, int column) {
        long[] pivotRow = tableau[row];
        long pivot = pivotRow[column];
        for (int i = 0; i < tableau.length; i++) {
            if (i != row) {
                eliminate(tableau[i], pivotRow, column, pivot);
            }
        }
        pivotRow[column] = denominator;
        denominator = pivot;
        int entering = columnVariable[column];
        columnVariable[column] = rowVariable[row];
        rowVariable[row] = entering;
    }

    private void eliminate(long[] target, long[] pivotRow, int column, long pivot) {
        long factor = target[column];
        for (int j = 0; j <= types; j++) {
            if (j != column) {
                long difference = Math.subtractExact(
                        Math.multiplyExact(target[j], pivot), Math.multiplyExact(factor, pivotRow[j]));
                target[j] = difference / denominator;
            }
        }
        target[column] = -factor;
    }
}
