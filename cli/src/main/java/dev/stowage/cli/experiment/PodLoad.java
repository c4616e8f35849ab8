package dev.stowage.cli.experiment;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.stowage.cli.log.LoggedLoad;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.kube.snapshot.NodesAndPods;
import dev.stowage.kube.snapshot.SnapshotException;
import dev.stowage.kube.snapshot.SnapshotPod;
import dev.stowage.kube.snapshot.SnapshotReader;
import dev.stowage.kube.translate.NodeFacts;
import dev.stowage.kube.translate.NodeRule;
import dev.stowage.kube.translate.PodFacts;
import dev.stowage.kube.translate.PodGpus;
import dev.stowage.kube.translate.Quantities;
import dev.stowage.kube.translate.Taint;
import dev.stowage.sim.result.Remark;
import dev.stowage.sim.trace.Trace;
import dev.stowage.sim.trace.TraceBuilder;
import dev.stowage.sim.trace.TraceReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Pods and nodes of {@code kubectl get nodes,pods -A -o json} as an inventory: every pod that has not finished, with
 * all that it asks for, and nodes with what they offer of it beside the pods that belong to them. How many pods a node
 * takes counts where this can be less than its CPU or memory has room for.
 */
final class PodLoad {
    private static final String MEMORY = "memory";
    private static final String PODS = "pods";
    private static final String DISK = "ephemeral-storage";
    private static final long MEBI = 1 << 20;
    private static final Set<String> CLOSED =
            Set.of(Taint.CORDONED.key(), Taint.NOT_READY.key(), Taint.UNREACHABLE.key());

    private PodLoad() {}

    /**
     * Reads a file.
     *
     * @return null if it is nothing of {@code kubectl}
     * @throws BadInputException if it cannot be read, or has no open node or no pod
     */
    static @Nullable LoggedLoad read(Path file) {
        if (!TraceReader.isKubernetes(file)) {
            return null;
        }
        try {
            return of(file, SnapshotReader.read(List.of(file)));
        } catch (SnapshotException e) {
            throw new BadInputException(String.valueOf(e.getMessage()), e);
        }
    }

    private static LoggedLoad of(Path file, NodesAndPods cluster) {
        List<Remark> notes =
                new ArrayList<>(cluster.notes().stream().map(Remark::plain).toList());
        Map<String, Integer> numbers = new LinkedHashMap<>();
        cluster.nodes().forEach(node -> numbers.put(node.name(), numbers.size()));
        List<Counted> counted = counted(cluster);
        List<String> names = counted.stream().map(Counted::name).toList();
        long[][] free = cluster.nodes().stream()
                .map(node -> counted.stream().mapToLong(each -> each.of(node)).toArray())
                .toArray(long[][]::new);
        TraceBuilder requests = new TraceBuilder(names);
        int bound = 0;
        int ruled = 0;
        int nothing = 0;
        SortedMap<String, Integer> unknown = new TreeMap<>();
        for (SnapshotPod pod : cluster.pods()) {
            PodFacts facts = pod.facts();
            long[] asked = counted.stream()
                    .mapToLong(each -> each.of(facts, cluster.nodes()))
                    .toArray();
            Integer node = numbers.get(facts.node());
            if (pod.bond() == SnapshotPod.Bond.WITH_NODE && node != null) {
                bound++;
                for (int r = 0; r < asked.length; r++) {
                    free[node][r] = Math.max(0, free[node][r] - asked[r]);
                }
                continue;
            }
            nothing += facts.requests().keySet().stream().allMatch(PODS::equals)
                            && facts.gpus().isNone()
                    ? 1
                    : 0;
            facts.unknown().forEach(rule -> unknown.merge(rule, 1, Integer::sum));
            ruled += facts.dependsOnOthers() || !facts.nodes().equals(NodeRule.NONE) ? 1 : 0;
            requests.add(0, Trace.UNKNOWN, asked, Trace.NO_BATCH, null, facts.path());
        }
        if (requests.size() == 0) {
            throw new BadInputException(file + ": no pod in it that may run on any node");
        }
        note(
                notes,
                Remark.Kind.PLAIN,
                bound,
                "pods that belong to their nodes (daemon sets and the like), subtracted from the nodes");
        note(notes, Remark.Kind.PLAIN, nothing, "pods that ask for nothing");
        note(
                notes,
                Remark.Kind.WARNING,
                ruled,
                "pods with rules (node selectors, affinity, spread), which are ignored here; 'stowage kube advise'"
                        + " obeys them");
        unknown.forEach(
                (rule, many) -> note(notes, Remark.Kind.WARNING, many, "pods with what is not counted here, " + rule));
        return new LoggedLoad(requests.build(), servers(file, cluster.nodes(), free, names, notes), notes);
    }

    private static void note(List<Remark> notes, Remark.Kind kind, int many, String what) {
        if (many > 0) {
            notes.add(new Remark(kind, what + ": " + many));
        }
    }

    /** A resource of Kubernetes as one of the inventory. */
    private record Counted(String resource) {
        String name() {
            return switch (resource) {
                case Quantities.CPU -> "cpu_milli";
                case MEMORY -> "mem_mib";
                case PodGpus.GPU -> "gpu_milli";
                case DISK -> "disk_mib";
                default ->
                    resource.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "_")
                            + (unit() == MEBI ? "_mib" : "_count");
            };
        }

        private long unit() {
            return resource.equals(MEMORY) || resource.equals(DISK) || resource.startsWith("hugepages-") ? MEBI : 1;
        }

        long of(NodeFacts node) {
            return resource.equals(PodGpus.GPU)
                    ? PodGpus.WHOLE
                            * (node.gpus().areShared() ? node.gpus().gpus().size() : node.amount(resource))
                    : node.amount(resource) / unit();
        }

        long of(PodFacts pod, List<NodeFacts> nodes) {
            long asked = pod.requests().getOrDefault(resource, 0L);
            if (resource.equals(PodGpus.GPU)) {
                return pod.gpus().wholes() > 0
                        ? PodGpus.WHOLE * asked
                        : pod.gpus().most(nodes);
            }
            return (asked + unit() - 1) / unit();
        }
    }

    /** CPU and memory, and all else that a pod asks for and a node can have too little of. */
    private static List<Counted> counted(NodesAndPods cluster) {
        Counted gpu = new Counted(PodGpus.GPU);
        Set<String> asked = new TreeSet<>();
        cluster.pods().forEach(pod -> asked.addAll(pod.facts().requests().keySet()));
        asked.removeAll(Set.of(Quantities.CPU, MEMORY, PodGpus.GPU, PODS));
        List<Counted> counted = new ArrayList<>(List.of(new Counted(Quantities.CPU), new Counted(MEMORY)));
        if (cluster.nodes().stream().anyMatch(node -> gpu.of(node) > 0)
                || cluster.pods().stream().anyMatch(pod -> !pod.facts().gpus().isNone())) {
            counted.add(gpu);
        }
        asked.forEach(resource -> counted.add(new Counted(resource)));
        if (cluster.nodes().stream().allMatch(node -> node.amount(PODS) > 0)
                && cluster.nodes().stream().anyMatch(node -> node.amount(PODS) < most(node, cluster.pods()))) {
            counted.add(new Counted(PODS));
        }
        return counted;
    }

    /** At most so many of these pods have room on a node by its CPU, and by its memory. */
    private static long most(NodeFacts node, List<SnapshotPod> pods) {
        long most = pods.size();
        for (String resource : List.of(Quantities.CPU, MEMORY)) {
            long left = node.amount(resource);
            long room = 0;
            for (long asked : pods.stream()
                    .mapToLong(pod -> pod.facts().requests().getOrDefault(resource, 0L))
                    .sorted()
                    .toArray()) {
                left -= asked;
                room += left < 0 ? 0 : 1;
            }
            most = Math.min(most, room);
        }
        return most;
    }

    private static ObjectNode servers(
            Path file, List<NodeFacts> nodes, long[][] free, List<String> names, List<Remark> notes) {
        Map<List<Long>, Integer> kinds = new LinkedHashMap<>();
        int closed = 0;
        int tainted = 0;
        for (int n = 0; n < free.length; n++) {
            List<Taint> taints = nodes.get(n).taints();
            if (taints.stream().anyMatch(taint -> CLOSED.contains(taint.key()))) {
                closed++;
                continue;
            }
            tainted += taints.isEmpty() ? 0 : 1;
            kinds.merge(Arrays.stream(free[n]).boxed().toList(), 1, Integer::sum);
        }
        note(
                notes,
                Remark.Kind.LEFT_OUT,
                closed,
                "nodes not counted, because they are cordoned, not ready or unreachable");
        note(
                notes,
                Remark.Kind.WARNING,
                tainted,
                "nodes with taints, which are ignored here; 'stowage kube advise' obeys them");
        if (kinds.isEmpty()) {
            throw new BadInputException(file + ": no node in it takes pods");
        }
        ArrayNode blocks = JsonNodeFactory.instance.arrayNode();
        kinds.forEach((capacity, count) -> {
            ObjectNode block = blocks.addObject().put("count", count);
            for (int r = 0; r < names.size(); r++) {
                block.put(names.get(r), capacity.get(r));
            }
        });
        ObjectNode cluster = JsonNodeFactory.instance.objectNode();
        names.forEach(cluster.putArray("resources")::add);
        cluster.set("servers", blocks);
        return cluster;
    }
}
