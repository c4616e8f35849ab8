package dev.stowage.cli.kube;

import dev.stowage.kube.consolidate.LiveNodes;
import dev.stowage.kube.snapshot.NodesAndPods;
import dev.stowage.kube.snapshot.SnapshotException;
import dev.stowage.kube.translate.PodFacts;
import dev.stowage.study.advise.ClusterState;
import dev.stowage.study.advise.ConsolidationSettings;
import dev.stowage.study.advise.JobEvictor;
import dev.stowage.study.advise.LiveCluster;
import dev.stowage.study.advise.Pace;
import dev.stowage.study.advise.PatientLook;
import java.util.HashMap;
import java.util.Map;

/** A Kubernetes cluster whose nodes are emptied. */
final class KubeLiveCluster implements LiveCluster, JobEvictor {
    private final LiveNodes nodes;
    private final KubeNames names;
    private final ConsolidationSettings settings;
    private final Pace pace;
    private final Map<String, PodFacts> pods = new HashMap<>();

    KubeLiveCluster(LiveNodes nodes, String zoneLabel, ConsolidationSettings settings, Pace pace) {
        this.nodes = nodes;
        this.settings = settings;
        this.pace = pace;
        names = new KubeNames(false, zoneLabel);
    }

    /** An API server that does not answer is asked again for as long as a step is tried. */
    @Override
    public ClusterState look() {
        NodesAndPods seen = PatientLook.of(nodes::look, SnapshotException.class, settings, pace);
        pods.clear();
        seen.pods().forEach(pod -> pods.put(pod.facts().path(), pod.facts()));
        return new KubeState(seen, names).state();
    }

    @Override
    public boolean close(String server) {
        return nodes.cordon(server);
    }

    @Override
    public void open(String server) {
        nodes.uncordon(server);
    }

    @Override
    public Said evict(String job, String server) {
        PodFacts pod = pods.get(job);
        if (pod == null || !server.equals(pod.node())) {
            return new Said(Fate.NOT_NOW, "it is not there any more");
        }
        LiveNodes.EvictionReply answer = nodes.evict(pod);
        return new Said(Fate.valueOf(answer.eviction().name()), answer.why());
    }
}
