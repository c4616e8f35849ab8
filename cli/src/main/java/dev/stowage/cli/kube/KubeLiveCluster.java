package dev.stowage.cli.kube;

import dev.stowage.cli.advise.AddedJobs;
import dev.stowage.kube.consolidate.LiveNodes;
import dev.stowage.kube.snapshot.NodesAndPods;
import dev.stowage.kube.snapshot.SnapshotException;
import dev.stowage.kube.snapshot.SnapshotPod;
import dev.stowage.study.advise.ClusterAdvice;
import dev.stowage.study.advise.ClusterState;
import dev.stowage.study.advise.ConsolidationSettings;
import dev.stowage.study.advise.JobEvictor;
import dev.stowage.study.advise.LiveCluster;
import dev.stowage.study.advise.Pace;
import dev.stowage.study.advise.PatientLook;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A Kubernetes cluster whose nodes are emptied. */
final class KubeLiveCluster implements LiveCluster, JobEvictor {
    /** A pod that was evicted, its controller, and that one's pods before. */
    private record Evicted(
            String name, String namespace, SnapshotPod.Controller controller, String uid, Set<String> before) {
        boolean isOf(SnapshotPod pod) {
            return pod.controller().equals(controller) && !pod.facts().uid().equals(uid);
        }
    }

    private final LiveNodes nodes;
    private final KubeNames names;
    private final ConsolidationSettings settings;
    private final Pace pace;
    private final BooleanSupplier mayAct;
    private final Map<String, SnapshotPod> pods = new HashMap<>();
    private @Nullable Evicted evicted;
    /** Whether the last that was settled was one that its controller does not want any more. */
    private boolean notReplaced;

    private Set<String> emptiedBefore = Set.of();
    private @Nullable KubeState last;

    KubeLiveCluster(LiveNodes nodes, String zoneLabel, ConsolidationSettings settings, Pace pace) {
        this(nodes, zoneLabel, settings, pace, () -> true);
    }

    /** If it may not act, nothing is changed. */
    KubeLiveCluster(
            LiveNodes nodes, String zoneLabel, ConsolidationSettings settings, Pace pace, BooleanSupplier mayAct) {
        this.nodes = nodes;
        this.mayAct = mayAct;
        this.settings = settings;
        this.pace = pace;
        names = new KubeNames(false, zoneLabel);
    }

    /** An API server that does not answer is asked again for as long as a step is tried. */
    @Override
    public ClusterState look() {
        NodesAndPods seen = PatientLook.of(nodes::look, SnapshotException.class, settings, pace);
        pods.clear();
        seen.pods().forEach(pod -> pods.put(pod.facts().path(), pod));
        last = new KubeState(seen, names);
        return last.state();
    }

    @Override
    public String missing() {
        Evicted last = evicted;
        if (last == null) {
            return "";
        }
        List<SnapshotPod> created = pods.values().stream()
                .filter(pod ->
                        last.isOf(pod) && !last.before().contains(pod.facts().uid()))
                .toList();
        if (created.isEmpty() && isOneTooMany(last)) {
            evicted = null;
            notReplaced = true;
            return "";
        }
        if (created.isEmpty()) {
            return last.name() + " was evicted, and its controller has not created another pod";
        }
        if (created.stream().noneMatch(SnapshotPod::runs)) {
            return last.name() + " was evicted, and " + created.get(0).facts().path()
                    + ", which its controller created, does not run yet";
        }
        evicted = null;
        return "";
    }

    @Override
    public boolean isNotReplaced() {
        return notReplaced;
    }

    /** Whether its controller, which was scaled down or deleted meanwhile, has all the pods that it wants. */
    private boolean isOneTooMany(Evicted last) {
        long has = pods.values().stream()
                .filter(pod -> last.isOf(pod) && !pod.facts().terminating())
                .count();
        OptionalInt wanted = nodes.wanted(last.namespace(), last.controller());
        return wanted.isPresent() && has >= wanted.getAsInt();
    }

    /** What was evicted before holds nothing up any more. */
    void startsAnew() {
        evicted = null;
    }

    /** Nodes that were emptied by earlier runs: no run opens them. */
    void emptiedBefore(Set<String> some) {
        emptiedBefore = Set.copyOf(some);
    }

    /** What the eviction of a pod costs. */
    double cost(String pod) {
        SnapshotPod known = pods.get(pod);
        return known == null ? 1 : known.evictionCost();
    }

    /** Pods for which there must be room. */
    ClusterAdvice.Addition addition(AddedJobs added) {
        return KubeAdviseCommand.addition(added, java.util.Objects.requireNonNull(last));
    }

    @Override
    public boolean close(String server) {
        return !emptiedBefore.contains(server) && mayAct.getAsBoolean() && nodes.cordon(server);
    }

    @Override
    public void open(String server) {
        if (!mayAct.getAsBoolean()) {
            throw new IllegalStateException("another replica may hold the lease");
        }
        nodes.uncordon(server);
    }

    @Override
    public Said evict(String job, String server) {
        SnapshotPod pod = pods.get(job);
        if (pod == null || !server.equals(pod.facts().node())) {
            return new Said(Fate.NOT_NOW, "it is not there any more");
        }
        if (!mayAct.getAsBoolean()) {
            return new Said(Fate.NOT_NOW, "another replica may hold the lease");
        }
        LiveNodes.EvictionReply answer = nodes.evict(pod.facts());
        if (answer.eviction() == LiveNodes.Eviction.LEAVES) {
            notReplaced = false;
            evicted = new Evicted(
                    job,
                    pod.facts().namespace(),
                    pod.controller(),
                    pod.facts().uid(),
                    pods.values().stream()
                            .filter(one -> one.controller().equals(pod.controller()))
                            .map(one -> one.facts().uid())
                            .collect(Collectors.toSet()));
        }
        return new Said(Fate.valueOf(answer.eviction().name()), answer.why());
    }
}
