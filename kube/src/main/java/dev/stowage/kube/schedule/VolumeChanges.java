package dev.stowage.kube.schedule;

import dev.stowage.kube.translate.NodeFacts;
import dev.stowage.kube.translate.PodFacts;
import dev.stowage.kube.translate.Volumes;
import java.util.LinkedHashMap;
import java.util.Map;

/** Nodes, and pods with claims, as they were told, so that the engine is told again when volumes have changed. */
final class VolumeChanges {
    private final Volumes volumes;
    private final Runnable begin;
    private final Map<String, NodeFacts> nodes = new LinkedHashMap<>();
    private final Map<String, PodFacts> pods = new LinkedHashMap<>();

    /** @param begin begins to watch volumes, if that has not begun */
    VolumeChanges(Volumes volumes, Runnable begin) {
        this.volumes = volumes;
        this.begin = begin;
    }

    /** A node as it was told. Returns it with the limits of its drivers. */
    NodeFacts node(NodeFacts node) {
        nodes.put(node.name(), node);
        return volumes.of(node);
    }

    void nodeGone(String name) {
        nodes.remove(name);
    }

    /** A pod as it was told. Returns it with what its claims ask for. */
    PodFacts pod(PodFacts pod) {
        if (pod.volumes().claims().isEmpty()) {
            return pod;
        }
        begin.run();
        pods.put(pod.uid(), pod);
        if (pod.isBound()) {
            volumes.forget(pod.uid());
        }
        return volumes.of(pod);
    }

    void podGone(String uid) {
        if (pods.remove(uid) != null) {
            volumes.forget(uid);
        }
    }

    /** Tells again what asks for something else now. */
    void tell(ClusterEngine engine) {
        if (!volumes.takeChanged()) {
            return;
        }
        nodes.values().forEach(node -> engine.node(volumes.of(node)));
        pods.values().forEach(pod -> {
            PodFacts now = volumes.of(pod);
            PodFacts known = engine.known(pod.uid());
            if (known != null && !known.asksTheSameAs(now)) {
                engine.pod(now);
            }
        });
    }
}
