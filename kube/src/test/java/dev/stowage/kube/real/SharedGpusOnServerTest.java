package dev.stowage.kube.real;

import static dev.stowage.kube.real.TestObjects.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.core.policy.PolicySpec;
import dev.stowage.kube.schedule.CommandLogs;
import dev.stowage.kube.schedule.KubeClients;
import dev.stowage.kube.schedule.KubeSettings;
import dev.stowage.kube.schedule.Replica;
import dev.stowage.policies.Policies;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Pods that share GPUs on a real API server, with the rights of deploy/kubernetes/stowage.yaml and gpus.yaml, beside a
 * stand-in for the device plugins of HAMi and of Alibaba's gpushare.
 */
@Tag("once")
final class SharedGpusOnServerTest {
    private static final String ALLOCATED = "hami.io/vgpu-devices-allocated";
    private static final String LOCK = "hami.io/mutex.lock";

    @TempDir
    Path directory;

    private KubernetesClient client;

    /** A scheduler in this process. */
    private static final class Running implements AutoCloseable {
        private final Replica replica;
        private final Thread thread;

        Running(RealCluster cluster) {
            replica = new Replica(
                    cluster.kubeconfigOfStowage(),
                    KubeSettings.of("stowage", PolicySpec.of("bf-js")),
                    new Policies(),
                    null,
                    CommandLogs.NONE);
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

    @Test
    void podsGetTheGpusThatTheirDevicePluginsExpect() throws Exception {
        try (RealCluster cluster = RealCluster.shared()) {
            client = cluster.client();
            TestObjects.applyManifests(client);
            TestObjects.apply(client, "gpus.yaml");
            node("h1", hami("GPU-1a", "GPU-1b"), "nvidia.com/gpu: '20'");
            node("h2", hami("GPU-2a"), "nvidia.com/gpu: '10'");
            node("s1", "", "aliyun.com/gpu-mem: '32', aliyun.com/gpu-count: '2'");
            try (SmallDevicePlugin plugin = new SmallDevicePlugin(client)) {
                try (Running first = new Running(cluster)) {
                    partsAndWholes();
                    aRefusedBindingLeavesNothing();
                    theLockOfAnotherIsWaitedFor();
                }
                try (Running second = new Running(cluster)) {
                    afterARestart();
                }
                try (GuardOnServer guard = new GuardOnServer(cluster, directory)) {
                    theGuardLooksAtEachGpu(cluster);
                }
                assertThat(plugin.wrong).isEmpty();
            }
        }
    }

    private void partsAndWholes() {
        // 6000 of 16384 each: two on a GPU; the whole one needs a GPU of its own.
        for (int i = 0; i < 3; i++) {
            make("part" + i, "nvidia.com/gpu: 1, nvidia.com/gpumem: 6000, nvidia.com/gpucores: 20");
        }
        make("whole", "nvidia.com/gpu: 1");
        make("two", "nvidia.com/gpu: 1, nvidia.com/gpumem: 1000", "nvidia.com/gpu: 1, nvidia.com/gpumem: 2000");
        for (int i = 0; i < 5; i++) {
            make("share" + i, "aliyun.com/gpu-mem: " + (i < 4 ? 7 : 4));
        }
        until("all but one run", () -> running() == 9);
        until("the fifth share is told why", () -> messages().contains("no GPU with 0.25 free"));
        checkGpus();
        assertThat(client.pods().inNamespace("default").list().getItems())
                .filteredOn(pod -> !isRunning(pod))
                .singleElement()
                .satisfies(pod -> assertThat(pod.getMetadata().getName()).startsWith("share"));
        client.pods().inNamespace("default").list().getItems().stream()
                .filter(pod -> pod.getMetadata().getName().startsWith("share"))
                .forEach(pod -> client.resource(pod).delete());
    }

    /** Without the right to bind, each binding is refused. */
    private void aRefusedBindingLeavesNothing() {
        ClusterRole role = client.rbac().clusterRoles().withName("stowage").get();
        client.rbac().clusterRoles().withName("stowage").edit(now -> {
            now.getRules().removeIf(rule -> rule.getResources().contains("pods/binding"));
            return now;
        });
        make("refused", "nvidia.com/gpu: 1, nvidia.com/gpumem: 2000");
        until("it is refused", () -> messages().contains("was refused"));
        until(
                "nothing is left of the pod's GPU",
                () -> notes("refused").keySet().stream().noneMatch(key -> key.startsWith("hami.io/")));
        client.rbac().clusterRoles().withName("stowage").edit(now -> {
            now.setRules(role.getRules());
            return now;
        });
        until("it runs", () -> isRunning(get("refused")));
        until(
                "no node is locked",
                () -> client.nodes().list().getItems().stream()
                        .noneMatch(node -> node.getMetadata().getAnnotations().containsKey(LOCK)));
        checkGpus();
    }

    /** The lock of a pod that lives is left to it, that of a pod that is gone is taken. */
    private void theLockOfAnotherIsWaitedFor() {
        client.pods().inNamespace("default").resource(get("whole")).delete();
        make("foreign", "cpu: 1");
        until("it is there", () -> get("foreign").getSpec().getNodeName() != null);
        for (String node : new String[] {"h1", "h2"}) {
            lock(node, Instant.now().minusSeconds(10).toString().substring(0, 19) + "Z,default,foreign");
        }
        make("waits", "nvidia.com/gpu: 1, nvidia.com/gpumem: 2000");
        make("other", "cpu: 1");
        until("a later pod without GPUs is bound", () -> get("other").getSpec().getNodeName() != null);
        assertThat(get("waits").getSpec().getNodeName()).isNull();
        client.pods().inNamespace("default").resource(get("foreign")).delete();
        until("it runs", () -> isRunning(get("waits")));
        checkGpus();
        for (String node : new String[] {"h1", "h2"}) {
            client.nodes().withName(node).edit(now -> {
                now.getMetadata().getAnnotations().remove(LOCK);
                return now;
            });
        }
    }

    private void lock(String node, String value) {
        client.nodes().withName(node).edit(now -> {
            now.getMetadata().getAnnotations().put(LOCK, value);
            return now;
        });
    }

    /** A scheduler that has just come knows who has which GPU. */
    private void afterARestart() {
        Map<String, String> before = gpus();
        for (int i = 0; i < 6; i++) {
            make("late" + i, "nvidia.com/gpu: 1, nvidia.com/gpumem: 6000");
        }
        make("more", "cpu: 1");
        until("the last is bound", () -> get("more").getSpec().getNodeName() != null);
        until("who waits is told why", () -> messages().contains("no GPU with 0.367 free"));
        until("one more has a GPU", () -> gpus().size() > before.size());
        until(
                "those that are bound run",
                () -> client.pods().inNamespace("default").list().getItems().stream()
                        .filter(pod -> notes(pod).containsKey(ALLOCATED))
                        .allMatch(SharedGpusOnServerTest::isRunning));
        assertThat(gpus()).containsAllEntriesOf(before);
        checkGpus();
    }

    private void theGuardLooksAtEachGpu(RealCluster cluster) {
        client.pods().inNamespace("default").delete();
        until(
                "all are gone",
                () -> client.pods().inNamespace("default").list().getItems().isEmpty());
        try (KubernetesClient once = KubeClients.open(cluster.kubeconfig())) {
            foreign("g1", "GPU-2a,NVIDIA,10000,0:;");
            foreign("g2", "GPU-2a,NVIDIA,10000,0:;");
            foreign("g3", "");
            TestObjects.bind(once, "g1", "h2");
            assertThatThrownBy(() -> TestObjects.bind(once, "g2", "h2"))
                    .isInstanceOf(KubernetesClientException.class)
                    .hasMessageContaining("lacks memory of GPU GPU-2a: 10000 wanted, 6384 free");
            assertThatThrownBy(() -> TestObjects.bind(once, "g2", "h1"))
                    .isInstanceOf(KubernetesClientException.class)
                    .hasMessageContaining("shares no GPU GPU-2a");
            assertThatThrownBy(() -> TestObjects.bind(once, "g3", "h1"))
                    .isInstanceOf(KubernetesClientException.class)
                    .hasMessageContaining("annotations name none of them");
            // Its scheduler decides anew.
            client.pods().inNamespace("default").withName("g2").edit(now -> {
                now.getMetadata().getAnnotations().put(ALLOCATED, "GPU-1b,NVIDIA,10000,0:;");
                return now;
            });
            TestObjects.bind(once, "g2", "h1");
        }
    }

    private void foreign(String name, String allocated) {
        Pod pod = pod(name, "nobody", "nvidia.com/gpu: 1, nvidia.com/gpumem: 10000");
        pod.getMetadata().setAnnotations(allocated.isEmpty() ? Map.of() : Map.of(ALLOCATED, allocated));
        TestObjects.create(client, pod);
    }

    // ---- objects

    private static String hami(String... gpus) {
        StringBuilder register = new StringBuilder("hami.io/node-nvidia-register: '[");
        for (int g = 0; g < gpus.length; g++) {
            register.append(g == 0 ? "" : ",")
                    .append("{\"id\":\"" + gpus[g] + "\",\"index\":" + g
                            + ",\"count\":10,\"devmem\":16384,\"devcore\":100,\"type\":\"NVIDIA-T4\","
                            + "\"mode\":\"hami-core\",\"health\":true}");
        }
        return register.append("]'").toString();
    }

    private void node(String name, String annotations, String resources) {
        String amounts = "{cpu: '16', memory: 32Gi, pods: '110', " + resources + "}";
        Node node = Serialization.unmarshal(
                "---\n{apiVersion: v1, kind: Node, metadata: {name: " + name + ", annotations: {for: test"
                        + (annotations.isEmpty() ? "" : ", " + annotations) + "}}, status: {capacity: " + amounts
                        + ", allocatable: " + amounts + ", conditions: [{type: Ready, status: 'True'}]}}",
                Node.class);
        Node made = client.nodes().resource(node).create();
        made.setStatus(node.getStatus());
        client.nodes().resource(made).updateStatus();
    }

    private static Pod pod(String name, String scheduler, String... limits) {
        StringBuilder containers = new StringBuilder();
        for (int c = 0; c < limits.length; c++) {
            containers.append("{name: c" + c + ", image: x, resources: {limits: {" + limits[c] + "}}}, ");
        }
        return Serialization.unmarshal(
                "---\n{apiVersion: v1, kind: Pod, metadata: {name: " + name
                        + ", namespace: default}, spec: {schedulerName: " + scheduler
                        + ", terminationGracePeriodSeconds: 0, containers: [" + containers + "]}}",
                Pod.class);
    }

    private void make(String name, String... limits) {
        TestObjects.create(client, pod(name, "stowage", limits));
    }

    private Pod get(String name) {
        return client.pods().inNamespace("default").withName(name).get();
    }

    private static Map<String, String> notes(Pod pod) {
        return Objects.requireNonNullElse(pod.getMetadata().getAnnotations(), Map.of());
    }

    private Map<String, String> notes(String pod) {
        return notes(get(pod));
    }

    private static boolean isRunning(Pod pod) {
        return "Running".equals(pod.getStatus().getPhase());
    }

    private long running() {
        return client.pods().inNamespace("default").list().getItems().stream()
                .filter(SharedGpusOnServerTest::isRunning)
                .count();
    }

    private String messages() {
        StringBuilder all = new StringBuilder();
        client.v1()
                .events()
                .inNamespace("default")
                .list()
                .getItems()
                .forEach(event -> all.append(event.getMessage()).append('\n'));
        return all.toString();
    }

    private Map<String, String> gpus() {
        Map<String, String> gpus = new TreeMap<>();
        for (Pod pod : client.pods().inNamespace("default").list().getItems()) {
            if (notes(pod).containsKey(ALLOCATED)) {
                gpus.put(pod.getMetadata().getName(), notes(pod).get(ALLOCATED));
            }
        }
        return gpus;
    }

    /** By what is written in the pods alone. */
    private void checkGpus() {
        Map<String, Long> memory = new TreeMap<>();
        for (Pod pod : client.pods().inNamespace("default").list().getItems()) {
            if (pod.getSpec().getNodeName() == null) {
                continue;
            }
            for (String one : notes(pod).getOrDefault(ALLOCATED, "").split("[:;]", -1)) {
                if (!one.isEmpty()) {
                    String[] fields = one.split(",", -1);
                    memory.merge(fields[0], Long.parseLong(fields[2]), Long::sum);
                }
            }
            if (notes(pod).containsKey("ALIYUN_COM_GPU_MEM_IDX")) {
                memory.merge(
                        "share " + notes(pod).get("ALIYUN_COM_GPU_MEM_IDX"),
                        1024 * Long.parseLong(notes(pod).get("ALIYUN_COM_GPU_MEM_POD")),
                        Long::sum);
            }
        }
        System.out.println(memory);
        assertThat(memory).isNotEmpty();
        assertThat(memory.values()).allMatch(used -> used <= 16384);
    }
}
