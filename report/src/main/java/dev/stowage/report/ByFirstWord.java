package dev.stowage.report;

import dev.stowage.sim.result.Estimate;
import dev.stowage.sim.result.Origin;
import dev.stowage.sim.result.ResultRow;
import dev.stowage.sim.result.SummaryRow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Summaries of policies named in two parts, as if the first part had been a sweep axis. */
final class ByFirstWord {
    private ByFirstWord() {}

    /** The summaries of {@code metric} under the rest of their labels, and its bound under the policy {@code bound}. */
    static Results of(Results results, String heading, String metric, String bound) {
        List<ResultRow> rows = new ArrayList<>();
        List<ResultRow> bounds = new ArrayList<>();
        for (SummaryRow row : results.summaries()) {
            String label = row.origin().policy();
            int space = label.indexOf(' ');
            String first = space < 0 ? label : label.substring(0, space);
            String rest = space < 0 ? label : label.substring(space + 1);
            add(rows, row, heading, first, rest, metric, row.metrics().get(metric));
            add(bounds, row, heading, first, "bound", metric, row.metrics().get(bound));
        }
        rows.addAll(bounds);
        return new Results(rows, results.experiment(), results.notes(), results.warnings());
    }

    private static void add(
            List<ResultRow> rows,
            SummaryRow row,
            String heading,
            String first,
            String policy,
            String metric,
            @Nullable Estimate estimate) {
        if (estimate == null) {
            return;
        }
        Origin origin = row.origin();
        Map<String, String> point = new LinkedHashMap<>(origin.point());
        point.put(heading, first);
        Origin moved = origin.withPolicy(policy).withPoint(point);
        rows.add(new SummaryRow(moved, row.replications(), row.warmUp(), row.stability(), Map.of(metric, estimate)));
    }
}
