package dev.stowage.optimize.lp;

import java.util.Arrays;

/**
 * A linear program: minimise or maximise the sum of c_j x_j such that {@code lower_i <= sum of a_ij x_j <= upper_i} in
 * each row and {@code l_j <= x_j <= u_j} in each column. A bound may be infinite.
 *
 * <p>Rows come first; columns may be added at any time, also after a solver has solved the program (column generation).
 * Stored by columns, without zeros.
 */
public final class LinearProgram {
    private final boolean maximize;
    private int rows;
    private int columns;
    private double[] rowLower = new double[8];
    private double[] rowUpper = new double[8];
    private double[] cost = new double[8];
    private double[] columnLower = new double[8];
    private double[] columnUpper = new double[8];
    private int[] start = new int[9];
    private int[] row = new int[16];
    private double[] value = new double[16];
    /** Per row the number of the last check that saw it; finds rows that occur twice in a column. */
    private int[] lastCheck = new int[0];

    private int checks;

    private LinearProgram(boolean maximize) {
        this.maximize = maximize;
    }

    /** An empty program whose objective is to be as large as possible. */
    public static LinearProgram maximize() {
        return new LinearProgram(true);
    }

    /** An empty program whose objective is to be as small as possible. */
    public static LinearProgram minimize() {
        return new LinearProgram(false);
    }

    /**
     * Adds a row without entries.
     *
     * @return its number
     * @throws IllegalStateException if there are columns already
     * @throws IllegalArgumentException if a bound is not a number or the lower one is above the upper one
     */
    public int addRow(double lower, double upper) {
        if (columns > 0) {
            throw new IllegalStateException("a row after " + columns + " columns, rows must come first");
        }
        checkBounds(lower, upper, "row", rows);
        if (rows == rowLower.length) {
            rowLower = Arrays.copyOf(rowLower, 2 * rows);
            rowUpper = Arrays.copyOf(rowUpper, 2 * rows);
        }
        rowLower[rows] = lower;
        rowUpper[rows] = upper;
        return rows++;
    }

    /**
     * Adds a column.
     *
     * @param objective its coefficient in the objective
     * @param lower least value of the variable
     * @param upper greatest value of the variable
     * @param inRows the rows in which it has an entry, each once
     * @param values the entries
     * @return its number
     * @throws IllegalArgumentException if a bound or entry is not a finite number where it must be, or a row does not
     *     exist or occurs twice
     */
    public int addColumn(double objective, double lower, double upper, int[] inRows, double[] values) {
        checkBounds(lower, upper, "column", columns);
        checkFinite(objective, "objective");
        checkEntries(inRows, values);
        if (columns == cost.length) {
            cost = Arrays.copyOf(cost, 2 * columns);
            columnLower = Arrays.copyOf(columnLower, 2 * columns);
            columnUpper = Arrays.copyOf(columnUpper, 2 * columns);
            start = Arrays.copyOf(start, 2 * columns + 1);
        }
        int from = start[columns];
        if (from + inRows.length > row.length) {
            int room = Math.max(2 * row.length, from + inRows.length);
            row = Arrays.copyOf(row, room);
            value = Arrays.copyOf(value, room);
        }
        System.arraycopy(inRows, 0, row, from, inRows.length);
        System.arraycopy(values, 0, value, from, inRows.length);
        cost[columns] = objective;
        columnLower[columns] = lower;
        columnUpper[columns] = upper;
        start[++columns] = from + inRows.length;
        return columns - 1;
    }

    private static void checkBounds(double lower, double upper, String what, int number) {
        if (!(lower <= upper) || lower == Double.POSITIVE_INFINITY || upper == Double.NEGATIVE_INFINITY) {
            throw new IllegalArgumentException(
                    what + " " + number + ": bounds " + lower + " to " + upper + ", must be numbers in rising order");
        }
    }

    private void checkFinite(double number, String what) {
        if (!Double.isFinite(number)) {
            throw new IllegalArgumentException("column " + columns + ": " + what + " " + number + ", must be finite");
        }
    }

    private void checkEntries(int[] inRows, double[] values) {
        if (inRows.length != values.length) {
            throw new IllegalArgumentException("column " + columns + ": " + inRows.length + " rows and " + values.length
                    + " values, must be the same number");
        }
        if (lastCheck.length < rows) {
            lastCheck = new int[rows];
        }
        checks++;
        for (int i = 0; i < inRows.length; i++) {
            if (inRows[i] < 0 || inRows[i] >= rows || lastCheck[inRows[i]] == checks) {
                throw new IllegalArgumentException("column " + columns + ": row " + inRows[i] + ", must be one of the "
                        + rows + " rows and occur once");
            }
            lastCheck[inRows[i]] = checks;
            checkFinite(values[i], "entry");
        }
    }

    /** Whether the objective is to be as large as possible. */
    public boolean maximizes() {
        return maximize;
    }

    /** Number of rows. */
    public int rows() {
        return rows;
    }

    /** Number of columns. */
    public int columns() {
        return columns;
    }

    /** Least value of a row's sum. */
    public double rowLower(int i) {
        return rowLower[i];
    }

    /** Greatest value of a row's sum. */
    public double rowUpper(int i) {
        return rowUpper[i];
    }

    /** Coefficient of a column in the objective. */
    public double cost(int j) {
        return cost[j];
    }

    /** Least value of a column's variable. */
    public double columnLower(int j) {
        return columnLower[j];
    }

    /** Greatest value of a column's variable. */
    public double columnUpper(int j) {
        return columnUpper[j];
    }

    /** Number of entries of a column. */
    public int entries(int j) {
        return start[j + 1] - start[j];
    }

    /** Row of the {@code e}-th entry of a column. */
    public int entryRow(int j, int e) {
        return row[start[j] + e];
    }

    /** Value of the {@code e}-th entry of a column. */
    public double entryValue(int j, int e) {
        return value[start[j] + e];
    }
}
