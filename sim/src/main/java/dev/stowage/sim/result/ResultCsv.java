package dev.stowage.sim.result;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import de.siegmar.fastcsv.writer.CsvWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Results as CSV for other tools: one table per kind of row, one line per value, so that new metrics add lines and no
 * columns. Every line starts with where it comes from, with one column {@code point.AXIS} per sweep axis. Columns:
 * docs/results.md. Absent values are empty. Numbers are written so that reading gives the same double.
 */
public final class ResultCsv {
    private static final JsonMapper JSON = ResultJson.mapper();

    private final List<? extends ResultRow> rows;
    private final Set<String> axes = new LinkedHashSet<>();

    /** Tables of these rows; each table skips rows of other kinds. */
    public ResultCsv(List<? extends ResultRow> rows) {
        this.rows = rows;
        rows.forEach(row -> axes.addAll(row.origin().point().keySet()));
    }

    /** Metrics of every replication. */
    public void runs(Writer out) throws IOException {
        write(
                out,
                List.of("replication", "seed", "digest", "warmup_s", "horizon_s", "metric", "value"),
                (table, row) -> {
                    if (row instanceof RunRow run) {
                        for (Map.Entry<String, Double> metric : run.metrics().entrySet()) {
                            table.line(
                                    run.origin(),
                                    run.replication(),
                                    run.seed(),
                                    run.digest(),
                                    run.warmupSeconds(),
                                    run.horizonSeconds(),
                                    metric.getKey(),
                                    metric.getValue());
                        }
                    }
                });
    }

    /** Means and half-widths over replications; the growth of the queue is the metric {@code queue_growth_per_h}. */
    public void summaries(Writer out) throws IOException {
        List<String> columns =
                List.of("replications", "stability", "metric", "mean", "half_width", "confidence", "method", "count");
        write(out, columns, (table, row) -> {
            if (row instanceof SummaryRow summary) {
                Stability found = summary.stability();
                int replications = summary.replications();
                String verdict = found.verdict();
                table.line(
                        summary.origin(),
                        replications,
                        verdict,
                        "queue_growth_per_h",
                        found.growthPerHour(),
                        found.halfWidth(),
                        null,
                        null,
                        null);
                summary.metrics()
                        .forEach((metric, mean) -> table.line(
                                summary.origin(),
                                replications,
                                verdict,
                                metric,
                                mean.mean(),
                                mean.halfWidth(),
                                mean.confidence(),
                                mean.method(),
                                mean.count()));
            }
        });
    }

    /** Quantities over time. */
    public void series(Writer out) throws IOException {
        write(out, List.of("replication", "name", "unit", "time_s", "mean", "min", "max"), (table, row) -> {
            if (row instanceof SeriesRow series) {
                for (int i = 0; i < series.timeSeconds().length; i++) {
                    table.line(
                            series.origin(),
                            series.replication(),
                            series.name(),
                            series.unit(),
                            series.timeSeconds()[i],
                            series.mean()[i],
                            series.min()[i],
                            series.max()[i]);
                }
            }
        });
    }

    /** Quantiles of distributions. */
    public void distributions(Writer out) throws IOException {
        write(out, List.of("replication", "name", "unit", "count", "probability", "quantile"), (table, row) -> {
            if (row instanceof DistributionRow distribution) {
                for (int i = 0; i < distribution.probability().length; i++) {
                    table.line(
                            distribution.origin(),
                            distribution.replication(),
                            distribution.name(),
                            distribution.unit(),
                            distribution.count(),
                            distribution.probability()[i],
                            distribution.quantile()[i]);
                }
            }
        });
    }

    private void write(Writer out, List<String> columns, RowLines lines) throws IOException {
        CsvTable table = new CsvTable(CsvWriter.builder().build(out));
        List<String> header =
                new ArrayList<>(List.of("experiment", "experiment_hash", "version", "jdk", "policy", "parameters"));
        axes.forEach(axis -> header.add("point." + axis));
        header.addAll(columns);
        try {
            table.csv.writeRecord(header);
            for (ResultRow row : rows) {
                lines.of(table, row);
            }
            table.csv.flush();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** Writes the lines of a row in a table. */
    @FunctionalInterface
    private interface RowLines {
        void of(CsvTable table, ResultRow row);
    }

    private final class CsvTable {
        private final CsvWriter csv;

        CsvTable(CsvWriter csv) {
            this.csv = csv;
        }

        void line(Origin origin, @Nullable Object... values) {
            List<String> fields = new ArrayList<>(List.of(
                    origin.experiment(),
                    origin.experimentHash(),
                    origin.version(),
                    origin.jdk(),
                    origin.policy(),
                    json(origin.parameters())));
            axes.forEach(axis -> fields.add(origin.point().getOrDefault(axis, "")));
            for (Object value : values) {
                fields.add(value == null ? "" : value.toString());
            }
            csv.writeRecord(fields);
        }

        private String json(Map<String, Object> parameters) {
            try {
                return JSON.writeValueAsString(parameters);
            } catch (JsonProcessingException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
