package dev.stowage.sim.experiment;

import dev.stowage.sim.result.ResultRow;
import java.util.List;

/**
 * Adds computed values, such as a bound, to the measured result rows: metrics to a summary, or rows after others.
 * {@link ExperimentRunner} calls it in the caller's thread, so whoever runs an experiment with the same additions gets
 * the same rows.
 */
@FunctionalInterface
public interface RowAddition {
    /** Rows as they were measured. */
    RowAddition NONE = (point, rows) -> rows;

    /**
     * The rows with the addition.
     *
     * @param point of the sweep
     * @param rows all rows of one policy at the point: runs, summary, series, distributions
     */
    List<ResultRow> with(Experiment point, List<ResultRow> rows);

    /** This addition, and then another one. */
    default RowAddition then(RowAddition next) {
        return (point, rows) -> next.with(point, with(point, rows));
    }
}
