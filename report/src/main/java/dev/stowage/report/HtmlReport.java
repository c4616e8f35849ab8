package dev.stowage.report;

import dev.stowage.sim.result.Estimate;
import dev.stowage.sim.result.Origin;
import dev.stowage.sim.result.RunRow;
import dev.stowage.sim.result.SummaryRow;
import dev.stowage.sim.statistics.Intervals;
import java.awt.Color;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The report as one HTML file that needs nothing else: styles, figures and script are inside. The links to other files
 * are relative. Lines over two axes are drawn by the script; without it all else can be read.
 */
final class HtmlReport {
    private final Results results;
    private boolean interactive;
    private final StringBuilder out = new StringBuilder(1 << 20);

    private HtmlReport(Results results) {
        this.results = results;
    }

    /**
     * Writes the report.
     *
     * @param sections the figures
     */
    static String of(Results results, List<Section> sections) {
        HtmlReport report = new HtmlReport(results);
        report.head();
        report.summary();
        sections.forEach(report::section);
        report.breakdown("type", "By request type");
        report.breakdown("site", "By site");
        report.provenance();
        report.experiment();
        return report.out.append(Html.foot(report.interactive)).toString();
    }

    private String answer() {
        String servers = SizeAnswer.of(results);
        return PolicyOutcome.inventory(results.outcomes())
                ? PolicyOutcome.INVENTORY + " " + Verdicts.ofInventory(results)
                : servers.isEmpty() ? Verdicts.first(results) : servers;
    }

    private void head() {
        String title = String.join(", ", results.distinct(Origin::experiment));
        out.append(Html.head(title + " · Stowage report", title))
                .append(Html.paragraph("answer", answer()))
                .append(Html.paragraph("lead", results.title().isEmpty() ? lead() : results.title() + ": " + lead()))
                .append(Html.paragraph("lead", results.setting()));
        results.warnings().forEach(warning -> out.append(Html.paragraph("note", warning.toString())));
        results.notes().forEach(note -> out.append(Html.paragraph("note", note)));
    }

    private String lead() {
        int policies = results.policies().size();
        int points = results.points().size();
        return count(policies, "policy", "policies")
                + (points > 1 ? " at " + points + " sweep points" : "")
                + (PolicyOutcome.inventory(results.outcomes())
                        ? ", "
                        : ", " + span(results.runs(), RunRow::horizonSeconds, Quantity.TIME::plain)
                                + " of simulated time, ")
                + count(replications(), "replication", "replications")
                + (points * policies > 1 ? " each" : "");
    }

    private int replications() {
        return results.outcomes().stream()
                .mapToInt(PolicyOutcome::replications)
                .max()
                .orElse(0);
    }

    private static String count(int n, String one, String many) {
        return n + " " + (n == 1 ? one : many);
    }

    private void summary() {
        out.append("<h2>Summary</h2>\n").append(SummaryTable.of(results).html());
        out.append(Html.paragraph("hint", legend()));
        List<String> verdicts = Verdicts.besides(answer(), results);
        if (!verdicts.isEmpty()) {
            out.append("<ul>\n");
            verdicts.forEach(
                    verdict -> out.append("<li>").append(Html.prose(verdict)).append("</li>\n"));
            out.append("</ul>\n");
        }
        Table differences = Verdicts.differences(results);
        if (!differences.rows().isEmpty()) {
            details("How far each policy is from the best at each point of the sweep", differences);
        }
    }

    private String legend() {
        List<PolicyOutcome> outcomes = results.outcomes();
        Map<String, List<Estimate>> methods = outcomes.stream()
                .flatMap(o -> o.metrics().entrySet().stream())
                .filter(e -> e.getKey().label("type") == null)
                .map(Map.Entry::getValue)
                .filter(e -> e.halfWidth() != null && !e.method().equals("proven"))
                .collect(Collectors.groupingBy(HtmlReport::method, TreeMap::new, Collectors.toList()));
        if (PolicyOutcome.inventory(outcomes)) {
            return "The numbers are exact for this inventory.";
        }
        if (Verdicts.exact(outcomes)) {
            return Verdicts.rule(results).strip();
        }
        if (methods.isEmpty()) {
            List<String> signs = SummaryTable.of(results).signs();
            return signs.isEmpty()
                    ? "A single run gives no confidence intervals: ask for more replications to see what is chance."
                    : String.join(" ", signs);
        }
        List<String> levels = new ArrayList<>();
        methods.forEach((method, estimates) -> levels.add(range(estimates) + " " + method));
        boolean rare = outcomes.stream()
                .anyMatch(o -> o.metrics().entrySet().stream()
                        .anyMatch(e ->
                                e.getKey().label("type") != null && e.getValue().count() < o.replications()));
        return "± is the half-width of the confidence interval, from " + String.join(", ", levels)
                + (rare ? "; of a type, from those in which it occurs." : ".")
                + SummaryTable.of(results).signs().stream()
                        .map(sign -> " " + sign)
                        .collect(Collectors.joining())
                + Verdicts.rule(results)
                + (outcomes.stream().anyMatch(PolicyOutcome::unstable)
                        ? " Unstable: the queue grows for as long as the run lasts, so a mean wait says nothing."
                        : "");
    }

    /** {@code replications at 95 %}. */
    private static String method(Estimate estimate) {
        String what = switch (estimate.method()) {
            case Intervals.BATCH_MEANS -> "batches of a single run";
            case Intervals.ONE_TRACE -> "replications";
            default -> estimate.method();
        };
        return what + " at " + Quantity.FRACTION.plain(estimate.confidence());
    }

    private static String range(List<Estimate> estimates) {
        int least = estimates.stream().mapToInt(Estimate::count).min().orElse(0);
        int most = estimates.stream().mapToInt(Estimate::count).max().orElse(0);
        return least == most ? Integer.toString(least) : least + " to " + most;
    }

    private void section(Section section) {
        out.append("<h2>").append(Html.escape(section.heading())).append("</h2>\n<div class=\"figures\">\n");
        for (Figure figure : section.figures()) {
            interactive |= figure instanceof LineFigure;
            out.append(Html.figure(figure));
        }
        out.append("</div>\n");
    }

    private static String link(String file, String text) {
        return "<a href=\"" + Html.escape(file) + "\">" + text + "</a>";
    }

    private void breakdown(String label, String heading) {
        Table table = BreakdownTable.by(label, results);
        if (table.rows().isEmpty()) {
            return;
        }
        out.append("<h2>").append(heading).append("</h2>\n");
        table(table, "; all are in " + link("summary.csv", "summary.csv"));
    }

    /** A table, of which a long one is cut, and where the rest is. */
    private void table(Table table, String rest) {
        int rows = table.rows().size();
        int shown = Math.min(rows, BreakdownTable.MOST_ROWS);
        out.append(
                Html.table(new Table(table.columns(), table.keys(), table.rows().subList(0, shown))));
        if (rows > shown) {
            out.append("<p class=\"hint\">The first ")
                    .append(shown)
                    .append(" of ")
                    .append(rows)
                    .append(" rows")
                    .append(rest)
                    .append(".</p>\n");
        }
    }

    private void details(String summary, Table table) {
        out.append("<details><summary>").append(summary).append("</summary>\n");
        table(table, "");
        out.append("</details>\n");
    }

    private void provenance() {
        out.append("<h2>What was run</h2>\n<dl>\n");
        fact("Experiment", joined(Origin::experiment));
        fact("Experiment hash", joined(Origin::experimentHash));
        fact("Stowage version", joined(Origin::version));
        fact("Java runtime", joined(Origin::jdk));
        fact("Results schema", joined(Origin::schema));
        fact("Policies", String.join("; ", results.distinct(HtmlReport::policy)));
        fact(
                "Seeds",
                results.runs().stream()
                        .map(r -> Long.toString(r.seed()))
                        .distinct()
                        .collect(Collectors.joining(", ")));
        fact("Warm-up cut", span(results.runs(), RunRow::warmupSeconds, Quantity.TIME::plain));
        fact(
                "Warm-up chosen",
                results.summaries().stream().map(SummaryRow::warmUp).distinct().collect(Collectors.joining(", ")));
        fact("Horizon", span(results.runs(), RunRow::horizonSeconds, Quantity.TIME::plain));
        out.append("</dl>\n<p class=\"links\">All figures in numbers: ")
                .append(link("summary.csv", "summary.csv"))
                .append(", ")
                .append(link(ResultsReader.RESULTS, ResultsReader.RESULTS))
                .append("; pictures as files: <code>stowage report DIR --pictures</code></p>\n");
        runs();
    }

    private void fact(String name, String value) {
        out.append(Html.fact(name, List.of(value)));
    }

    private String joined(Function<Origin, String> part) {
        return String.join(", ", results.distinct(part));
    }

    private static String policy(Origin origin) {
        return origin.parameters().isEmpty() ? origin.policy() : origin.policy() + " " + origin.parameters();
    }

    /** {@code 24 h}, or {@code 2 h to 3 h} if runs differ. */
    private static String span(List<RunRow> runs, Function<RunRow, Double> value, Function<Double, String> format) {
        if (runs.isEmpty()) {
            return "unknown";
        }
        double least = runs.stream().mapToDouble(value::apply).min().orElseThrow();
        double most = runs.stream().mapToDouble(value::apply).max().orElseThrow();
        String first = format.apply(least);
        String last = format.apply(most);
        return first.equals(last) ? first : first + " to " + last;
    }

    private void runs() {
        List<List<Table.Cell>> rows = results.runs().stream()
                .map(run -> List.of(
                        Table.Cell.name(run.origin().policy()),
                        Table.Cell.name(PolicyOutcome.describe(run.origin().point())),
                        Table.Cell.number(Integer.toString(run.replication()), run.replication()),
                        Table.Cell.number(Long.toString(run.seed()), (double) run.seed()),
                        Table.Cell.name(run.digest())))
                .toList();
        if (!rows.isEmpty()) {
            details(
                    "Every run: seed and digest (a repeated run must give the same digest)",
                    new Table(List.of("policy", "point", "replication", "seed", "digest"), 2, rows));
        }
    }

    private void experiment() {
        @Nullable String text = results.experiment();
        if (text != null) {
            out.append("<h2>The experiment</h2>\n<pre>")
                    .append(Html.escape(text))
                    .append("</pre>\n");
        }
        out.append("<footer>Written by Stowage ")
                .append(Html.escape(joined(Origin::version)))
                .append(".</footer>\n");
    }

    /** CSS rules that invert the figures' paper, ink and grid; the SVG in the files is not changed. */
    static String darkFigures() {
        return recolour(Theme.PAPER, "var(--paper)")
                + recolour(Theme.INK, "var(--ink)")
                + recolour(Theme.GRID, "var(--grid)")
                + recolour(Theme.BLACK, "#f4f4f4");
    }

    private static String recolour(Color from, String to) {
        String name = FigureRenderer.colourName(from);
        return "figure svg [fill=\"" + name + "\"] { fill: " + to + "; }\n  figure svg [stroke=\"" + name
                + "\"] { stroke: " + to + "; }\n  ";
    }

    static String resource(String name) {
        try (InputStream in = HtmlReport.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is missing from the jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
