package dev.stowage.kube.real;

import static dev.stowage.kube.real.TestObjects.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.policy.PolicySpec;
import dev.stowage.kube.schedule.CommandLogs;
import dev.stowage.kube.schedule.KubeSettings;
import dev.stowage.kube.schedule.Replica;
import dev.stowage.policies.Policies;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.policy.v1beta1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.policy.v1beta1.PodDisruptionBudgetStatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Preemption on a real API server, with no rights but those of deploy/kubernetes/stowage.yaml. There is no kubelet: a
 * pod that is evicted with a grace period stays, terminating, until the test removes it. There is no disruption
 * controller: the test writes what a budget allows.
 */
@Tag("nightly")
final class PreemptionTest {
    private static final String BUDGET =
            "---\n{apiVersion: policy/v1beta1, kind: PodDisruptionBudget, metadata: {name: keep, namespace: default},"
                    + " spec: {minAvailable: 1, selector: {matchLabels: {app: kept}}}}";

    @TempDir
    Path directory;

    private KubernetesClient client;

    @Test
    void roomIsMadeWithinBudgetsAndTakenWhenItIsThere() throws Exception {
        try (RealCluster cluster = RealCluster.shared()) {
            client = cluster.client();
            TestObjects.applyManifests(client);
            TestObjects.priorityClass(client, "high", 1000, "PreemptLowerPriority");
            TestObjects.priorityClass(client, "higher", 2000, "PreemptLowerPriority");
            TestObjects.priorityClass(client, "meek", 1000, "Never");
            TestObjects.node(client, "n1", "4");
            try (PodHistory history = new PodHistory(client, 4)) {
                try (Running first = new Running(cluster.kubeconfigOfStowage())) {
                    theExampleOfTheDocumentation();
                    aVictimIsEvictedAndLeavesInItsOwnTime();
                    aBudgetIsKeptAndNamed();
                    whoMayNotIsToldSo();
                }
                whoComesToLeadGoesOn(cluster.kubeconfigOfStowage());
                aBudgetForOneIsNotSpentTwice(cluster.kubeconfigOfStowage());
                cluster.startScheduler("apiVersion: kubescheduler.config.k8s.io/v1beta1\n"
                        + "kind: KubeSchedulerConfiguration\nleaderElection: {leaderElect: false}\n"
                        + "podMaxBackoffSeconds: 1\nclientConnection: {kubeconfig: \"" + cluster.kubeconfig()
                        + "\"}\n");
                aRivalMayTakeTheRoom(cluster.kubeconfigOfStowage());
                assertThat(history.wrong()).isEmpty();
            }
        }
    }

    private void theExampleOfTheDocumentation() throws IOException {
        client.nodes()
                .withName("n1")
                .edit(node -> new NodeBuilder(node)
                        .editMetadata()
                        .addToLabels("stowage-example", "preemption")
                        .endMetadata()
                        .build());
        try (InputStream example = Files.newInputStream(Path.of("..", "deploy", "kubernetes", "preemption.yaml"))) {
            for (HasMetadata one : client.load(example).items()) {
                boolean isPod = one instanceof Pod;
                if (isPod) {
                    client.pods().inNamespace("default").resource((Pod) one).create();
                } else {
                    client.resource(one).create();
                }
                until(
                        "it is looked at",
                        () -> !isPod || !messages(one.getMetadata().getName()).isEmpty());
            }
        }
        until("the one is evicted for the other", () -> isLeaving("batch"));
        gone("batch");
        until("the other is bound", () -> TestObjects.nodeOf(client, "urgent").equals("n1"));
        until("what was done is said", () -> messages("batch").contains("Preempted by default/urgent on node n1"));
        until(
                "why is said",
                () -> messages("urgent")
                        .contains("Successfully assigned default/urgent to n1 by preemption: default/batch of lower"
                                + " priority left n1 for it; no other node is suitable"));
        gone("urgent");
    }

    private void aVictimIsEvictedAndLeavesInItsOwnTime() {
        create("low", "kube", "4", "app: low", "", 600);
        TestObjects.bind(client, "low", "n1");
        create("vip", "stowage", "3", "app: vip", "high", 0);
        until("the other is evicted", () -> isLeaving("low"));
        until("the node is in its status", () -> "n1".equals(nominated("vip")));
        until("what was done is said", () -> messages("low").contains("Preempted by default/vip on node n1"));
        until(
                "why is said",
                () -> messages("vip").stream()
                        .anyMatch(text -> text.equals("nominated to n1, from which pods of lower priority were evicted:"
                                + " default/low; no other node is suitable")));
        // While it is terminating no pod is bound to its room.
        create("small", "stowage", "100m", "app: small", "", 0);
        until("the small one waits", () -> !messages("small").isEmpty());
        assertThat(TestObjects.nodeOf(client, "vip")).isEmpty();
        assertThat(TestObjects.nodeOf(client, "small")).isEmpty();
        gone("low");
        until("it is bound", () -> TestObjects.nodeOf(client, "vip").equals("n1"));
        until(
                "the small one is bound",
                () -> TestObjects.nodeOf(client, "small").equals("n1"));
        until(
                "who made room is said",
                () -> messages("vip").stream()
                        .anyMatch(text -> text.startsWith("Successfully assigned default/vip to n1 by preemption:"
                                + " default/low of lower priority left n1 for it")));
        gone("vip");
        gone("small");
    }

    private void aBudgetIsKeptAndNamed() {
        client.resource(Serialization.unmarshal(BUDGET, PodDisruptionBudget.class))
                .create();
        allow(0);
        create("kept", "kube", "4", "app: kept", "", 0);
        TestObjects.bind(client, "kept", "n1");
        // The API server ignores the budget of a pod that does not run yet.
        TestObjects.run(client, "kept");
        create("vip", "stowage", "3", "app: vip", "high", 0);
        until(
                "the budget is named",
                () -> messages("vip").stream()
                        .anyMatch(text -> text.endsWith("preemption: there would be room on n1, but the disruption"
                                + " budget default/keep allows no disruption now, and keeps default/kept")));
        assertThat(isThere("kept") && !isLeaving("kept")).isTrue();
        allow(1);
        until("it is evicted when the budget allows it", () -> !isThere("kept"));
        until("the other is bound", () -> TestObjects.nodeOf(client, "vip").equals("n1"));
        assertThat(budget().getStatus().getDisruptionsAllowed()).isZero();
        gone("vip");
    }

    private void whoMayNotIsToldSo() {
        create("low", "kube", "4", "app: low", "", 0);
        TestObjects.bind(client, "low", "n1");
        create("meek", "stowage", "3", "app: meek", "meek", 0);
        create("train", "stowage", "3", TestObjects.group("train", 2), "high", 0);
        create("wagon", "stowage", "3", TestObjects.group("train", 2), "high", 0);
        until(
                "both are told",
                () -> messages("meek").stream()
                                .anyMatch(text -> text.endsWith("preemption: its preemptionPolicy is Never"))
                        && messages("train").stream()
                                .anyMatch(text -> text.endsWith("preemption: no pod is evicted for a pod of a group")));
        assertThat(isThere("low")).isTrue();
        gone("meek");
        gone("train");
        gone("wagon");
        gone("low");
    }

    /** Killed between an eviction and the next: the other replica takes the same node, and no more pods go. */
    private void whoComesToLeadGoesOn(Path kubeconfig) throws Exception {
        TestObjects.node(client, "n2", "4");
        for (String node : List.of("n1", "n2")) {
            for (String name : List.of("a", "b")) {
                create(name + node, "kube", "2", "app: low", "", 600);
                TestObjects.bind(client, name + node, node);
            }
        }
        try (ReplicaProcess first = new ReplicaProcess(kubeconfig, directory.resolve("first.log"))) {
            create("vip", "stowage", "4", "app: vip", "high", 0);
            until("one goes", () -> leaving().size() >= 1);
        }
        String node = nominated("vip");
        assertThat(node).isIn("n1", "n2");
        try (ReplicaProcess second = new ReplicaProcess(kubeconfig, directory.resolve("second.log"))) {
            until("both of that node go", () -> leaving().equals(List.of("a" + node, "b" + node)));
            gone("a" + node);
            gone("b" + node);
            until("it is bound", () -> TestObjects.nodeOf(client, "vip").equals(node));
            String other = node.equals("n1") ? "n2" : "n1";
            assertThat(leaving()).isEmpty();
            assertThat(isThere("a" + other) && isThere("b" + other)).isTrue();
        }
    }

    /** Both are planned before the first eviction is known: the API server refuses the second. */
    private void aBudgetForOneIsNotSpentTwice(Path kubeconfig) throws Exception {
        client.pods().inNamespace("default").withGracePeriod(0).delete();
        until(
                "there is no pod",
                () -> client.pods().inNamespace("default").list().getItems().isEmpty());
        for (String node : List.of("n1", "n2")) {
            create("kept-" + node, "kube", "4", "app: kept", "", 0);
            TestObjects.bind(client, "kept-" + node, node);
            TestObjects.run(client, "kept-" + node);
        }
        allow(1);
        create("vip1", "stowage", "3", "app: vip", "high", 0);
        create("vip2", "stowage", "3", "app: vip", "high", 0);
        try (Running one = new Running(kubeconfig)) {
            until(
                    "the first is bound",
                    () -> !TestObjects.nodeOf(client, "vip1").isEmpty());
            until(
                    "an eviction was refused",
                    () -> one.replica.figures().evictionsRefused.sum() > 0);
            assertThat(isThere("kept-n2")).isTrue();
            until("the second is promised nothing", () -> nominated("vip2") == null);
            assertThat(TestObjects.nodeOf(client, "vip2")).isEmpty();
            allow(1);
            until(
                    "the second is bound",
                    () -> TestObjects.nodeOf(client, "vip2").equals("n2"));
            System.out.println(
                    "refused: " + one.replica.figures().evictionsRefused.sum());
        }
        client.pods().inNamespace("default").withGracePeriod(0).delete();
        client.nodes().withName("n2").delete();
    }

    /**
     * kube-scheduler takes the room, because it respects only the nominated nodes of its own pods. No pod is bound
     * beside it: it is evicted in its turn.
     */
    private void aRivalMayTakeTheRoom(Path kubeconfig) throws Exception {
        create("low", "kube", "4", "app: low", "", 600);
        TestObjects.bind(client, "low", "n1");
        create("vip", "stowage", "3", "app: vip", "high", 0);
        try (Running one = new Running(kubeconfig)) {
            until("it is nominated", () -> "n1".equals(nominated("vip")) && isLeaving("low"));
        }
        create("rival", "default-scheduler", "3", "app: rival", "", 0);
        until("the rival waits", () -> !messages("rival").isEmpty());
        gone("low");
        until("the rival is bound", () -> TestObjects.nodeOf(client, "rival").equals("n1"));
        try (Running one = new Running(kubeconfig)) {
            until(
                    "it is bound in place of the rival",
                    () -> TestObjects.nodeOf(client, "vip").equals("n1"));
            assertThat(isThere("rival")).isFalse();
        }
    }

    // ---- the cluster

    /** A replica in this process, alone. */
    private static final class Running implements AutoCloseable {
        private final Replica replica;
        private final Thread thread;

        Running(Path kubeconfig) {
            KubeSettings usual = KubeSettings.of("stowage", PolicySpec.of("bf-js"));
            KubeSettings settings = new KubeSettings(
                    usual.name(),
                    usual.policy(),
                    usual.bindings(),
                    Duration.ofSeconds(1),
                    usual.holdFor(),
                    usual.groupPatience(),
                    usual.stuckAfter(),
                    usual.volumePatience(),
                    true,
                    usual.preferences());
            replica = new Replica(kubeconfig, settings, new Policies(), null, CommandLogs.NONE);
            thread = new Thread(() -> {
                try {
                    replica.run();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            thread.start();
        }

        @Override
        public void close() throws InterruptedException {
            replica.close();
            thread.join();
        }
    }

    private void create(
            String name, String scheduler, String cpu, String labels, String priorityClass, long graceSeconds) {
        Pod pod = TestObjects.pod(name, scheduler, cpu, labels);
        pod.getSpec().setTerminationGracePeriodSeconds(graceSeconds);
        if (!priorityClass.isEmpty()) {
            pod.getSpec().setPriorityClassName(priorityClass);
        }
        TestObjects.create(client, pod);
    }

    private Pod pod(String name) {
        return client.pods().inNamespace("default").withName(name).get();
    }

    private boolean isThere(String name) {
        return pod(name) != null;
    }

    private boolean isLeaving(String name) {
        Pod pod = pod(name);
        return pod != null && pod.getMetadata().getDeletionTimestamp() != null;
    }

    private List<String> leaving() {
        List<String> leaving = new ArrayList<>();
        for (Pod pod : client.pods().inNamespace("default").list().getItems()) {
            if (pod.getMetadata().getDeletionTimestamp() != null) {
                leaving.add(pod.getMetadata().getName());
            }
        }
        return leaving;
    }

    private String nominated(String name) {
        return pod(name).getStatus().getNominatedNodeName();
    }

    /** As a kubelet does when all of a pod has ended. */
    private void gone(String name) {
        client.pods().inNamespace("default").withName(name).withGracePeriod(0).delete();
        until(name + " is gone", () -> !isThere(name));
    }

    private PodDisruptionBudget budget() {
        return client.resources(PodDisruptionBudget.class)
                .inNamespace("default")
                .withName("keep")
                .get();
    }

    private void allow(int disruptions) {
        PodDisruptionBudget budget = Serialization.unmarshal(BUDGET, PodDisruptionBudget.class);
        budget.setMetadata(budget().getMetadata());
        budget.setStatus(new PodDisruptionBudgetStatusBuilder()
                .withDisruptionsAllowed(disruptions)
                .withObservedGeneration(budget.getMetadata().getGeneration())
                .withCurrentHealthy(1)
                .withDesiredHealthy(1 - disruptions)
                .withExpectedPods(1)
                .build());
        client.resource(budget).inNamespace("default").updateStatus();
    }

    private List<String> messages(String pod) {
        return client
                .v1()
                .events()
                .inNamespace("default")
                .withField("involvedObject.name", pod)
                .list()
                .getItems()
                .stream()
                .map(event -> String.valueOf(event.getMessage()))
                .toList();
    }
}
