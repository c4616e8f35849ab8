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
import dev.stowage.sim.trace.Trace;
import dev.stowage.sim.trace.TraceBuilder;
import dev.stowage.sim.trace.TraceReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Pods and nodes of {@code kubectl get nodes,pods -A -o json} as an inventory: every pod that has not finished, with
 * what it asks for, and nodes with what they offer beside the pods that belong to them.
 */
final class PodLoad {
    private static final String MEMORY = "memory";
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
        List<String> notes = new ArrayList<>(cluster.notes());
        Map<String, Integer> numbers = new LinkedHashMap<>();
        cluster.nodes().forEach(node -> numbers.put(node.name(), numbers.size()));
        boolean gpus = cluster.nodes().stream().anyMatch(node -> gpus(node) > 0)
                || cluster.pods().stream().anyMatch(pod -> !pod.facts().gpus().isNone());
        List<String> names = gpus ? List.of("cpu_milli", "mem_mib", "gpu_milli") : List.of("cpu_milli", "mem_mib");
        long[][] free = cluster.nodes().stream()
                .map(node -> offered(node, names.size()))
                .toArray(long[][]::new);
        TraceBuilder requests = new TraceBuilder(names);
        int bound = 0;
        int ruled = 0;
        int nothing = 0;
        for (SnapshotPod pod : cluster.pods()) {
            PodFacts facts = pod.facts();
            long[] asked = asked(facts, cluster.nodes(), names.size());
            Integer node = numbers.get(facts.node());
            if (pod.bond() == SnapshotPod.Bond.WITH_NODE && node != null) {
                bound++;
                for (int r = 0; r < asked.length; r++) {
                    free[node][r] = Math.max(0, free[node][r] - asked[r]);
                }
                continue;
            }
            nothing += Arrays.stream(asked).sum() == 0 ? 1 : 0;
            ruled += facts.dependsOnOthers() || !facts.nodes().equals(NodeRule.NONE) ? 1 : 0;
            requests.add(0, Trace.UNKNOWN, asked, Trace.NO_BATCH, null, facts.path());
        }
        if (requests.size() == 0) {
            throw new BadInputException(file + ": no pod in it that may run on any node");
        }
        note(notes, bound, "pods that belong to their nodes (daemon sets and the like), subtracted from the nodes");
        note(notes, nothing, "pods that ask for nothing");
        note(
                notes,
                ruled,
                "pods with rules (node selectors, affinity, spread), which are ignored here; 'stowage kube advise'"
                        + " obeys them");
        return new LoggedLoad(requests.build(), servers(file, cluster.nodes(), free, names, notes), notes);
    }

    private static void note(List<String> notes, int many, String what) {
        if (many > 0) {
            notes.add(what + ": " + many);
        }
    }

    private static long[] offered(NodeFacts node, int resources) {
        return Arrays.copyOf(
                new long[] {node.amount(Quantities.CPU), node.amount(MEMORY) / MEBI, gpus(node)}, resources);
    }

    private static long gpus(NodeFacts node) {
        return PodGpus.WHOLE * (node.gpus().areShared() ? node.gpus().gpus().size() : node.amount(PodGpus.GPU));
    }

    private static long[] asked(PodFacts pod, List<NodeFacts> nodes, int resources) {
        long memory = pod.requests().getOrDefault(MEMORY, 0L);
        return Arrays.copyOf(
                new long[] {
                    pod.requests().getOrDefault(Quantities.CPU, 0L),
                    (memory + MEBI - 1) / MEBI,
                    pod.gpus().wholes() > 0
                            ? PodGpus.WHOLE * pod.requests().getOrDefault(PodGpus.GPU, 0L)
                            : pod.gpus().most(nodes)
                },
                resources);
    }

    private static ObjectNode servers(
            Path file, List<NodeFacts> nodes, long[][] free, List<String> names, List<String> notes) {
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
        note(notes, closed, "nodes not counted, because they are cordoned, not ready or unreachable");
        note(notes, tainted, "nodes with taints, which are ignored here; 'stowage kube advise' obeys them");
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
        cluster.set("servers", blocks);
        return cluster;
    }
}
