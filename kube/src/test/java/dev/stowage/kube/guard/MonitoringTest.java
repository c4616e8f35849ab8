package dev.stowage.kube.guard;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.stowage.kube.metrics.Histogram;
import dev.stowage.kube.schedule.PodState;
import dev.stowage.kube.schedule.SchedulerFigures;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The metrics, and the files under deploy/ and the page that name them. */
final class MonitoringTest {
    private static final Path DEPLOY = Path.of("..", "deploy", "kubernetes");
    private static final Pattern METRIC = Pattern.compile("\\b(?:scheduler|stowage)_[a-z_]+");
    private static final Pattern LABEL = Pattern.compile("(\\w+)(=~|!~|!=|=)\"([^\"]*)\"");
    private static final Pattern SAMPLE = Pattern.compile("([a-z_]+)(?:\\{([^}]*)})? (\\S+)");

    private final SchedulerFigures figures = new SchedulerFigures();
    private final LongAdder[] answers = {new LongAdder(), new LongAdder(), new LongAdder()};

    private String exposition() {
        return figures.exposition("stowage") + BindingGuard.exposition(answers, Histogram.doubling(.1, 2), true, 3);
    }

    /** The type of each metric. Each is said to be something, once, before its samples. */
    private static Map<String, String> types(String exposition) {
        Map<String, String> types = new TreeMap<>();
        List<String> lines = exposition.lines().toList();
        String now = "";
        for (int k = 0; k < lines.size(); k++) {
            String line = lines.get(k);
            if (line.startsWith("# HELP ")) {
                now = line.split(" ", -1)[2];
                assertThat(line.split(" ", 4)[3]).as(now).endsWith(".");
                assertThat(lines.get(k + 1)).startsWith("# TYPE " + now + " ");
                assertThat(types.put(now, lines.get(k + 1).split(" ", -1)[3]))
                        .as(now)
                        .isNull();
            } else if (!line.startsWith("# TYPE")) {
                Matcher sample = SAMPLE.matcher(line);
                assertThat(sample.matches()).as(line).isTrue();
                String base = "histogram".equals(types.get(now)) ? base(sample.group(1)) : sample.group(1);
                assertThat(base).as(line).isEqualTo(now);
                assertThat(Double.parseDouble(sample.group(3))).isNotNegative();
            }
        }
        return types;
    }

    private static String base(String series) {
        return series.replaceAll("_(bucket|sum|count)$", "");
    }

    @Test
    void eachSaysWhatItIsAndThePageHasIt() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "kubernetes.md"));
        Map<String, String> types = types(exposition());
        types.forEach((name, type) -> {
            assertThat(name).matches(metric -> metric.endsWith("_total") == type.equals("counter"));
            assertThat(page).contains("`" + name);
        });
        assertThat(types).containsEntry("scheduler_pod_scheduling_duration_seconds", "histogram");
    }

    @Test
    void aHistogramCountsWhatIsAtMostEachBound() {
        for (double value : new double[] {0, 1, 1.5, 2, 4, 4.5, 100}) {
            figures.victims.add(value);
        }
        assertThat(figures.exposition("p").lines().filter(line -> line.startsWith("scheduler_preemption_victims")))
                .containsExactly(
                        "scheduler_preemption_victims_bucket{le=\"1.0\"} 2",
                        "scheduler_preemption_victims_bucket{le=\"2.0\"} 4",
                        "scheduler_preemption_victims_bucket{le=\"4.0\"} 5",
                        "scheduler_preemption_victims_bucket{le=\"8.0\"} 6",
                        "scheduler_preemption_victims_bucket{le=\"16.0\"} 6",
                        "scheduler_preemption_victims_bucket{le=\"32.0\"} 6",
                        "scheduler_preemption_victims_bucket{le=\"64.0\"} 6",
                        "scheduler_preemption_victims_bucket{le=\"+Inf\"} 7",
                        "scheduler_preemption_victims_sum 113.0",
                        "scheduler_preemption_victims_count 7");
    }

    @Test
    void alertsAndDashboardNameOnlyMetricsAndLabelsThatExist() throws IOException {
        List<String> expressions = new ArrayList<>();
        JsonNode dashboard =
                new ObjectMapper().readTree(DEPLOY.resolve("dashboard.json").toFile());
        dashboard.findValuesAsText("expr").forEach(expressions::add);
        assertThat(expressions).hasSizeGreaterThan(15);
        int panels = expressions.size();
        for (Map<?, ?> object : objects("monitoring.yaml")) {
            new ObjectMapper().valueToTree(object).findValuesAsText("expr").forEach(expressions::add);
        }
        assertThat(expressions).hasSizeGreaterThan(panels + 5);
        Map<String, String> types = types(exposition());
        Set<String> named = new TreeSet<>();
        for (String expression : expressions) {
            assertThat(expression.chars().filter(c -> c == '(').count())
                    .as(expression)
                    .isEqualTo(expression.chars().filter(c -> c == ')').count());
            Matcher metric = METRIC.matcher(expression);
            while (metric.find()) {
                String series = metric.group();
                boolean whole = types.containsKey(series) && !"histogram".equals(types.get(series));
                boolean part = "histogram".equals(types.get(base(series))) && !series.equals(base(series));
                assertThat(whole || part).as(series + " in " + expression).isTrue();
                named.add(base(series));
            }
            Matcher label = LABEL.matcher(expression);
            while (label.find()) {
                assertThat(values(label.group(1)))
                        .as(expression)
                        .containsAll(Arrays.asList(label.group(3).split("\\|")));
            }
        }
        assertThat(named).hasSizeGreaterThan(12);
    }

    private static Set<String> values(String label) {
        return switch (label) {
            case "state" ->
                Arrays.stream(PodState.values())
                        .map(state -> state.name().toLowerCase(Locale.ROOT))
                        .collect(Collectors.toSet());
            case "result" -> Set.of("scheduled", "unschedulable", "error");
            case "answer" -> Set.of("allowed", "refused", "unsure");
            case "job" -> Set.of("stowage", "stowage-guard");
            default -> Set.of();
        };
    }

    /** Who scrapes finds the ports: a monitor its service, and the service its deployment. */
    @Test
    void monitorsFindTheirPods() throws IOException {
        List<Map<?, ?>> all = new ArrayList<>(objects("monitoring.yaml"));
        all.addAll(objects("stowage.yaml"));
        all.addAll(objects("guard.yaml"));
        ObjectMapper mapper = new ObjectMapper();
        List<JsonNode> objects =
                all.stream().map(one -> (JsonNode) mapper.valueToTree(one)).toList();
        int monitors = 0;
        for (JsonNode monitor : objects) {
            if (monitor.path("kind").asText().equals("ServiceMonitor")) {
                monitors++;
                JsonNode service = one(objects, "Service", monitor, monitor.at("/spec/selector/matchLabels"));
                JsonNode deployment = one(objects, "Deployment", monitor, service.at("/spec/selector"));
                assertThat(service.at("/spec/ports/0/name")).isEqualTo(monitor.at("/spec/endpoints/0/port"));
                assertThat(deployment.at("/spec/template/spec/containers/0/ports/0/name"))
                        .isEqualTo(monitor.at("/spec/endpoints/0/port"));
                assertThat(deployment.at("/spec/template/metadata/labels")).isEqualTo(service.at("/spec/selector"));
            }
        }
        assertThat(monitors).isEqualTo(2);
    }

    private static JsonNode one(List<JsonNode> objects, String kind, JsonNode beside, JsonNode labels) {
        List<JsonNode> found = objects.stream()
                .filter(one -> one.path("kind").asText().equals(kind)
                        && one.at("/metadata/namespace").equals(beside.at("/metadata/namespace"))
                        && one.at("/metadata/labels").equals(labels))
                .toList();
        assertThat(found).as(kind + " " + labels).hasSize(1);
        return found.get(0);
    }

    private static List<Map<?, ?>> objects(String file) throws IOException {
        List<Map<?, ?>> objects = new ArrayList<>();
        for (String document : Files.readString(DEPLOY.resolve(file)).split("\n---\n", -1)) {
            objects.add(Serialization.unmarshal("---\n" + document, Map.class));
        }
        return objects;
    }
}
