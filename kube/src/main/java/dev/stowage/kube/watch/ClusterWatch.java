package dev.stowage.kube.watch;

import dev.stowage.kube.translate.NodeFacts;
import dev.stowage.kube.translate.PodFacts;
import dev.stowage.kube.translate.PodReader;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;

/**
 * Lists nodes and pods and then watches them. Events that were missed while a watch was down are found by listing
 * again; a watch that has fallen silent is detected and restarted. Finished pods count as gone.
 */
public final class ClusterWatch implements AutoCloseable {
    /** Receives events of nodes and pods, in threads of the client. */
    public interface Listener {
        /** A node is new or has changed. */
        void node(NodeFacts node);

        /** A node is gone. */
        void nodeGone(String name);

        /** A pod is new or has changed. */
        void pod(PodFacts pod);

        /** A pod is gone, or has finished. */
        void podGone(String uid);

        /** All nodes, or all pods, have been delivered; once for each, and again after each further list. */
        void listed(String what);
    }

    private final WatchedKind<Node> nodes;
    private final WatchedKind<Pod> pods;
    private final Watches watches = new Watches("nodes and pods");

    /** A watch that has not been started. */
    public ClusterWatch(KubernetesClient client, Listener listener) {
        nodes = new WatchedKind<>(
                client,
                "/api/v1/nodes",
                client::nodes,
                Node::new,
                node -> listener.node(NodeFacts.of(node)),
                node -> listener.nodeGone(node.name()),
                () -> listener.listed("nodes"));
        pods = new WatchedKind<>(
                client,
                "/api/v1/pods?fieldSelector=status.phase!%3DSucceeded,status.phase!%3DFailed",
                () -> client.pods()
                        .inAnyNamespace()
                        .withoutField("status.phase", "Succeeded")
                        .withoutField("status.phase", "Failed"),
                Pod::new,
                pod -> listener.pod(PodReader.read(pod)),
                pod -> listener.podGone(pod.uid()),
                () -> listener.listed("pods"));
    }

    /** Lists, and watches from then on. */
    public void start() {
        watches.begin(List.of(nodes, pods));
    }

    @Override
    public void close() {
        watches.close();
    }
}
