package dev.stowage.kube.real;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two replicas on a real API server, with no rights but those of deploy/kubernetes/stowage.yaml: the one that leads is
 * stopped, goes on, and is killed, the API server is killed and started again. No node ever holds more than it has, no
 * pod is bound twice, and what fits is bound.
 */
@Tag("nightly")
final class ReplicasTest {
    private static final int NODES = 5;
    private static final int CORES = 4;

    @TempDir
    Path directory;

    private KubernetesClient client;
    private int pods;

    @Test
    void oneLeadsAtATimeAndNothingIsLost() throws IOException {
        try (RealCluster cluster = RealCluster.shared()) {
            client = cluster.client();
            TestObjects.applyManifests(client);
            for (int i = 1; i <= NODES; i++) {
                node("n" + i);
            }
            Path kubeconfig = cluster.kubeconfigOfStowage();
            try (PodHistory history = new PodHistory(client, CORES);
                    ReplicaProcess first = new ReplicaProcess(kubeconfig, directory.resolve("first.log"))) {
                // 4 of 20 cores.
                createPods(4);
                until("the first places", () -> history.bindings() == 4);
                String leader = leader();
                try (ReplicaProcess second = new ReplicaProcess(kubeconfig, directory.resolve("second.log"))) {
                    createPods(4);
                    until("the first goes on", () -> history.bindings() == 8);
                    first.pause();
                    createPods(4);
                    until("the second places when the first is silent", () -> history.bindings() == 12);
                    assertThat(leader()).isNotEqualTo(leader);
                    first.goOn();
                    createPods(4);
                    until("they go on", () -> history.bindings() == 16);
                    second.pause();
                    first.close();
                    second.goOn();
                    cluster.endApiServer();
                    cluster.startApiServer();
                    cluster.awaitReady();
                    createPods(6);
                    until("the four that fit are placed", () -> bound() == NODES * CORES);
                    // All 20 cores are taken, and two pods wait. The replica that writes their events must live until
                    // then.
                    until(
                            "who waits is told why",
                            () -> messages().stream()
                                    .anyMatch(message -> message.contains(
                                            NODES + " of " + NODES + " nodes lack cpu (nearest: 1 core short on n1)")));
                }
                assertThat(history.wrong()).isEmpty();
                System.out.println(
                        "replicas: " + history.bindings() + " bindings seen, cores by node " + history.nodes());
            }
            assertThat(client.pods().inNamespace("default").list().getItems())
                    .filteredOn(pod -> pod.getSpec().getNodeName() == null)
                    .hasSize(2);
        }
    }

    private String leader() {
        return client.leases()
                .inNamespace("kube-system")
                .withName("stowage")
                .get()
                .getSpec()
                .getHolderIdentity();
    }

    private List<String> messages() {
        return client.v1().events().inNamespace("default").list().getItems().stream()
                .map(event -> String.valueOf(event.getMessage()))
                .toList();
    }

    private long bound() {
        return client.pods().inNamespace("default").list().getItems().stream()
                .filter(pod -> pod.getSpec().getNodeName() != null)
                .count();
    }

    private void node(String name) {
        Node node = Serialization.unmarshal(
                "---\n{apiVersion: v1, kind: Node, metadata: {name: " + name + "}, status: {allocatable: {cpu: '"
                        + CORES + "', memory: 8Gi, pods: '110'}}}",
                Node.class);
        Node made = client.nodes().resource(node).create();
        made.setStatus(node.getStatus());
        client.nodes().resource(made).updateStatus();
    }

    private void createPods(int count) {
        for (int i = 0; i < count; i++) {
            client.pods()
                    .inNamespace("default")
                    .resource(Serialization.unmarshal(
                            "---\n{apiVersion: v1, kind: Pod, metadata: {name: p" + pods++ + "}, spec:"
                                    + " {schedulerName: stowage, containers: [{name: c, image: x, resources: {requests:"
                                    + " {cpu: '1'}}}]}}",
                            Pod.class))
                    .create();
        }
    }

    private static void until(String what, BooleanSupplier condition) {
        System.out.println("waiting until " + what);
        while (!condition.getAsBoolean()) {
            RealCluster.sleep();
        }
    }
}
