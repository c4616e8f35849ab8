package dev.stowage.optimize.bound;

import dev.stowage.optimize.lp.LinearProgram;
import java.util.Arrays;

/** Configurations as columns of a linear program. */
final class ConfigurationColumn {
    /** In place of the row of servers, in a program that has none. */
    static final int NO_ROW = -1;

    private ConfigurationColumn() {}

    /**
     * Adds a configuration: in the row of each type how many requests of that type it holds, and 1 in the row of the
     * servers that may hold it.
     *
     * @param cost in the objective
     * @param counts requests by type
     * @param factor what one request adds to the row of its type
     * @param firstType row of type 0, followed by those of the other types
     * @param servers row of the servers, or {@link #NO_ROW}
     * @return number of the column
     */
    static int add(LinearProgram program, double cost, int[] counts, int factor, int firstType, int servers) {
        int[] rows = new int[counts.length + 1];
        double[] values = new double[rows.length];
        int entries = 0;
        for (int type = 0; type < counts.length; type++) {
            if (counts[type] > 0) {
                rows[entries] = firstType + type;
                values[entries++] = factor * counts[type];
            }
        }
        if (servers != NO_ROW) {
            rows[entries] = servers;
            values[entries++] = 1;
        }
        return program.addColumn(
                cost, 0, Double.POSITIVE_INFINITY, Arrays.copyOf(rows, entries), Arrays.copyOf(values, entries));
    }
}
