package dev.stowage.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.LineDelimiter;
import dev.stowage.sim.result.Estimate;
import dev.stowage.sim.result.MetricName;
import dev.stowage.sim.result.Stability;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Policies against their main metrics, with confidence half-widths, for people ({@link #text}) and, with all metrics,
 * for machines ({@link #csv}, {@link #json}).
 *
 * <p>If the queue of a policy is unstable, its wait and its mean queue length depend on how long the run was: the table
 * says "unstable" with the growth in place of these means, and CSV and JSON leave them empty.
 */
public final class SummaryTable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static final MetricName LONGEST = MetricName.parse("wait_max_s");
    private static final MetricName REJECTED = MetricName.parse("rejection_fraction");
    private static final MetricName FITS_NO_SERVER = MetricName.parse("fits_no_server_fraction");

    private final List<PolicyOutcome> outcomes;
    private final List<String> axes;
    private final Map<Map<String, String>, List<PolicyOutcome>> rivals = new LinkedHashMap<>();
    /** By sweep point: every cell of a column needs the same one. */
    private final Map<Map<String, String>, Map<MetricName, Optional<Comparison>>> comparisons = new LinkedHashMap<>();

    private SummaryTable(List<PolicyOutcome> outcomes, List<String> axes) {
        this.outcomes = outcomes;
        this.axes = axes;
        outcomes.forEach(outcome -> rivals.computeIfAbsent(outcome.point(), point -> new ArrayList<>())
                .add(outcome));
    }

    /** The table of all results. */
    public static SummaryTable of(Results results) {
        Set<String> axes = new LinkedHashSet<>();
        results.points().forEach(point -> axes.addAll(point.keySet()));
        return new SummaryTable(results.outcomes(), List.copyOf(axes));
    }

    /** Aligned text, every line ended by a newline. */
    public String text(TextStyle style) {
        return TextTable.write(table(), style);
    }

    /** An HTML {@code <table>}. */
    public String html() {
        return Html.table(table());
    }

    /** A Markdown table. */
    public String markdown() {
        return MarkdownTable.write(table());
    }

    /** The metrics of the table's columns, in order. */
    List<MetricName> columns() {
        Set<MetricName> names = names();
        List<MetricName> columns = new ArrayList<>();
        for (String base : Metric.MAIN) {
            names.stream()
                    .filter(name -> name.base().equals(base) && ofTheWhole(name))
                    .filter(name -> !Metric.ONLY_IF_USED.contains(base) || used(name))
                    .forEach(columns::add);
        }
        return columns;
    }

    private Set<MetricName> names() {
        Set<MetricName> names = new LinkedHashSet<>();
        outcomes.forEach(outcome -> names.addAll(outcome.metrics().keySet()));
        if (outcomes.stream().anyMatch(PolicyOutcome::unstable)) {
            // Results omit the means that do not exist for an unstable queue; the table says "unstable" in their place.
            Metric.MAIN.stream()
                    .map(MetricName::parse)
                    .filter(name -> Metric.of(name).growsWithQueue())
                    .forEach(names::add);
        }
        return names;
    }

    private static boolean ofTheWhole(MetricName name) {
        return name.label("site") == null && name.label("type") == null;
    }

    private boolean used(MetricName name) {
        return outcomes.stream().anyMatch(outcome -> {
            Estimate estimate = outcome.metrics().get(name);
            return estimate != null && estimate.mean() != 0;
        });
    }

    private Table table() {
        List<MetricName> metrics = new ArrayList<>();
        for (String ofTheLoad : List.of(Metric.LOAD, Metric.SIZE_BOUND)) {
            names().stream().filter(name -> name.base().equals(ofTheLoad)).forEach(metrics::add);
        }
        metrics.addAll(columns());
        List<String> headings = new ArrayList<>(axes);
        headings.add("policy");
        boolean byType = outcomes.stream().anyMatch(outcome -> WorstType.of(outcome) != null);
        for (MetricName name : metrics) {
            headings.add(Metric.of(name).title());
            if (byType && name.equals(LONGEST)) {
                headings.add("worst type's mean wait");
            }
        }
        headings.add("queue");
        List<List<Table.Cell>> rows = new ArrayList<>();
        for (PolicyOutcome outcome : outcomes) {
            List<Table.Cell> row = new ArrayList<>();
            axes.forEach(axis -> row.add(Table.Cell.name(outcome.point().getOrDefault(axis, "–"))));
            row.add(Table.Cell.name(outcome.policy() + (outcome.complete() ? "" : " (incomplete)")));
            for (MetricName name : metrics) {
                row.add(cell(outcome, name));
                if (byType && name.equals(LONGEST)) {
                    WorstType worst = WorstType.of(outcome);
                    row.add(worst == null ? Table.Cell.none() : worst.cell());
                }
            }
            row.add(verdict(outcome));
            rows.add(row);
        }
        return new Table(headings, axes.size() + 1, rows);
    }

    private static Table.Cell verdict(PolicyOutcome outcome) {
        Table.Cell cell = Table.Cell.name(outcome.verdict());
        return outcome.unstable() ? cell.toned(Table.Tone.BAD) : cell;
    }

    private Table.Cell cell(PolicyOutcome outcome, MetricName name) {
        if (outcome.voided(name)) {
            return new Table.Cell("unstable", Double.MAX_VALUE, Table.Tone.BAD);
        }
        Estimate estimate = outcome.metrics().get(name);
        if (estimate == null) {
            return Table.Cell.none();
        }
        Metric metric = Metric.of(name);
        String text = metric.quantity().format(estimate.mean(), estimate.halfWidth());
        Estimate tooLarge = outcome.metrics().get(FITS_NO_SERVER);
        if (name.equals(REJECTED) && tooLarge != null && tooLarge.mean() > 0) {
            text += " (" + Quantity.FRACTION.format(tooLarge.mean(), null) + " fit no server)";
        }
        Table.Cell cell = Table.Cell.number(text, estimate.mean());
        boolean best = comparisons
                .computeIfAbsent(outcome.point(), point -> new LinkedHashMap<>())
                .computeIfAbsent(name, key -> Comparison.of(key, rivals.getOrDefault(outcome.point(), List.of())))
                .filter(c -> c.intervals() && c.leads(outcome) && !c.allAlike())
                .isPresent();
        return best ? cell.toned(Table.Tone.BEST) : cell;
    }

    /**
     * All metrics, one per line: sweep axes, policy, metric, mean, half-width, confidence, method, count, verdict and
     * growth of the queue. RFC 4180, lines end in LF.
     */
    public String csv() {
        StringWriter out = new StringWriter();
        // Without a buffer, which would have to be closed; the text is in memory anyway.
        CsvWriter csv = CsvWriter.builder()
                .bufferSize(0)
                .lineDelimiter(LineDelimiter.LF)
                .build(out);
        List<String> heading = new ArrayList<>(axes);
        heading.addAll(List.of("policy", "metric", "mean", "half_width", "confidence", "method", "count"));
        heading.addAll(List.of("queue", "queue_growth_per_hour", "queue_growth_half_width"));
        csv.writeRecord(heading);
        for (PolicyOutcome outcome : outcomes) {
            outcome.metrics().forEach((name, estimate) -> csv.writeRecord(csvLine(outcome, name, estimate)));
        }
        return out.toString();
    }

    private List<String> csvLine(PolicyOutcome outcome, MetricName name, Estimate estimate) {
        boolean voided = outcome.voided(name);
        Stability queue = outcome.stability();
        List<String> line = new ArrayList<>();
        axes.forEach(axis -> line.add(outcome.point().getOrDefault(axis, "")));
        line.add(outcome.policy());
        line.add(name.toString());
        line.add(voided ? "" : Double.toString(estimate.mean()));
        line.add(voided ? "" : number(estimate.halfWidth()));
        line.add(Double.toString(estimate.confidence()));
        line.add(estimate.method());
        line.add(Integer.toString(estimate.count()));
        line.add(queue == null ? "not-judged" : queue.verdict());
        line.add(queue == null ? "" : Double.toString(queue.growthPerHour()));
        line.add(queue == null ? "" : number(queue.halfWidth()));
        return line;
    }

    private static String number(@Nullable Double value) {
        return value == null ? "" : value.toString();
    }

    /** All metrics as one JSON array with an object per sweep point and policy, indented, ended by a newline. */
    public String json() {
        ArrayNode array = JSON.createArrayNode();
        for (PolicyOutcome outcome : outcomes) {
            ObjectNode node = array.addObject();
            node.put("policy", outcome.policy());
            ObjectNode point = node.putObject("point");
            outcome.point().forEach(point::put);
            node.put("replications", outcome.replications());
            node.put("complete", outcome.complete());
            node.set("queue", JSON.valueToTree(outcome.stability()));
            ObjectNode metrics = node.putObject("metrics");
            for (Map.Entry<MetricName, Estimate> metric : outcome.metrics().entrySet()) {
                String name = metric.getKey().toString();
                metrics.set(name, outcome.voided(metric.getKey()) ? null : JSON.valueToTree(metric.getValue()));
            }
        }
        try {
            return JSON.writerWithDefaultPrettyPrinter()
                            .writeValueAsString(array)
                            .replace("\r\n", "\n") + "\n";
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }
}
