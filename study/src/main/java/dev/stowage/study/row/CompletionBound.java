package dev.stowage.study.row;

import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.RowAddition;
import dev.stowage.sim.result.ResultRow;
import dev.stowage.study.bound.JobBound;
import java.util.List;
import java.util.Map;

/** Puts the bound of the mean completion time into the summaries of jobs of many tasks. */
final class CompletionBound implements RowAddition {
    @Override
    public List<ResultRow> with(Experiment point, List<ResultRow> rows) {
        return RowAdditions.summaries(
                rows,
                summary -> RowAdditions.with(
                        summary,
                        JobBound.of(point, summary)
                                .map(bound -> Map.of(JobBound.METRIC, bound))
                                .orElse(Map.of())));
    }
}
