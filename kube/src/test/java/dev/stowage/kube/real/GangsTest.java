package dev.stowage.kube.real;

import static dev.stowage.kube.real.TestObjects.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.policy.PolicySpec;
import dev.stowage.kube.schedule.CommandLogs;
import dev.stowage.kube.schedule.KubeSettings;
import dev.stowage.kube.schedule.Replica;
import dev.stowage.policies.Policies;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.policy.v1beta1.PodDisruptionBudget;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A group of pods on a real API server, with no rights but those of deploy/kubernetes/stowage.yaml: it waits as a
 * whole, is bound as a whole, and if one binding is refused and its room lost, the bound pods are evicted as far as the
 * disruption budget allows.
 */
@Tag("once")
final class GangsTest {
    private KubernetesClient client;

    @Test
    void aGroupIsBoundAsAWholeOrUndone() throws Exception {
        try (RealCluster cluster = RealCluster.shared();
                ApiProxy proxy = new ApiProxy(cluster.port())) {
            client = cluster.client();
            TestObjects.applyManifests(client);
            for (int i = 1; i <= 3; i++) {
                TestObjects.node(client, "n" + i, "4");
            }
            Path kubeconfig = proxy.kubeconfig(cluster.kubeconfigOfStowage());
            // The first replica leaves a group that is bound in part; the second finds it, and respects its budget; the
            // third has the patience to bind it, however busy the machine.
            whileItRuns(kubeconfig, Duration.ofHours(1), () -> {
                wholeGroups();
                groupsOfObjects(proxy);
                aBindingIsRefusedAndItsRoomLost(proxy);
            });
            whileItRuns(kubeconfig, Duration.ofSeconds(3), () -> whatIsBoundInPartIsUndone(proxy));
            whileItRuns(kubeconfig, Duration.ofHours(1), this::itIsBoundAsAWhole);
        }
    }

    private static void whileItRuns(Path kubeconfig, Duration groupPatience, Runnable test)
            throws InterruptedException {
        Replica replica = new Replica(kubeconfig, settings(groupPatience), new Policies(), null, CommandLogs.NONE);
        Thread running = new Thread(() -> run(replica));
        running.start();
        try {
            test.run();
        } finally {
            replica.close();
            running.join();
        }
    }

    private static KubeSettings settings(Duration groupPatience) {
        KubeSettings usual = KubeSettings.of("stowage", PolicySpec.of("bf-js"));
        return new KubeSettings(
                usual.name(),
                usual.policy(),
                usual.bindings(),
                Duration.ofSeconds(1),
                usual.holdFor(),
                groupPatience,
                usual.stuckAfter(),
                usual.volumePatience(),
                usual.preempt(),
                usual.preferences());
    }

    private static void run(Replica replica) {
        try {
            replica.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void wholeGroups() {
        members("whole", 3, 3);
        until("a group that fits is bound", () -> bound("whole", 3) == 3);
        for (int i = 0; i < 3; i++) {
            client.pods().inNamespace("default").withName("whole" + i).delete();
        }
        members("large", 4, 4);
        until(
                "a group that does not fit is told so",
                () -> messages().stream()
                        .anyMatch(text -> text.contains("waits: ") && text.contains("3 of 3 nodes could take it")));
        assertThat(bound("large", 4)).isZero();
        TestObjects.node(client, "n4", "4");
        until("it is bound when there is room", () -> bound("large", 4) == 4);
        for (int i = 0; i < 4; i++) {
            client.pods().inNamespace("default").withName("large" + i).delete();
        }
        client.nodes().withName("n4").delete();
    }

    /** Objects that the server has only while this runs, of both APIs; one comes after its pods. */
    private void groupsOfObjects(ApiProxy proxy) {
        for (String name : new String[] {"plugins", "kubernetes"}) {
            for (int i = 0; i < 3; i++) {
                TestObjects.create(
                        client, TestObjects.pod(name + i, "stowage", "1", "scheduling.x-k8s.io/pod-group: " + name));
            }
            until(
                    "its pods are told what is missing",
                    () -> messages().stream()
                            .anyMatch(text -> text.contains("neither a PodGroup " + name + " nor the label ")));
        }
        TestObjects.podGroups(client, "scheduling.x-k8s.io");
        TestObjects.podGroups(client, proxy);
        TestObjects.podGroup(client, "scheduling.x-k8s.io", "plugins", "minMember: 3");
        TestObjects.podGroup(client, "groups.example", "kubernetes", "schedulingPolicy: {gang: {minCount: 4}}");
        until("a group of scheduler-plugins is bound", () -> bound("plugins", 3) == 3);
        until(
                "a group of Kubernetes is told how many it is",
                () -> messages().stream().anyMatch(text -> text.contains("its group kubernetes has 3 of the 4 pods")));
        assertThat(bound("kubernetes", 3)).isZero();
        TestObjects.create(
                client, TestObjects.pod("kubernetes3", "stowage", "1", "scheduling.x-k8s.io/pod-group: kubernetes"));
        until("it is bound", () -> bound("kubernetes", 4) == 4);
        for (int i = 0; i < 4; i++) {
            client.pods().inNamespace("default").withName("plugins" + i).delete();
            client.pods().inNamespace("default").withName("kubernetes" + i).delete();
        }
    }

    private void aBindingIsRefusedAndItsRoomLost(ApiProxy proxy) {
        proxy.refuse(request -> request.contains("/pods/part0/binding"));
        client.resource(Serialization.unmarshal(
                        "---\n{apiVersion: policy/v1beta1, kind: PodDisruptionBudget, metadata: {name: keep, namespace:"
                                + " default}, spec: {minAvailable: 3, selector: {matchLabels:"
                                + " {scheduling.x-k8s.io/pod-group: part}}}}",
                        PodDisruptionBudget.class))
                .create();
        members("part", 3, 3);
        until("two of three are bound", () -> bound("part", 3) == 2);
        String taken = List.of("n1", "n2", "n3").stream()
                .filter(node -> !node.equals(TestObjects.nodeOf(client, "part1"))
                        && !node.equals(TestObjects.nodeOf(client, "part2")))
                .findFirst()
                .orElseThrow();
        assertThat(client.pods()
                        .inNamespace("default")
                        .withName("part1")
                        .get()
                        .getMetadata()
                        .getAnnotations()
                        .get("stowage.dev/placed-with")
                        .split(","))
                .hasSize(3);
        // The API server ignores the budget of a pod that does not run yet.
        TestObjects.run(client, "part1");
        TestObjects.run(client, "part2");
        TestObjects.create(client, TestObjects.pod("rival", "somebody", "3", ""));
        TestObjects.bind(client, "rival", taken);
    }

    private void whatIsBoundInPartIsUndone(ApiProxy proxy) {
        until(
                "the budget keeps what is bound",
                () -> messages().stream()
                        .anyMatch(text -> text.contains("to be evicted") && text.contains("disruption budget")));
        assertThat(bound("part", 3)).isEqualTo(2);
        proxy.refuse(request -> false);
        client.resources(PodDisruptionBudget.class)
                .inNamespace("default")
                .withName("keep")
                .delete();
        until(
                "it is undone",
                () -> client.pods().inNamespace("default").withName("part1").get() == null
                        && client.pods()
                                        .inNamespace("default")
                                        .withName("part2")
                                        .get()
                                == null);
        assertThat(TestObjects.nodeOf(client, "part0")).isEmpty();
    }

    private void itIsBoundAsAWhole() {
        // Their controller creates them again.
        TestObjects.create(client, member("part", 1, 3));
        TestObjects.create(client, member("part", 2, 3));
        TestObjects.node(client, "n5", "4");
        until("it is bound as a whole", () -> bound("part", 3) == 3);
    }

    private void members(String group, int count, int least) {
        for (int i = 0; i < count; i++) {
            TestObjects.create(client, member(group, i, least));
        }
    }

    private static Pod member(String group, int number, int least) {
        return TestObjects.pod(group + number, "stowage", "3", TestObjects.group(group, least));
    }

    private long bound(String group, int count) {
        long bound = 0;
        for (int i = 0; i < count; i++) {
            bound += TestObjects.nodeOf(client, group + i).isEmpty() ? 0 : 1;
        }
        return bound;
    }

    private List<String> messages() {
        return client.v1().events().inNamespace("default").list().getItems().stream()
                .map(event -> String.valueOf(event.getMessage()))
                .toList();
    }
}
