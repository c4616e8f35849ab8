package dev.stowage.kube.queues;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.stowage.kube.snapshot.SnapshotException;
import dev.stowage.kube.snapshot.SnapshotReader;
import dev.stowage.kube.translate.PodRequests;
import dev.stowage.kube.translate.Quantities;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The workloads of Kueue's queues as they came and ran, and the queues' quotas as pools that all nodes share: a file of
 * requests and an experiment with it. What is known of a workload is its creation, its admission and its end.
 */
public final class QueueExperiment {
    /** Name of the file of requests, beside the experiment's. */
    public static final String REQUESTS = "workloads.csv";

    private static final String QUEUE = "ClusterQueue";
    private static final String WORKLOAD = "Workload";
    private static final String GROUP = "kueue.x-k8s.io/";
    private static final Set<String> KINDS = Set.of("Node", QUEUE, "Cohort", "LocalQueue", WORKLOAD);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long MEBI = 1 << 20;
    private static final int MILLI = 1000;
    private static final String PODS = "pods";
    private static final int NAMED = 3;

    /**
     * What is known of a queue's workloads.
     *
     * @param quota nominal amounts by resource
     * @param waits seconds from creation to admission, of those that were admitted
     */
    public record Queue(
            String name,
            String cohort,
            Map<String, Long> quota,
            int finished,
            int running,
            int waiting,
            List<Double> waits) {}

    /** A workload's pods of one kind. */
    private record Row(
            String name,
            String queue,
            Instant came,
            @Nullable Duration ran,
            int members,
            int priority,
            Map<String, Long> demand) {}

    private final Quotas quotas;
    private final Map<String, String> queueOf = new LinkedHashMap<>();
    private final List<Map<String, Long>> nodes = new ArrayList<>();
    private final List<Row> rows = new ArrayList<>();
    private final Map<String, int[]> counts = new LinkedHashMap<>();
    private final Map<String, List<Double>> waits = new LinkedHashMap<>();
    private final Set<String> notes = new LinkedHashSet<>();
    /** How many workloads are left out or changed, by what was done with them. */
    private final Map<String, Integer> differing = new TreeMap<>();

    private final List<String> unsaid = new ArrayList<>();

    private QueueExperiment(Map<String, List<JsonNode>> objects) {
        List<JsonNode> clusterQueues = objects.getOrDefault(QUEUE, List.of());
        if (clusterQueues.isEmpty()) {
            throw new SnapshotException("there is no ClusterQueue; write them with: kubectl get"
                    + " nodes,clusterqueues,cohorts,localqueues,workloads.kueue.x-k8s.io -A -o json > queues.json");
        }
        quotas = new Quotas(clusterQueues, objects.getOrDefault("Cohort", List.of()));
        for (JsonNode local : objects.getOrDefault("LocalQueue", List.of())) {
            queueOf.put(
                    namespace(local) + "/" + Quotas.name(local),
                    local.path("spec").path("clusterQueue").asText(""));
        }
        objects.getOrDefault("Node", List.of()).forEach(this::node);
        if (!unsaid.isEmpty()) {
            notes.add(unsaid.size() + (unsaid.size() == 1 ? " node does not say" : " nodes do not say")
                    + " what is allocatable (status.allocatable); all of the capacity is counted: "
                    + String.join(", ", unsaid.subList(0, Math.min(NAMED, unsaid.size())))
                    + (unsaid.size() > NAMED ? ", ..." : ""));
        }
        // Kubernetes has a kind of this name, too.
        objects.getOrDefault(WORKLOAD, List.of()).stream()
                .filter(each -> each.path("apiVersion").asText(GROUP).startsWith(GROUP))
                .forEach(this::workload);
        differing.forEach((which, count) -> notes.add(which + ": " + count));
        notes.addAll(quotas.notes());
    }

    /**
     * Of files of kubectl.
     *
     * @throws SnapshotException if a file cannot be read, an object is damaged, or there is no queue, no node or no
     *     workload that was admitted
     */
    public static QueueExperiment read(List<Path> sources) {
        QueueExperiment read = new QueueExperiment(SnapshotReader.objects(sources, KINDS));
        if (read.nodes.isEmpty()) {
            throw new SnapshotException(
                    "there is no node that takes pods; add: kubectl get nodes -o json > nodes.json");
        }
        if (read.rows.isEmpty()) {
            throw new SnapshotException("no workload of these queues has been admitted: there is nothing to run again");
        }
        return read;
    }

    private static String namespace(JsonNode object) {
        return object.path("metadata").path("namespace").asText("default");
    }

    private void node(JsonNode node) {
        if (node.path("spec").path("unschedulable").asBoolean(false)) {
            notes.add("nodes that take no pods (cordoned) are left out");
            return;
        }
        Map<String, Long> has = new TreeMap<>();
        JsonNode allocatable = node.path("status").path("allocatable");
        if (allocatable.isEmpty()) {
            unsaid.add(Quotas.name(node));
            allocatable = node.path("status").path("capacity");
        }
        allocatable
                .properties()
                .forEach(each -> has.put(
                        each.getKey(), Quotas.amount("node " + Quotas.name(node), each.getKey(), each.getValue())));
        nodes.add(has);
    }

    private void workload(JsonNode workload) {
        String name = namespace(workload) + "/" + Quotas.name(workload);
        JsonNode spec = workload.path("spec");
        String queue = queueOf.getOrDefault(
                namespace(workload) + "/" + spec.path("queueName").asText(""), "");
        if (!quotas.contains(queue)) {
            differs("workloads left out because their queue is not in the files");
            return;
        }
        int[] count = counts.computeIfAbsent(queue, any -> new int[3]);
        Instant came = time(name, workload.path("metadata").path("creationTimestamp"));
        Instant began = since(name, workload, "Admitted");
        began = began == null ? since(name, workload, "QuotaReserved") : began;
        Instant ended = since(name, workload, "Finished");
        if (came == null) {
            throw new SnapshotException("workload " + name + " has no creationTimestamp");
        }
        if (began == null) {
            count[ended == null ? 2 : 0]++;
            differs(
                    ended == null
                            ? "workloads left out because they wait, and how long they will run is unknown"
                            : "workloads left out because they ended without having been admitted");
            return;
        }
        count[ended == null ? 1 : 0]++;
        waits.computeIfAbsent(queue, any -> new ArrayList<>()).add(seconds(Duration.between(came, began)));
        if (ended == null) {
            differs("workloads that still run, and here run until the end of the simulation");
        }
        JsonNode sets = spec.path("podSets");
        if (sets.size() > 1) {
            differs("workloads with pods of several kinds: here each kind is a request, and they may start at different"
                    + " times");
        }
        for (JsonNode set : sets) {
            JsonNode assigned = assigned(workload, set.path("name").asText("main"));
            int members = assigned.path("count").asInt(set.path("count").asInt(1));
            if (set.has("topologyRequest")) {
                notes.add("topology requests are ignored: pods may be anywhere");
            }
            if (members > 0) {
                rows.add(new Row(
                        sets.size() > 1 ? name + ":" + set.path("name").asText("") : name,
                        queue,
                        came,
                        ended == null ? null : Duration.between(began, ended),
                        members,
                        spec.path("priority").asInt(0),
                        demand(name, set, assigned, members)));
            }
        }
    }

    private void differs(String which) {
        differing.merge(which, 1, Integer::sum);
    }

    private static JsonNode assigned(JsonNode workload, String set) {
        for (JsonNode each : workload.path("status").path("admission").path("podSetAssignments")) {
            if (each.path("name").asText("main").equals(set)) {
                return each;
            }
        }
        return JSON.missingNode();
    }

    /** Of one pod, rounded up: a part of what the queue counted, or what the template asks for. */
    private static Map<String, Long> demand(String name, JsonNode set, JsonNode assigned, int members) {
        Map<String, Long> demand = new TreeMap<>();
        if (assigned.path("resourceUsage").isEmpty()) {
            try {
                Pod pod = new PodBuilder()
                        .withSpec(JSON.treeToValue(set.path("template").path("spec"), PodSpec.class))
                        .build();
                demand.putAll(PodRequests.of(pod));
            } catch (JsonProcessingException | IllegalArgumentException e) {
                throw new SnapshotException("workload " + name + ": " + e.getMessage(), e);
            }
        } else {
            assigned.path("resourceUsage")
                    .properties()
                    .forEach(each -> demand.put(
                            each.getKey(),
                            (Quotas.amount("workload " + name, each.getKey(), each.getValue()) + members - 1)
                                    / members));
        }
        demand.put(PODS, 1L);
        return demand;
    }

    private static @Nullable Instant since(String name, JsonNode workload, String condition) {
        for (JsonNode each : workload.path("status").path("conditions")) {
            if (each.path("type").asText("").equals(condition)
                    && each.path("status").asText("").equals("True")) {
                return time(name, each.path("lastTransitionTime"));
            }
        }
        return null;
    }

    private static @Nullable Instant time(String name, JsonNode value) {
        if (value.asText("").isEmpty()) {
            return null;
        }
        try {
            return Instant.parse(value.asText());
        } catch (DateTimeParseException e) {
            throw new SnapshotException("workload " + name + ": '" + value.asText() + "' is not a time", e);
        }
    }

    private static double seconds(Duration duration) {
        return Math.max(0, duration.toMillis()) / 1e3;
    }

    /** What was seen of each queue. */
    public List<Queue> queues() {
        return quotas.queues().stream()
                .map(queue -> {
                    int[] count = counts.getOrDefault(queue, new int[3]);
                    return new Queue(
                            queue,
                            quotas.cohortOf(queue),
                            quotas.nominal(queue),
                            count[0],
                            count[1],
                            count[2],
                            waits.getOrDefault(queue, List.of()));
                })
                .toList();
    }

    /** What was left out, and what Kueue keeps and the experiment does not; a sentence each. */
    public List<String> notes() {
        return List.copyOf(notes);
    }

    /** The resources of nodes that workloads ask for, in the order of their columns. */
    private List<String> resources() {
        return rows.stream()
                .flatMap(row -> row.demand().keySet().stream())
                .filter(resource -> !resource.equals(PODS))
                .distinct()
                .sorted(Comparator.comparing(QueueExperiment::column))
                .toList();
    }

    /** Name of a column of a table of requests; its end is the unit. */
    private static String column(String resource) {
        return switch (resource) {
            case Quantities.CPU -> "cpu_milli";
            case "memory" -> "mem_mib";
            case "nvidia.com/gpu" -> "gpu_milli";
            case "ephemeral-storage" -> "disk_mib";
            default -> plain(resource) + "_count";
        };
    }

    private static String plain(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "_");
    }

    /** In the unit of its column. */
    private static long inUnit(String resource, long amount, boolean roundedUp) {
        return switch (column(resource)) {
            case "mem_mib", "disk_mib" -> (amount + (roundedUp ? MEBI - 1 : 0)) / MEBI;
            case "gpu_milli" -> amount * MILLI;
            default -> amount;
        };
    }

    /** A pool for each limit and resource: its name is that of a column. */
    private Map<String, String> pools(Quotas.Limit limit) {
        Map<String, String> names = new LinkedHashMap<>();
        limit.most().keySet().forEach(resource -> names.put(resource, plain(limit.of()) + "_" + column(resource)));
        return names;
    }

    /** The file of requests, in the form that is described in docs/traces.md under canonical. */
    public String requests() {
        List<Quotas.Limit> limits = quotas.limits();
        List<String> resources = resources();
        StringBuilder text = new StringBuilder("id,type,arrival_s,duration_s,gang,priority");
        resources.forEach(resource -> text.append(',').append(column(resource)));
        limits.forEach(
                limit -> pools(limit).values().forEach(pool -> text.append(',').append(pool)));
        text.append('\n');
        Instant first =
                rows.stream().map(Row::came).min(Comparator.naturalOrder()).orElse(Instant.EPOCH);
        rows.stream().sorted(Comparator.comparing(Row::came)).forEach(row -> {
            text.append(String.join(
                    ",",
                    row.name(),
                    row.queue(),
                    number(seconds(Duration.between(first, row.came()))),
                    row.ran() == null ? "" : number(seconds(row.ran())),
                    Integer.toString(row.members()),
                    Integer.toString(row.priority())));
            resources.forEach(resource ->
                    text.append(',').append(inUnit(resource, row.demand().getOrDefault(resource, 0L), true)));
            for (Quotas.Limit limit : limits) {
                for (String resource : limit.most().keySet()) {
                    long asked =
                            quotas.counts(row.queue(), limit) ? row.demand().getOrDefault(resource, 0L) : 0;
                    text.append(',').append(inUnit(resource, asked, true));
                }
            }
            text.append('\n');
        });
        return text.toString();
    }

    private static String number(double seconds) {
        return seconds == Math.rint(seconds) ? Long.toString((long) seconds) : Double.toString(seconds);
    }

    /** The experiment's file. */
    public String experiment() {
        StringBuilder text = new StringBuilder();
        text.append("# Written by 'stowage kube queues'. What a queue or a cohort may hold is a pool of the cluster:\n")
                .append("# change its amount and run again. Not kept of Kueue:\n");
        notes.forEach(note -> text.append("# - ").append(note).append('\n'));
        text.append("name: queues\ntitle: The workloads of the queues, as they came and ran\n\n")
                .append("cluster:\n  sites:\n    name: nodes\n");
        text.append("    servers:\n");
        Map<String, Integer> shapes = new TreeMap<>();
        nodes.forEach(node -> shapes.merge(shape(node), 1, Integer::sum));
        shapes.forEach((shape, count) ->
                text.append("      - {count: ").append(count).append(shape).append("}\n"));
        List<Quotas.Limit> limits = quotas.limits();
        if (!limits.isEmpty()) {
            text.append("    pooled:\n");
        }
        for (Quotas.Limit limit : limits) {
            pools(limit)
                    .forEach((resource, pool) -> text.append("      ")
                            .append(pool)
                            .append(": ")
                            .append(inUnit(resource, limit.most().getOrDefault(resource, 0L), false))
                            .append('\n'));
        }
        return text.append("\nworkload:\n  trace: {file: " + REQUESTS + ", format: canonical}\n\n")
                .append("policies:\n  # any workload that fits may go first: BestEffortFIFO\n")
                .append("  - {policy: first-fit, when-full: queue}\n")
                .append("  # no workload is overtaken, in any queue: StrictFIFO\n  - fifo-ff\n\n")
                .append("drain: true\n")
                .toString();
    }

    private String shape(Map<String, Long> node) {
        StringBuilder text = new StringBuilder();
        for (String resource : resources()) {
            text.append(", ")
                    .append(column(resource))
                    .append(": ")
                    .append(inUnit(resource, node.getOrDefault(resource, 0L), false));
        }
        return text.toString();
    }
}
