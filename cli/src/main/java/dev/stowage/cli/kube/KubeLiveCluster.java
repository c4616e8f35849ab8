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
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A Kubernetes cluster whose nodes are emptied. */
final class KubeLiveCluster implements LiveCluster, JobEvictor {
    private final LiveNodes nodes;
    private final KubeNames names;
    private final ConsolidationSettings settings;
    private final Pace pace;
    private final BooleanSupplier mayAct;
    private final Map<String, SnapshotPod> pods = new HashMap<>();
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
        return new Said(Fate.valueOf(answer.eviction().name()), answer.why());
    }
}
