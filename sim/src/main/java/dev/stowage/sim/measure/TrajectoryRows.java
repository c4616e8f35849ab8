package dev.stowage.sim.measure;

import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.sim.statistics.TimeGrid;
import dev.stowage.sim.statistics.Trajectory;
import java.util.Arrays;

/** Rows and tables of trajectories on one grid, written with their lengths. */
final class TrajectoryRows {
    private TrajectoryRows() {}

    static void write(StateWriter out, Trajectory[] row) {
        out.putNumber(row.length);
        for (Trajectory each : row) {
            each.write(out);
        }
    }

    static Trajectory[] readRow(StateReader in, TimeGrid grid) {
        Trajectory[] row = new Trajectory[(int) in.getNumber()];
        Arrays.setAll(row, i -> Trajectory.read(in, grid));
        return row;
    }

    static void write(StateWriter out, Trajectory[][] rows) {
        out.putNumber(rows.length);
        for (Trajectory[] row : rows) {
            write(out, row);
        }
    }

    static Trajectory[][] readRows(StateReader in, TimeGrid grid) {
        Trajectory[][] rows = new Trajectory[(int) in.getNumber()][];
        Arrays.setAll(rows, i -> readRow(in, grid));
        return rows;
    }
}
