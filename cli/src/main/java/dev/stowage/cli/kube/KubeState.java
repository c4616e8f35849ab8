package dev.stowage.cli.kube;

import dev.stowage.kube.snapshot.NodesAndPods;
import dev.stowage.kube.snapshot.SnapshotPod;
import dev.stowage.kube.translate.GpuRoom;
import dev.stowage.kube.translate.NodeFacts;
import dev.stowage.kube.translate.NodeRule;
import dev.stowage.kube.translate.PodBudget;
import dev.stowage.kube.translate.PodFacts;
import dev.stowage.kube.translate.PodGpus;
import dev.stowage.kube.translate.Quantities;
import dev.stowage.kube.translate.Taint;
import dev.stowage.kube.translate.TolerationRule;
import dev.stowage.study.advise.ClusterJob;
import dev.stowage.study.advise.ClusterServer;
import dev.stowage.study.advise.ClusterState;
import dev.stowage.study.advise.DisruptionBudget;
import dev.stowage.study.advise.ServerAdmission;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Nodes, pods and budgets of Kubernetes as a cluster for advice. */
final class KubeState {
    private static final String MEMORY = "memory";

    private static final String SHARED = "shares its GPUs among pods, which a plan does not allocate";

    /**
     * @param gpus what the pod asks of GPUs, where it matters which nodes share them
     * @param near nodes that its affinity allows; null for all
     */
    private record StandingRules(
            List<TolerationRule> tolerations,
            NodeRule nodes,
            List<String> unknown,
            boolean gated,
            PodGpus gpus,
            boolean runs,
            @Nullable Set<String> near) {}

    private final NodesAndPods source;
    private final List<String> resources;
    private final KubeNames names;
    private final Map<StandingRules, ServerAdmission> admissions = new LinkedHashMap<>();
    /** How many pods of a group must be placed together, and are not; by namespace and name of the group. */
    private final Map<String, Integer> least = new LinkedHashMap<>();
    /** The rooms of the nodes that share GPUs, by name. */
    private final Map<String, GpuRoom> gpuRooms = new LinkedHashMap<>();

    private final List<String> notes;

    KubeState(NodesAndPods source, KubeNames names) {
        this.source = source;
        this.names = names;
        notes = new ArrayList<>(names.hidden() ? List.of() : source.notes());
        Set<String> asked = new TreeSet<>();
        source.pods().forEach(pod -> asked.addAll(pod.facts().requests().keySet()));
        source.pods()
                .forEach(pod ->
                        least.merge(group(pod.facts()), pod.facts().group().least(), Math::max));
        Set<String> ordered = new LinkedHashSet<>(List.of(Quantities.CPU, MEMORY));
        ordered.addAll(asked);
        resources = List.copyOf(ordered);
        for (NodeFacts node : source.nodes()) {
            if (node.gpus().areShared()) {
                List<PodFacts> there = source.pods().stream()
                        .map(SnapshotPod::facts)
                        .filter(pod -> pod.node().equals(node.name()))
                        .toList();
                gpuRooms.put(node.name(), GpuRoom.of(node, there, ""));
            }
        }
    }

    List<String> notes() {
        return notes;
    }

    /** The cluster's own names of resources. */
    List<String> resources() {
        return resources;
    }

    ClusterState state() {
        KubeNeighbours neighbours = new KubeNeighbours(source, names);
        Map<String, String> closed = closed();
        List<ClusterServer> servers = new ArrayList<>();
        for (NodeFacts node : source.nodes()) {
            long[] capacity = resources.stream().mapToLong(node::amount).toArray();
            servers.add(new ClusterServer(
                    names.node(node.name()),
                    capacity,
                    names.labels(node.labels()),
                    closed.getOrDefault(node.name(), "")));
        }
        List<DisruptionBudget> budgets = new ArrayList<>();
        int unsaid = 0;
        for (PodBudget budget : source.budgets()) {
            budgets.add(new DisruptionBudget(names.budget(budget.namespace() + "/" + budget.name()), budget.allowed()));
            unsaid += budget.known() ? 0 : 1;
        }
        if (unsaid > 0) {
            notes.add(unsaid + " budgets do not say how many disruptions they allow (status.disruptionsAllowed);"
                    + " they are treated as allowing none");
        }
        preempting().ifPresent(notes::add);
        source.nodes().stream()
                .filter(node -> node.taints().stream()
                        .map(Taint::key)
                        .anyMatch(Set.of(Taint.NOT_READY.key(), Taint.UNREACHABLE.key())::contains))
                .map(node -> "node " + names.node(node.name())
                        + " is not ready: its pods are counted as running, and evicting them may hang")
                .forEach(notes::add);
        Map<String, Integer> numbers = new LinkedHashMap<>();
        source.nodes().forEach(node -> numbers.put(node.name(), numbers.size()));
        List<ClusterJob> jobs = new ArrayList<>();
        for (SnapshotPod pod : source.pods()) {
            int server = pod.facts().isBound()
                    ? java.util.Objects.requireNonNull(numbers.get(pod.facts().node()))
                    : ClusterJob.WAITS;
            jobs.add(job(pod, server, neighbours));
        }
        return new ClusterState(
                resources.stream().map(names::resource).toList(), servers, jobs, neighbours.rules(), budgets);
    }

    private Optional<String> preempting() {
        int lowest = source.pods().stream()
                .map(SnapshotPod::facts)
                .filter(PodFacts::isBound)
                .mapToInt(PodFacts::priority)
                .min()
                .orElse(Integer.MAX_VALUE);
        long above = source.pods().stream()
                .map(SnapshotPod::facts)
                .filter(pod -> !pod.isBound()
                        && !pod.isGated()
                        && pod.priority() > lowest
                        && pod.preemption().mayEvict())
                .count();
        return above == 0
                ? Optional.empty()
                : Optional.of((above == 1 ? "1 pod that waits has" : above + " pods that wait have")
                        + " a higher priority than some that run: kube-scheduler may evict these, which is not looked"
                        + " at here");
    }

    /** Nodes that take nothing more because of a pod on them, with the reason. */
    private Map<String, String> closed() {
        Map<String, String> closed = new LinkedHashMap<>();
        for (SnapshotPod pod : source.pods()) {
            String why = pod.facts().closesItsNode();
            if (pod.facts().isBound() && !why.isEmpty()) {
                closed.putIfAbsent(
                        pod.facts().node(),
                        names.hidden() ? "is closed, because what a pod uses there is unknown" : why);
            }
        }
        closed.forEach((node, why) -> notes.add("node " + names.node(node) + " " + why));
        return closed;
    }

    private ClusterJob job(SnapshotPod pod, int server, KubeNeighbours neighbours) {
        PodFacts facts = pod.facts();
        List<Integer> budgets = new ArrayList<>();
        for (int b = 0; b < source.budgets().size(); b++) {
            if (source.budgets().get(b).covers(facts)) {
                budgets.add(b);
            }
        }
        ClusterJob.Hold stay = switch (pod.bond()) {
            case FREE -> budgets.size() > 1 ? ClusterJob.Hold.KEPT : ClusterJob.Hold.MOVABLE;
            case KEPT -> ClusterJob.Hold.KEPT;
            case FIXED -> ClusterJob.Hold.FIXED;
            case WITH_NODE -> ClusterJob.Hold.WITH_SERVER;
        };
        String reason = pod.reason().isEmpty() && budgets.size() > 1
                ? "is in several budgets: the eviction call refuses such a pod"
                : pod.reason();
        if (stay == ClusterJob.Hold.MOVABLE && neighbours.isAskedFor(facts)) {
            stay = ClusterJob.Hold.KEPT;
            reason = "is what the affinity of a pod that waits asks for";
        }
        if (!facts.gpus().isNone()
                && gpuRooms.containsKey(facts.node())
                && (stay == ClusterJob.Hold.MOVABLE || stay == ClusterJob.Hold.KEPT)) {
            stay = ClusterJob.Hold.FIXED;
            reason = "has GPUs of a node that shares them among pods, which a plan does not allocate";
        }
        return new ClusterJob(
                names.pod(facts.path()),
                resources.stream()
                        .mapToLong(resource -> facts.requests().getOrDefault(resource, 0L))
                        .toArray(),
                server,
                admission(facts, neighbours),
                stay,
                names.hidden() ? KubeNames.withoutDetails(reason) : reason,
                neighbours.boundBy(facts),
                neighbours.countedBy(facts),
                budgets,
                together(facts));
    }

    private static String group(PodFacts pod) {
        return pod.namespace() + "/" + pod.group().name();
    }

    /** The group that a waiting pod is placed with; none once only one pod is missing. */
    private ClusterJob.Together together(PodFacts pod) {
        if (pod.isBound() || !pod.group().isGang()) {
            return ClusterJob.Together.NONE;
        }
        String group = group(pod);
        int all = least.getOrDefault(group, 0);
        long bound = source.pods().stream()
                .map(SnapshotPod::facts)
                .filter(one -> one.isBound() && !one.terminating() && group(one).equals(group))
                .count();
        return all > 0 && all - bound <= 1
                ? ClusterJob.Together.NONE
                : new ClusterJob.Together(names.group(group), all == 0 ? 0 : (int) (all - bound));
    }

    private ServerAdmission admission(PodFacts pod, KubeNeighbours neighbours) {
        List<String> unknown = new ArrayList<>(pod.isBound() ? List.of() : pod.notChecked());
        if (!pod.isBound() && !pod.group().problem().isEmpty()) {
            unknown.add(pod.group().problem());
        }
        boolean gated = !pod.isBound() && pod.isGated();
        if (gated) {
            unknown.clear();
        }
        PodGpus gpus = gpuRooms.isEmpty() && pod.gpus().wholes() > 0
                ? PodGpus.NONE
                : pod.gpus().asked();
        return admissions.computeIfAbsent(
                new StandingRules(
                        pod.tolerations(),
                        pod.nodes(),
                        unknown,
                        gated,
                        gpus,
                        pod.isBound(),
                        pod.isBound() || pod.near().isEmpty() ? null : neighbours.near(pod)),
                this::admission);
    }

    /**
     * Nodes that a pod without tolerations and selectors may use.
     *
     * @param gpus whether it asks for whole GPUs: then it tolerates the taint of that name, as Kubernetes' {@code
     *     ExtendedResourceToleration} has it
     */
    ServerAdmission plain(boolean gpus) {
        return new ServerAdmission(source.nodes().stream()
                .map(node -> {
                    List<String> forbidden = forbidden(
                            new StandingRules(
                                    gpus ? List.of(new TolerationRule(PodGpus.GPU, true, "", "")) : List.of(),
                                    NodeRule.NONE,
                                    List.of(),
                                    false,
                                    PodGpus.NONE,
                                    true,
                                    null),
                            node);
                    return gpus && node.gpus().areShared() ? List.of(SHARED) : forbidden;
                })
                .toList());
    }

    private ServerAdmission admission(StandingRules rules) {
        List<List<String>> all = new ArrayList<>();
        Map<List<String>, List<String>> same = new LinkedHashMap<>();
        for (NodeFacts node : source.nodes()) {
            List<String> forbidden = forbidden(rules, node);
            all.add(forbidden.isEmpty() ? Collections.emptyList() : same.computeIfAbsent(forbidden, one -> one));
        }
        return new ServerAdmission(
                all,
                rules.unknown().isEmpty()
                        ? ""
                        : "something that Stowage does not plan with"
                                + (names.hidden() ? "" : " (" + String.join("; ", rules.unknown()) + ")"));
    }

    private List<String> forbidden(StandingRules rules, NodeFacts node) {
        List<String> forbidden = new ArrayList<>();
        for (Taint taint : node.taints()) {
            if (rules.tolerations().stream().noneMatch(one -> one.tolerates(taint))) {
                forbidden.add(names.taint(taint));
            }
        }
        if (!rules.nodes().admits(node)) {
            String unmatched = "does not match its " + rules.nodes().unmatched(node);
            forbidden.add(names.hidden() ? KubeNames.withoutDetails(unmatched) : unmatched);
        }
        if (rules.near() != null && !rules.near().contains(node.name())) {
            forbidden.add("is not near a pod that its affinity asks for");
        }
        if (rules.gated()) {
            forbidden.add("does not get it before its scheduling gates are removed");
        }
        gpus(rules, node, forbidden);
        return forbidden;
    }

    private void gpus(StandingRules rules, NodeFacts node, List<String> forbidden) {
        PodGpus gpus = rules.gpus();
        if (rules.runs() && gpus.wholes() > 0 && node.gpus().areShared()) {
            forbidden.add(SHARED);
            return;
        }
        gpus.obstacle(node.gpus()).ifPresent(obstacle -> forbidden.add(obstacle.text()));
        GpuRoom room = gpuRooms.get(node.name());
        if (room != null && !rules.runs()) {
            room.lacks(gpus).forEach(lack -> forbidden.add("has " + lack));
        }
    }
}
