package dev.stowage.study.row;

import dev.stowage.sim.experiment.RowAddition;
import dev.stowage.sim.result.Estimate;
import dev.stowage.sim.result.Remark;
import dev.stowage.sim.result.ResultRow;
import dev.stowage.sim.result.SummaryRow;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** All computed values that docs/results.md describes beside the measured ones. */
public final class RowAdditions {
    private RowAdditions() {}

    /**
     * What the command line adds; for one call of {@code ExperimentRunner.run}, because values of a point are computed
     * only once.
     *
     * @param notes receives why a metric is missing
     */
    public static RowAddition all(Consumer<Remark> notes) {
        return new LoadOfBound(notes)
                .then(new CompletionBound())
                .then(new RewardOfBound())
                .then(new SiteOptimum());
    }

    /** The reward over the greatest of any policy alone; for one call of {@code ExperimentRunner.run}. */
    public static RowAddition rewards() {
        return new RewardOfBound();
    }

    /** The rows with changed summaries. */
    static List<ResultRow> summaries(List<ResultRow> rows, UnaryOperator<SummaryRow> change) {
        return rows.stream()
                .map(row -> row instanceof SummaryRow summary ? change.apply(summary) : row)
                .toList();
    }

    /** A summary with more metrics, all in order of their names. */
    static SummaryRow with(SummaryRow summary, Map<String, Estimate> more) {
        Map<String, Estimate> metrics = new TreeMap<>(summary.metrics());
        metrics.putAll(more);
        return new SummaryRow(summary.origin(), summary.replications(), summary.warmUp(), summary.stability(), metrics);
    }

    /** A value that is computed, not measured. */
    static Estimate proven(double value) {
        return new Estimate(value, null, 1, "proven", 1);
    }
}
