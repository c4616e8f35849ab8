package dev.stowage.kube.schedule;

import dev.stowage.kube.translate.NodeFacts;
import dev.stowage.kube.translate.PodFacts;
import dev.stowage.kube.translate.PodReader;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists nodes and pods and then watches them, again and again if need be: what was missed while a watch was down is
 * found by listing anew. Pods that have finished count as gone.
 */
public final class ClusterWatch implements AutoCloseable {
    /** Hears of nodes and pods, from threads of the client. */
    public interface Listener {
        /** A node is there, or is as given now. */
        void node(NodeFacts node);

        /** A node is gone. */
        void nodeGone(String name);

        /** A pod is there, or is as given now. */
        void pod(PodFacts pod);

        /** A pod is gone, or has finished. */
        void podGone(String uid);

        /** All nodes, or all pods, have been delivered; once for each, and again after each further list. */
        void listed(String what);
    }

    private static final Logger LOG = LoggerFactory.getLogger(ClusterWatch.class);

    private final SharedIndexInformer<Node> nodes;
    private final SharedIndexInformer<Pod> pods;

    /** A watch that is not started. */
    public ClusterWatch(KubernetesClient client, Listener listener) {
        nodes = client.nodes()
                .runnableInformer(0)
                .addEventHandler(new Told<Node>(
                        node -> listener.node(NodeFacts.of(node)),
                        node -> listener.nodeGone(node.getMetadata().getName()),
                        () -> listener.listed("nodes")));
        pods = client.pods()
                .inAnyNamespace()
                .withoutField("status.phase", "Succeeded")
                .withoutField("status.phase", "Failed")
                .runnableInformer(0)
                .addEventHandler(new Told<Pod>(
                        pod -> listener.pod(PodReader.read(pod)),
                        pod -> listener.podGone(pod.getMetadata().getUid()),
                        () -> listener.listed("pods")));
        nodes.exceptionHandler((started, failure) -> retry("nodes", failure));
        pods.exceptionHandler((started, failure) -> retry("pods", failure));
    }

    private static boolean retry(String what, Throwable failure) {
        LOG.warn("watching {} failed and is tried again: {}", what, failure.toString());
        return true;
    }

    /** Lists, and watches from then on. */
    public void start() {
        nodes.start();
        pods.start();
    }

    @Override
    public void close() {
        nodes.stop();
        pods.stop();
    }

    private record Told<T extends HasMetadata>(Consumer<T> present, Consumer<T> gone, Runnable listed)
            implements ResourceEventHandler<T> {
        @Override
        public void onAdd(T object) {
            tell(present, object);
        }

        @Override
        public void onUpdate(T before, T object) {
            // Deleted and created again under the same name while the watch was down.
            if (!before.getMetadata().getUid().equals(object.getMetadata().getUid())) {
                tell(gone, before);
            }
            tell(present, object);
        }

        @Override
        public void onList(String version, boolean isEmpty) {
            listed.run();
        }

        @Override
        public void onDelete(T object, boolean unknownFinalState) {
            tell(gone, object);
        }

        private static <T> void tell(Consumer<T> consumer, T object) {
            try {
                consumer.accept(object);
            } catch (IllegalArgumentException e) {
                LOG.error("an object cannot be read and is left out: {}", e.toString());
            }
        }
    }
}
