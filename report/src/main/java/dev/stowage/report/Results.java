package dev.stowage.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.stowage.sim.experiment.Precision;
import dev.stowage.sim.experiment.SizeQuestion;
import dev.stowage.sim.result.DistributionRow;
import dev.stowage.sim.result.Origin;
import dev.stowage.sim.result.Remark;
import dev.stowage.sim.result.ResultRow;
import dev.stowage.sim.result.RunRow;
import dev.stowage.sim.result.SeriesRow;
import dev.stowage.sim.result.SummaryRow;
import dev.stowage.sim.statistics.PairedLooks;
import dev.stowage.sim.statistics.TwoStage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The content of one results directory.
 *
 * @param rows the complete rows of {@code results.jsonl}, in file order
 * @param experiment text of {@code experiment.yaml}, or null if the file is absent
 * @param notes what is missing or was skipped, one sentence each; empty when everything is there
 * @param warnings what a reader must know of the run, a sentence each
 */
public record Results(List<ResultRow> rows, @Nullable String experiment, List<String> notes, List<Remark> warnings) {

    /** The sweep axis of {@link #together}. */
    public static final String EXPERIMENT = "experiment";

    private static final int MOST_SHOWN = 200;
    /** Changes of servers that are named. */
    private static final int MOST_CHANGES = 12;

    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

    /** Copies the lists. */
    public Results {
        rows = List.copyOf(rows);
        notes = List.copyOf(notes);
        warnings = List.copyOf(warnings);
    }

    /** Results without warnings. */
    public Results(List<ResultRow> rows, @Nullable String experiment, List<String> notes) {
        this(rows, experiment, notes, List.of());
    }

    /**
     * Runs and summaries of several experiments, which become values of a sweep axis {@code experiment}.
     *
     * @param all by the name of the experiment, in order
     */
    public static Results together(Map<String, Results> all) {
        List<ResultRow> rows = new ArrayList<>();
        all.forEach((name, results) -> {
            for (RunRow row : results.runs()) {
                rows.add(new RunRow(
                        of(name, row.origin()),
                        row.replication(),
                        row.seed(),
                        row.digest(),
                        row.warmupSeconds(),
                        row.horizonSeconds(),
                        row.metrics()));
            }
            for (SummaryRow row : results.summaries()) {
                rows.add(new SummaryRow(
                        of(name, row.origin()), row.replications(), row.warmUp(), row.stability(), row.metrics()));
            }
        });
        return new Results(rows, null, List.of());
    }

    private static Origin of(String name, Origin origin) {
        Map<String, String> point = new LinkedHashMap<>();
        point.put(EXPERIMENT, name);
        point.putAll(origin.point());
        return origin.withPoint(point);
    }

    /** Labels of the policies, in order of first appearance. */
    public List<String> policies() {
        return distinct(Origin::policy);
    }

    /** Sweep points, in order of first appearance; one empty point without a sweep. */
    public List<Map<String, String>> points() {
        return distinct(Origin::point);
    }

    /** The title that the experiment gives itself; empty if it has none. */
    String title() {
        try {
            return experiment == null
                    ? ""
                    : YAML.readTree(experiment).path("title").asText("");
        } catch (JsonProcessingException e) {
            // The text is only shown; what the report says comes from the rows.
            return "";
        }
    }

    /** Whether the load changes in the course of a run. */
    boolean loadChanges() {
        try {
            return experiment != null
                    && !YAML.readTree(experiment)
                            .path("workload")
                            .findValues("changes")
                            .isEmpty();
        } catch (JsonProcessingException e) {
            // A text that is no experiment has none.
            return false;
        }
    }

    /** The target for which servers were counted, as the experiment says; null if none were counted. */
    @Nullable
    SizeQuestion size() {
        try {
            return experiment == null
                    ? null
                    : SizeQuestion.read(YAML.readTree(experiment).path("size"));
        } catch (JsonProcessingException e) {
            // The text is only shown; what the report says comes from the rows.
            return null;
        }
    }

    /**
     * How often the difference of two policies may have been looked at to decide whether to add replications; 1 if
     * their number was not decided so.
     */
    int looks(Map<String, String> point) {
        long policies = runs().stream()
                .map(RunRow::origin)
                .filter(origin -> origin.point().equals(point))
                .map(Origin::policy)
                .distinct()
                .count();
        try {
            JsonNode tree = experiment == null ? MissingNode.getInstance() : YAML.readTree(experiment);
            int pilot = whole(tree, point, "replications", TwoStage.LEAST_PILOT);
            int most = Math.max(pilot, Precision.MOST_REPLICATIONS);
            return said(tree, point, "precision").isEmpty() || policies != 2
                    ? 1
                    : PairedLooks.looks(pilot, whole(tree, point, "max-replications", most));
        } catch (JsonProcessingException e) {
            // A text that is no experiment asks for no precision.
            return 1;
        }
    }

    private static int whole(JsonNode tree, Map<String, String> point, String key, int fallback) {
        String text = said(tree, point, key);
        try {
            return text.isEmpty() ? fallback : (int) Double.parseDouble(text);
        } catch (NumberFormatException e) {
            return fallback;
        }
    }

    /** What the experiment says at a point, as text; empty where it says nothing. */
    private static String said(JsonNode tree, Map<String, String> point, String key) {
        for (JsonNode axis : tree.path("sweep")) {
            if (axis.path("path").asText().equals(key)) {
                return point.getOrDefault(axis.path("name").asText(key), "");
            }
        }
        JsonNode node = tree.path(key);
        return node.isValueNode() ? node.asText() : node.toString();
    }

    /** Servers, workload, version and how to run it again, as far as the experiment tells. */
    String setting() {
        List<String> parts = new ArrayList<>();
        List<String> files = List.of();
        try {
            JsonNode tree = experiment == null ? MissingNode.getInstance() : YAML.readTree(experiment);
            JsonNode cluster = tree.path("cluster");
            JsonNode servers =
                    cluster.path("servers").isMissingNode() ? cluster.path("sites") : cluster.path("servers");
            JsonNode list = servers.isMissingNode() ? cluster.path("server-list") : servers;
            if (!list.isMissingNode()) {
                parts.add("Servers: " + plain(list));
            }
            if (!tree.path("workload").isMissingNode()) {
                parts.add("Workload: " + plain(tree.path("workload")));
            }
            changes(tree.path("server-changes")).ifPresent(parts::add);
            if (cluster.has("failures")) {
                parts.add("Failures: " + plain(cluster.path("failures")));
            }
            if (tree.has("starts")) {
                parts.add("Starts: " + plain(tree.path("starts")));
            }
            files = files(tree);
        } catch (JsonProcessingException e) {
            // The text is only shown; what the report says comes from the rows.
            parts.clear();
        }
        parts.add("Stowage " + String.join(", ", distinct(Origin::version)));
        if (experiment != null) {
            parts.add("again: " + again(experiment, files));
        }
        return String.join(" · ", parts);
    }

    /** The command, in the directory of the results or, of a recording, where it was given. */
    private static String again(String experiment, List<String> files) {
        List<String> comments = experiment
                .lines()
                .takeWhile(line -> line.startsWith("# "))
                .map(line -> line.substring(2))
                .toList();
        return beginning(comments, "stowage replay ")
                .orElseGet(() -> "stowage run " + ResultsReader.EXPERIMENT
                        + beginning(comments, "--plugins ").map(" "::concat).orElse("")
                        + (files.isEmpty() || beginning(comments, "file ").isPresent()
                                ? ""
                                : ", with " + String.join(", ", files) + " beside it"));
    }

    private static Optional<String> beginning(List<String> comments, String with) {
        return comments.stream().filter(line -> line.startsWith(with)).findFirst();
    }

    /** {@code Server changes: drain from 0, count 6 at 1 h; ...}; empty without any. */
    private static Optional<String> changes(JsonNode list) {
        List<String> changes = new ArrayList<>();
        for (JsonNode each : list) {
            each.fieldNames().forEachRemaining(key -> {
                if (!key.equals("at")) {
                    changes.add(key + " " + plain(each.path(key)) + " at "
                            + each.path("at").asText());
                }
            });
        }
        int others = changes.size() - MOST_CHANGES;
        return changes.isEmpty()
                ? Optional.empty()
                : Optional.of("Server changes: "
                        + String.join("; ", changes.subList(0, Math.min(MOST_CHANGES, changes.size())))
                        + (others > 0 ? "; and " + others + " more" : ""));
    }

    /** Files of the workload and the servers that the experiment looks for in its own directory. */
    private static List<String> files(JsonNode tree) {
        List<JsonNode> named = new ArrayList<>(tree.path("workload").findValues("file"));
        named.add(tree.path("cluster").path("server-list"));
        return named.stream()
                .map(JsonNode::asText)
                .filter(file -> !file.isEmpty() && !Path.of(file).isAbsolute())
                .distinct()
                .toList();
    }

    /** {@code count 500, cpu 48, memory 128 GiB}. */
    private static String plain(JsonNode node) {
        String text =
                node.toString().replaceAll("[{}\"\\[\\]]", "").replace(":", " ").replace(",", ", ");
        int end = text.lastIndexOf(", ", MOST_SHOWN);
        return text.length() <= MOST_SHOWN ? text : text.substring(0, end < 0 ? MOST_SHOWN : end + 2) + "…";
    }

    /** Name of a site by its number, as in the experiment; {@code site 3} if it has no names. */
    String siteName(String number) {
        String fallback = "site " + number;
        try {
            return experiment == null
                    ? fallback
                    : YAML.readTree(experiment)
                            .path("cluster")
                            .path("sites")
                            .path(Integer.parseInt(number))
                            .path("name")
                            .asText(fallback);
        } catch (JsonProcessingException | NumberFormatException e) {
            return fallback;
        }
    }

    /** The results of the policies: one entry per sweep point and policy that has rows, points in the outer order. */
    List<PolicyOutcome> outcomes() {
        return PolicyOutcome.all(this);
    }

    /** {@code  in the first replication}, after the preposition; empty if there is no other. */
    String first(String preposition) {
        boolean more = outcomes().stream().anyMatch(outcome -> outcome.replications() > 1);
        return more ? preposition + " the first replication" : "";
    }

    List<RunRow> runs() {
        return only(RunRow.class);
    }

    List<SummaryRow> summaries() {
        return only(SummaryRow.class);
    }

    List<SeriesRow> series() {
        return only(SeriesRow.class);
    }

    List<DistributionRow> distributions() {
        return only(DistributionRow.class);
    }

    <T> List<T> distinct(Function<Origin, T> part) {
        return rows.stream().map(ResultRow::origin).map(part).distinct().toList();
    }

    private <T extends ResultRow> List<T> only(Class<T> kind) {
        return rows.stream().filter(kind::isInstance).map(kind::cast).toList();
    }
}
