package dev.stowage.report;

import dev.stowage.sim.result.Estimate;
import dev.stowage.sim.result.MetricName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Metrics by request type or by site: a row per sweep point, policy and type (or site). */
final class BreakdownTable {
    /** Nobody reads more rows than this on a page; all are in the CSV file. */
    static final int MOST_ROWS = 400;

    private BreakdownTable() {}

    /**
     * The table of all metrics that carry the label; it has no rows if none does.
     *
     * @param label {@code type} or {@code site}
     */
    static Table by(String label, Results results) {
        List<PolicyOutcome> outcomes = results.outcomes();
        Set<MetricName> columns = new LinkedHashSet<>();
        Set<String> axes = new LinkedHashSet<>();
        for (PolicyOutcome outcome : outcomes) {
            axes.addAll(outcome.point().keySet());
            outcome.metrics().keySet().stream()
                    .filter(name -> name.label(label) != null && !isOfBoth(name))
                    .forEach(name -> columns.add(without(label, name)));
        }
        List<String> headings = new ArrayList<>(axes);
        headings.addAll(List.of("policy", label));
        columns.forEach(name -> headings.add(Metric.of(name).title()));
        List<List<Table.Cell>> rows = new ArrayList<>();
        for (PolicyOutcome outcome : outcomes) {
            for (String value : values(label, outcome)) {
                List<Table.Cell> row = new ArrayList<>();
                axes.forEach(axis -> row.add(Table.Cell.name(outcome.point().getOrDefault(axis, "–"))));
                row.add(Table.Cell.name(outcome.policy()));
                row.add(Table.Cell.name(value));
                columns.forEach(column -> row.add(cell(outcome, label, value, column)));
                rows.add(row);
            }
        }
        return new Table(headings, axes.size() + 2, rows);
    }

    private static Set<String> values(String label, PolicyOutcome outcome) {
        Set<String> values = new LinkedHashSet<>();
        for (MetricName name : outcome.metrics().keySet()) {
            String value = name.label(label);
            if (value != null && !isOfBoth(name)) {
                values.add(value);
            }
        }
        return values;
    }

    /** Whether it has both labels: a routing table is shown as a matrix. */
    private static boolean isOfBoth(MetricName name) {
        return name.label("type") != null && name.label("site") != null;
    }

    private static MetricName without(String label, MetricName name) {
        Map<String, String> rest = new LinkedHashMap<>(name.labels());
        rest.remove(label);
        return new MetricName(name.base(), rest);
    }

    private static Table.Cell cell(PolicyOutcome outcome, String label, String value, MetricName column) {
        if (outcome.voided(column)) {
            return Table.Cell.number("unstable", Double.MAX_VALUE).toned(Table.Tone.BAD);
        }
        Map<String, String> labels = new LinkedHashMap<>(column.labels());
        labels.put(label, value);
        Estimate estimate = outcome.metrics().get(new MetricName(column.base(), labels));
        if (estimate == null) {
            return Table.Cell.none();
        }
        Quantity quantity = Metric.of(column).quantity();
        return Table.Cell.number(quantity.format(estimate.mean(), estimate.halfWidth()), estimate.mean());
    }
}
