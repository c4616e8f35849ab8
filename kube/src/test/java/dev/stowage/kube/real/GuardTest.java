package dev.stowage.kube.real;

import static dev.stowage.kube.real.TestObjects.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.kube.schedule.KubeClients;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The guard on a real API server, with no rights but those of deploy/kubernetes/guard.yaml: of bindings sent at once
 * as many take effect as there is room for, by either resource for bindings; a real kube-scheduler beside ours never
 * overfills a node; and without the guard nothing is bound.
 */
@Tag("once")
final class GuardTest {
    private static final int CORES = 4;
    private static final int THREADS = 8;

    @TempDir
    Path directory;

    private KubernetesClient client;

    @Test
    void noNodeIsOverfilledByAnybody() throws Exception {
        try (RealCluster cluster = RealCluster.shared()) {
            client = cluster.client();
            TestObjects.applyManifests(client);
            for (int i = 1; i <= 6; i++) {
                TestObjects.node(client, "n" + i, String.valueOf(CORES));
            }
            try (PodHistory history = new PodHistory(client, CORES)) {
                try (GuardOnServer guard = new GuardOnServer(cluster, directory)) {
                    bindingsAtOnce();
                    twoSchedulers(cluster, history);
                    System.out.println(guard.metrics());
                }
                TestObjects.create(client, TestObjects.pod("late", "nobody", "0", ""));
                try (KubernetesClient once = KubeClients.open(cluster.kubeconfig())) {
                    assertThatThrownBy(() -> TestObjects.bind(once, "late", "n1"))
                            .isInstanceOf(KubernetesClientException.class)
                            .hasMessageContaining("guard.stowage.dev");
                }
                assertThat(history.wrong()).isEmpty();
            }
        }
    }

    private void bindingsAtOnce() throws Exception {
        List<Callable<Boolean>> bindings = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            String name = "once" + i;
            boolean older = i % 2 == 0;
            TestObjects.create(client, TestObjects.pod(name, "nobody", "1", ""));
            bindings.add(() -> tryToBind(name, older));
        }
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        int bound = 0;
        for (Future<Boolean> binding : threads.invokeAll(bindings)) {
            bound += binding.get() ? 1 : 0;
        }
        threads.shutdown();
        assertThat(bound).isEqualTo(CORES);
        for (int i = 0; i < 40; i++) {
            client.pods().inNamespace("default").withName("once" + i).delete();
        }
    }

    /** By pods/binding, or by the older resource. */
    private boolean tryToBind(String name, boolean older) {
        try {
            if (older) {
                client.raw(
                        "/api/v1/namespaces/default/bindings",
                        "POST",
                        "{\"apiVersion\":\"v1\",\"kind\":\"Binding\",\"metadata\":{\"name\":\"" + name
                                + "\"},\"target\":{\"kind\":\"Node\",\"name\":\"n1\"}}");
            } else {
                TestObjects.bind(client, name, "n1");
            }
            return true;
        } catch (KubernetesClientException e) {
            assertThat(e.getMessage()).contains("node n1 lacks cpu: 1 core short");
            return false;
        }
    }

    private void twoSchedulers(RealCluster cluster, PodHistory history) throws Exception {
        cluster.startScheduler("apiVersion: kubescheduler.config.k8s.io/v1beta1\nkind: KubeSchedulerConfiguration\n"
                + "leaderElection: {leaderElect: false}\npodMaxBackoffSeconds: 1\nclientConnection: {kubeconfig: \""
                + cluster.kubeconfig() + "\"}\n");
        try (ReplicaProcess ours =
                new ReplicaProcess(cluster.kubeconfigOfStowage(), directory.resolve("replica.log"))) {
            TestObjects.create(client, TestObjects.pod("first", "stowage", "500m", ""));
            TestObjects.create(client, TestObjects.pod("second", "default-scheduler", "500m", ""));
            until("both are at work", () -> history.bindings() == CORES + 2);
            for (int i = 0; i < 90; i++) {
                TestObjects.create(
                        client, TestObjects.pod("two" + i, i % 3 > 0 ? "stowage" : "default-scheduler", "500m", ""));
            }
            // 46 more fit, and ours alone are more.
            until("every core is taken", () -> history.bindings() == CORES + 6 * CORES * 2);
        }
    }
}
