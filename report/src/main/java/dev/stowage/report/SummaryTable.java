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
import dev.stowage.sim.statistics.Intervals;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
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

    /** Columns of the table for a terminal. */
    private static final int MOST_COLUMNS = 7;

    /** Columns of the table for a page. */
    private static final int MOST_ON_PAGE = 8;

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

    /** All columns as aligned text, every line ended by a newline. */
    public String wide(TextStyle style) {
        return TextTable.write(all(), style);
    }

    /**
     * What decides, as aligned text that is no wider than the terminal: at most seven columns, at each sweep point the
     * best policy on top. What {@link #remarks} says belongs to it.
     */
    public String text(TextStyle style) {
        for (int count = mostDeciding(); count > 1; count--) {
            Table table = deciding(count);
            if (TextTable.width(table, style) <= style.width()) {
                return TextTable.write(table, style);
            }
        }
        return TextTable.write(deciding(Math.min(1, mostDeciding())), style);
    }

    private int mostDeciding() {
        return Math.min(wanted().size(), Math.max(1, MOST_COLUMNS - axes.size() - 2));
    }

    /** Metrics that decide, the most important first. */
    private List<MetricName> wanted() {
        return wanted(Metric.DECIDING);
    }

    private List<MetricName> wanted(List<String> order) {
        Set<MetricName> alike = new LinkedHashSet<>(alike());
        return columns().stream()
                .filter(name -> order.contains(name.base()) && !alike.contains(name))
                .sorted(Comparator.comparingInt(name -> order.indexOf(name.base())))
                .toList();
    }

    private Table deciding(int count) {
        List<MetricName> wanted = wanted();
        List<PolicyOutcome> sorted = new ArrayList<>();
        rivals.values().forEach(each -> sorted.addAll(bestFirst(each, wanted)));
        return table(wanted.subList(0, count), sorted, true);
    }

    /**
     * By the first of the metrics that has a better direction; policies with an unstable queue come last, and before
     * them those that reject, as their waits are over fewer requests.
     */
    private static List<PolicyOutcome> bestFirst(List<PolicyOutcome> outcomes, List<MetricName> metrics) {
        Comparator<PolicyOutcome> order =
                Comparator.comparing(PolicyOutcome::unstable).thenComparing(Comparison::turnsAway);
        for (MetricName name : metrics) {
            Metric.Better better = Metric.of(name).better();
            if (better != Metric.Better.NEITHER) {
                double sign = better == Metric.Better.LESS ? 1 : -1;
                order = order.thenComparingDouble(outcome -> {
                    Estimate estimate = outcome.metrics().get(name);
                    return estimate == null ? Double.MAX_VALUE : sign * estimate.mean();
                });
            }
        }
        return outcomes.stream().sorted(order).toList();
    }

    /** Metrics that have one text in all rows, so that no column is needed for them. */
    private List<MetricName> alike() {
        return outcomes.size() < 2
                ? List.of()
                : columns().stream()
                        .filter(name -> outcomes.stream()
                                        .map(outcome -> cell(outcome, name).text())
                                        .distinct()
                                        .count()
                                == 1)
                        .filter(name ->
                                !(PolicyOutcome.inventory(outcomes) && Metric.OF_INVENTORIES.contains(name.base())))
                        .toList();
    }

    /** What belongs to {@link #text}, a sentence each: what is the same for all, and why a verdict is what it is. */
    public List<String> remarks() {
        List<String> remarks = new ArrayList<>();
        if (PolicyOutcome.inventory(outcomes)) {
            remarks.add(PolicyOutcome.INVENTORY);
        }
        MetricName load = MetricName.parse(Metric.LOAD);
        if (rivals.size() > 1) {
            remarks.addAll(BoundMark.loads(
                    outcomes.stream()
                            .filter(each -> each.metrics().containsKey(load))
                            .toList(),
                    each -> cell(each, load).text()));
        } else if (rivals.size() == 1) {
            List<String> same = new ArrayList<>();
            names().stream()
                    .filter(load::equals)
                    .forEach(name -> same.add(Metric.of(name).title() + " "
                            + cell(outcomes.get(0), name).text()));
            alike().stream()
                    .filter(name -> Metric.DECIDING.contains(name.base())
                            && !(PolicyOutcome.inventory(outcomes) && name.equals(REJECTED)))
                    .forEach(name -> same.add(Metric.of(name).title() + " "
                            + cell(outcomes.get(0), name).text()));
            if (!same.isEmpty()) {
                remarks.add("For every policy: " + String.join(", ", same) + ".");
            }
        }
        for (PolicyOutcome outcome : outcomes) {
            String why = outcome.why();
            String ends = outcome.ends();
            String place = PolicyOutcome.describe(outcome.point());
            if (!why.isEmpty() || !ends.isEmpty()) {
                remarks.add(outcome.policy() + (place.isEmpty() ? "" : " at " + place) + ": " + outcome.word() + ", "
                        + why + (why.isEmpty() || ends.isEmpty() ? "" : "; ") + ends + ".");
            }
        }
        String rejected = Comparison.rejections(outcomes);
        if (!rejected.isEmpty()) {
            remarks.add(rejected);
        }
        String waiting = Verdicts.leftWaiting(outcomes);
        if (!waiting.isEmpty()) {
            remarks.add(waiting + ".");
        }
        String dummies = Verdicts.dummies(outcomes);
        if (!dummies.isEmpty()) {
            remarks.add(dummies);
        }
        String level = level();
        if (!level.isEmpty()) {
            remarks.add(level);
        }
        remarks.addAll(signs());
        return remarks;
    }

    /** What stands in parentheses in place of an interval, and what an interval is over, a sentence each. */
    List<String> signs() {
        List<String> signs = new ArrayList<>();
        List<PolicyOutcome> ranges = outcomes.stream()
                .filter(outcome -> columns().stream().anyMatch(outcome::skewed))
                .toList();
        if (ranges.stream().anyMatch(PolicyOutcome::isPair)) {
            signs.add("In parentheses: the 2 runs, too few for an interval of their mean. The median of such runs lies"
                    + " between them with a probability of one half only.");
        }
        if (!ranges.stream().allMatch(PolicyOutcome::isPair)) {
            signs.add("In parentheses: the least and greatest of the runs; of a mean, where they differ too much for an"
                    + " interval.");
        }
        if (outcomes.stream()
                .anyMatch(outcome -> !outcome.isPair() && columns().stream().anyMatch(outcome::isTopped))) {
            signs.add(
                    "An interval that would reach above 100 % is not shown: in its place are the least and greatest of"
                            + " the runs, or its lower end if there is one run.");
        }
        if (outcomes.stream().anyMatch(outcome -> columns().stream().anyMatch(outcome::isCut))) {
            signs.add("At most: the upper end of an interval that would reach below zero; the run is too short for an"
                    + " interval.");
        }
        if (Verdicts.exact(outcomes) && !PolicyOutcome.inventory(outcomes)) {
            signs.add("One trace is one sample: these numbers are exact for it, and may differ on others"
                    + (outcomes.size() > 1
                            ? "; the report says how far the differences would hold on other requests like these."
                            : "."));
        }
        int draws = outcomes.stream()
                .flatMap(outcome -> outcome.metrics().values().stream())
                .filter(estimate -> estimate.method().equals(Intervals.ONE_TRACE))
                .mapToInt(Estimate::count)
                .max()
                .orElse(0);
        int runs = outcomes.stream().mapToInt(each -> each.runs().size()).max().orElse(0);
        if (runs > 1 && outcomes.stream().allMatch(PolicyOutcome::repeated)) {
            signs.add("All " + runs + " runs are the same: one says as much.");
        } else if (draws == 1) {
            signs.add("The requests are given. What is drawn for them, such as where they come from, is drawn once: no"
                    + " number here shows how much depends on it.");
        } else if (draws > 1) {
            signs.add("± and ranges are over " + draws + " draws of what is random about these requests, such as where"
                    + " they come from; they say nothing about other requests.");
        }
        return signs;
    }

    /** An HTML {@code <table>} of what decides, and one of all below it, to be opened. */
    public String html() {
        return Html.table(deciding(mostDeciding())) + "<details><summary>All columns</summary>\n" + Html.table(all())
                + "</details>\n";
    }

    /** What ± is; empty where no cell has it. */
    private String level() {
        return outcomes.stream()
                .filter(outcome -> columns().stream()
                        .anyMatch(name -> cell(outcome, name).text().contains("±")))
                .flatMap(outcome -> outcome.metrics().values().stream())
                .filter(estimate -> estimate.halfWidth() != null && estimate.confidence() < 1)
                .findFirst()
                .map(estimate -> "± is the half-width of the " + Quantity.FRACTION.plain(estimate.confidence())
                        + " confidence interval.")
                .orElse("");
    }

    /**
     * What is the same in all rows, in a line of Markdown, and a table of what decides: at most eight columns.
     *
     * @param first metrics, without resources or other labels, that come before others that decide
     */
    public String markdown(List<String> first) {
        Set<String> order = new LinkedHashSet<>(first);
        order.addAll(Metric.DECIDING);
        List<MetricName> wanted = wanted(List.copyOf(order));
        int count = wanted.size();
        while (count > 1
                && MarkdownTable.varying(table(wanted.subList(0, count), outcomes, false))
                                .size()
                        > MOST_ON_PAGE) {
            count--;
        }
        String level = level();
        boolean dummies =
                wanted.subList(0, count).stream().anyMatch(each -> each.base().equals("utilization"))
                        && !Verdicts.dummies(outcomes).isEmpty();
        return MarkdownTable.constants(all())
                + MarkdownTable.write(table(wanted.subList(0, count), outcomes, false))
                + (dummies
                        ? "\nUtilization includes dummies, with which a policy keeps room for a type of request.\n"
                        : "")
                + (level.isEmpty() ? "" : "\n" + level + "\n");
    }

    /** The metrics of the table's columns, in order. */
    List<MetricName> columns() {
        Set<MetricName> names = names();
        List<MetricName> columns = new ArrayList<>();
        for (String base : Metric.MAIN) {
            names.stream()
                    .filter(name -> name.base().equals(base) && ofTheWhole(name))
                    .filter(name -> !Metric.ONLY_IF_USED.contains(base) || used(name))
                    .filter(name -> !(name.equals(REJECTED) && PolicyOutcome.inventory(outcomes)))
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
                    .filter(name -> Metric.of(name).has(Metric.Trait.GROWS))
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

    private Table all() {
        List<MetricName> metrics = new ArrayList<>();
        for (String ofTheLoad : List.of(Metric.LOAD, Metric.SIZE_BOUND)) {
            names().stream().filter(name -> name.base().equals(ofTheLoad)).forEach(metrics::add);
        }
        metrics.addAll(columns());
        return table(metrics, outcomes, false);
    }

    /** The verdict on the queue is the last column, or in a short table the first after the policy, in a word. */
    private Table table(List<MetricName> metrics, List<PolicyOutcome> shown, boolean shortly) {
        List<String> headings = new ArrayList<>(axes);
        headings.add("policy");
        boolean queues = !PolicyOutcome.inventory(outcomes);
        if (shortly && queues) {
            headings.add("queue");
        }
        boolean byType = !shortly && shown.stream().anyMatch(outcome -> WorstType.of(outcome) != null);
        for (MetricName name : metrics) {
            headings.add(Metric.of(name).title());
            if (byType && name.equals(LONGEST)) {
                headings.add("worst type's mean wait");
            }
        }
        if (!shortly && queues) {
            headings.add("queue");
        }
        List<List<Table.Cell>> rows = new ArrayList<>();
        for (PolicyOutcome outcome : shown) {
            List<Table.Cell> row = new ArrayList<>();
            axes.forEach(axis -> row.add(Table.Cell.name(outcome.point().getOrDefault(axis, "–"))));
            row.add(Table.Cell.name(outcome.policy() + (outcome.complete() ? "" : " (incomplete)")));
            if (shortly && queues) {
                row.add(verdict(outcome, outcome.word()));
            }
            for (MetricName name : metrics) {
                row.add(cell(outcome, name));
                if (byType && name.equals(LONGEST)) {
                    WorstType worst = WorstType.of(outcome);
                    row.add(worst == null ? Table.Cell.none() : worst.cell());
                }
            }
            if (!shortly && queues) {
                row.add(verdict(outcome, outcome.verdict()));
            }
            rows.add(row);
        }
        return new Table(headings, axes.size() + (shortly && queues ? 2 : 1), rows);
    }

    private static Table.Cell verdict(PolicyOutcome outcome, String text) {
        Table.Cell cell = Table.Cell.name(text);
        return outcome.unstable() ? cell.toned(Table.Tone.BAD) : cell;
    }

    private Table.Cell cell(PolicyOutcome outcome, MetricName name) {
        if (outcome.voided(name)) {
            return Table.Cell.number("unstable", Double.MAX_VALUE).toned(Table.Tone.BAD);
        }
        Estimate estimate = outcome.metrics().get(name);
        if (estimate == null) {
            return Table.Cell.none();
        }
        String text = outcome.text(name, estimate);
        Estimate tooLarge = outcome.metrics().get(FITS_NO_SERVER);
        if (name.equals(REJECTED) && tooLarge != null && tooLarge.mean() > 0) {
            text += " (" + Quantity.FRACTION.format(tooLarge.mean(), null) + " fit no server)";
        }
        Table.Cell cell = Table.Cell.number(text, estimate.mean());
        boolean best = comparisons
                .computeIfAbsent(outcome.point(), point -> new LinkedHashMap<>())
                .computeIfAbsent(name, key -> Comparison.of(key, rivals.getOrDefault(outcome.point(), List.of())))
                .filter(c -> c.intervals() && c.splits() && c.leads(outcome))
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
