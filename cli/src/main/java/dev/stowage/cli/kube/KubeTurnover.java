package dev.stowage.cli.kube;

import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.Columns;
import dev.stowage.cli.text.Console;
import dev.stowage.kube.snapshot.NodesAndPods;
import dev.stowage.kube.snapshot.SnapshotPod;
import dev.stowage.kube.translate.NodeFacts;
import dev.stowage.kube.translate.PodFacts;
import dev.stowage.kube.translate.Quantities;
import dev.stowage.study.advise.Turnover;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** How fast the pods of a cluster come and go, from two snapshots, and the experiment that follows from it. */
final class KubeTurnover {
    private static final String MEMORY = "memory";
    private static final String GPU = "nvidia.com/gpu";
    private static final double NANOS_PER_HOUR = 3.6e12;
    private static final long MEBI = 1 << 20;
    private static final int MILLI = 1000;

    private final Turnover turnover;
    private final Map<String, SortedMap<String, Long>> requests;
    /** What is left of each node for pods that come and go. */
    private final List<Map<String, Long>> room;

    private KubeTurnover(
            Turnover turnover, Map<String, SortedMap<String, Long>> requests, List<Map<String, Long>> room) {
        this.turnover = turnover;
        this.requests = requests;
        this.room = room;
    }

    /** @param nanos time between them, 0 for that between their latest times */
    static KubeTurnover of(NodesAndPods before, NodesAndPods after, long nanos) {
        double hours = nanos > 0 ? nanos / NANOS_PER_HOUR : hours(before, after);
        Map<String, SortedMap<String, Long>> requests = new LinkedHashMap<>();
        Map<String, int[]> counts = new TreeMap<>();
        Set<String> there = new HashSet<>();
        Set<String> still = new HashSet<>();
        before.pods().forEach(pod -> there.add(id(pod)));
        for (SnapshotPod pod : after.pods()) {
            still.add(id(pod));
            count(pod, requests, counts, there.contains(id(pod)) ? -1 : 2);
        }
        for (SnapshotPod pod : before.pods()) {
            count(pod, requests, counts, 0);
            count(pod, requests, counts, still.contains(id(pod)) ? 1 : -1);
        }
        List<Turnover.Kind> kinds = new ArrayList<>();
        counts.forEach((name, n) -> kinds.add(Turnover.kind(name, hours, n[0], n[1], n[2])));
        kinds.sort((one, other) -> Integer.compare(other.before() + other.came(), one.before() + one.came()));
        Set<String> moving = new HashSet<>();
        kinds.stream().filter(KubeTurnover::moves).forEach(kind -> moving.add(kind.name()));
        return new KubeTurnover(new Turnover(hours, kinds), requests, room(after, moving));
    }

    /** The unique id; a pod of the same name may be another one. */
    private static String id(SnapshotPod pod) {
        return pod.facts().uid().isEmpty() ? pod.facts().path() : pod.facts().uid();
    }

    private static void count(
            SnapshotPod pod, Map<String, SortedMap<String, Long>> requests, Map<String, int[]> counts, int which) {
        if (pod.bond() != SnapshotPod.Bond.WITH_NODE || pod.facts().terminating()) {
            String kind = kind(pod.facts());
            requests.putIfAbsent(kind, pod.facts().requests());
            int[] count = counts.computeIfAbsent(kind, first -> new int[3]);
            if (which >= 0) {
                count[which]++;
            }
        }
    }

    private static double hours(NodesAndPods before, NodesAndPods after) {
        try {
            Duration time = Duration.between(Instant.parse(before.latest()), Instant.parse(after.latest()));
            if (time.isNegative() || time.isZero()) {
                throw new BadInputException("--before: the latest time in it, " + before.latest()
                        + ", is not before that of the other, " + after.latest()
                        + "; say the time between them with --between \"6 h\"");
            }
            return time.toNanos() / NANOS_PER_HOUR;
        } catch (DateTimeException e) {
            throw new BadInputException(
                    "--before: no times stand in a snapshot; say the time between them with --between \"6 h\"", e);
        }
    }

    /** What a pod asks for, in words. */
    private static String kind(PodFacts pod) {
        List<String> parts = new ArrayList<>();
        pod.requests().forEach((resource, amount) -> {
            if (!resource.equals("pods")) {
                parts.add(
                        resource.equals(Quantities.CPU)
                                ? cores(amount) + " cores"
                                : resource.equals(MEMORY)
                                        ? Quantities.text(resource, amount)
                                        : resource + " " + Quantities.text(resource, amount));
            }
        });
        return parts.isEmpty() ? "no requests" : String.join(", ", parts);
    }

    private static String cores(long milli) {
        return BigDecimal.valueOf(milli, 3).stripTrailingZeros().toPlainString();
    }

    /** Whether some came or went. */
    private static boolean moves(Turnover.Kind kind) {
        return kind.came() > 0 || kind.stayed() < kind.before();
    }

    /** Of each open node what daemon sets, and pods of kinds that neither come nor go, leave. */
    private static List<Map<String, Long>> room(NodesAndPods after, Set<String> moving) {
        Map<String, Map<String, Long>> room = new LinkedHashMap<>();
        for (NodeFacts node : after.nodes()) {
            room.put(node.name(), new TreeMap<>(node.allocatable()));
        }
        for (SnapshotPod pod : after.pods()) {
            Map<String, Long> left = room.get(pod.facts().node());
            boolean comesAndGoes = pod.bond() != SnapshotPod.Bond.WITH_NODE && moving.contains(kind(pod.facts()));
            if (left != null && !comesAndGoes && !pod.facts().terminating()) {
                pod.facts().requests().forEach((resource, amount) -> left.merge(resource, -amount, Long::sum));
            }
        }
        return List.copyOf(room.values());
    }

    Turnover turnover() {
        return turnover;
    }

    private long all(String resource) {
        return room.stream()
                .mapToLong(node -> Math.max(0, node.getOrDefault(resource, 0L)))
                .sum();
    }

    private double asked(String resource) {
        double sum = 0;
        for (Turnover.Kind kind : turnover.kinds()) {
            Double longRun = kind.longRun();
            if (moves(kind)) {
                sum += (longRun == null ? kind.stayed() + kind.came() : longRun)
                        * requests.getOrDefault(kind.name(), new TreeMap<>()).getOrDefault(resource, 0L);
            }
        }
        return sum;
    }

    // ---- for people

    String text(Console console) {
        StringBuilder out = new StringBuilder();
        out.append(console.wrapped(
                "",
                "Two moments " + number(turnover.hours()) + " h apart. Lifetimes are taken as exponential, which two"
                        + " moments cannot show; the rate counts those too that came and left unseen. Intervals: 95 %."
                        + " Pods of daemon sets are left out."));
        out.append('\n');
        Columns table = new Columns(
                "pods of",
                "before",
                "stayed",
                "came",
                "an hour",
                "interval",
                "life (h)",
                "interval",
                "in the long run");
        for (Turnover.Kind kind : turnover.kinds()) {
            Double longRun = kind.longRun();
            table.row(
                    kind.name(),
                    Integer.toString(kind.before()),
                    Integer.toString(kind.stayed()),
                    Integer.toString(kind.came()),
                    value(kind.rate()),
                    ends(kind.rate()),
                    value(kind.lifeHours()),
                    ends(kind.lifeHours()),
                    longRun == null ? "–" : number(longRun));
        }
        out.append(table.text(console.style())).append('\n');
        for (String resource : List.of(Quantities.CPU, MEMORY)) {
            double asked = asked(resource);
            long all = all(resource);
            String part = all == 0 ? "" : " (" + number(100 * asked / all) + " %)";
            out.append(console.wrapped(
                    "",
                    "In the long run they ask for " + amount(resource, Math.round(asked)) + " of the "
                            + amount(resource, all) + part + " that daemon sets and pods of kinds that neither come nor"
                            + " go leave."));
        }
        return out.toString();
    }

    private static String amount(String resource, long amount) {
        return resource.equals(Quantities.CPU)
                ? number(amount / (double) MILLI) + " cores"
                : Quantities.text(resource, amount);
    }

    private static String value(Turnover.Range range) {
        Double value = range.value();
        return value == null ? "–" : number(value);
    }

    private static String ends(Turnover.Range range) {
        Double high = range.high();
        return high == null ? "from " + number(range.low()) : number(range.low()) + " to " + number(high);
    }

    private static String number(double value) {
        return new BigDecimal(value)
                .round(new java.math.MathContext(3))
                .stripTrailingZeros()
                .toPlainString();
    }

    // ---- for run

    /** An experiment file. */
    String experiment() {
        StringBuilder text = new StringBuilder();
        text.append("# Written by 'stowage kube advise --before': arrivals and lifetimes as between two moments ")
                .append(number(turnover.hours()))
                .append(
                        " h apart.\n# Labels, taints, affinity, groups and budgets are not in it, nor resources other than")
                .append(
                        " cpu, memory and GPUs.\n# What daemon sets hold, and pods of kinds that neither came nor went, is")
                .append(" taken off the nodes.\n");
        text.append("name: forecast\ntitle: The pods of a cluster, as they came and went\n\ncluster:\n  servers:\n");
        Map<String, Integer> nodes = new TreeMap<>();
        room.forEach(node -> nodes.merge(server(node), 1, Integer::sum));
        nodes.forEach((shape, count) ->
                text.append("    - {count: ").append(count).append(shape).append("}\n"));
        text.append("\nworkload:\n  types:\n");
        double longest = 0;
        int number = 0;
        for (Turnover.Kind kind : turnover.kinds()) {
            Double rate = kind.rate().value();
            Double known = kind.lifeHours().value();
            double life = known == null ? kind.lifeHours().low() : known;
            String demand = demand(requests.getOrDefault(kind.name(), new TreeMap<>()));
            if (kind.came() == 0 || rate == null || life <= 0 || demand.isEmpty()) {
                text.append("    # left out: ")
                        .append(kind.name())
                        .append(kind.came() == 0 ? " (none came)" : " (its lifetime or demand is not known)")
                        .append('\n');
                continue;
            }
            longest = Math.max(longest, life);
            text.append(String.format(
                    Locale.ROOT,
                    "    - {name: kind-%d, rate: %.6g / h, demand: {%s}, service: {exponential: %.6g h}}%s%n",
                    ++number,
                    rate,
                    demand,
                    life,
                    known == null ? "   # nobody left: the lower end of the interval" : ""));
        }
        if (number == 0) {
            throw new BadInputException("--experiment: no kind of pods has both arrivals and a lifetime between these"
                    + " snapshots; take them further apart");
        }
        text.append(
                        "\npolicies:\n  - {policy: first-fit, when-full: queue}\n  - {policy: best-fit, when-full: queue}\n")
                .append("  - bf-js\n\n")
                .append(String.format(Locale.ROOT, "horizon: %.6g h%nwarm-up: %.6g h%n", 40 * longest, 5 * longest))
                .append("replications: 3\n");
        return text.toString();
    }

    private static String server(Map<String, Long> node) {
        long cpu = Math.max(0, node.getOrDefault(Quantities.CPU, 0L));
        long memory = Math.max(0, node.getOrDefault(MEMORY, 0L)) / MEBI;
        long gpu = Math.max(0, node.getOrDefault(GPU, 0L));
        return ", cpu: " + cores(cpu) + ", memory: " + memory + " MiB" + (gpu > 0 ? ", gpu: " + gpu : "");
    }

    private static String demand(Map<String, Long> asked) {
        List<String> parts = new ArrayList<>();
        @Nullable Long cpu = asked.get(Quantities.CPU);
        @Nullable Long memory = asked.get(MEMORY);
        @Nullable Long gpu = asked.get(GPU);
        if (cpu != null) {
            parts.add("cpu: " + cores(cpu));
        }
        if (memory != null) {
            parts.add("memory: " + (memory + MEBI - 1) / MEBI + " MiB");
        }
        if (gpu != null) {
            parts.add("gpu: " + gpu);
        }
        return String.join(", ", parts);
    }
}
