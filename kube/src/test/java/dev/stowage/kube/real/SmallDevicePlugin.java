package dev.stowage.kube.real;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.net.HttpURLConnection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

/**
 * Stands in for the kubelets and the device plugins of HAMi and of Alibaba's gpushare: gives bound pods the GPUs that
 * their annotations name, as these plugins do, and notes what they would fail on.
 */
final class SmallDevicePlugin implements AutoCloseable {
    private static final String LOCK = "hami.io/mutex.lock";
    private static final String TO_ALLOCATE = "hami.io/vgpu-devices-to-allocate";
    private static final String PHASE = "hami.io/bind-phase";
    private static final String ASSIGNED = "ALIYUN_COM_GPU_MEM_ASSIGNED";

    /** What a plugin would have failed on. */
    final Queue<String> wrong = new ConcurrentLinkedQueue<>();

    private final KubernetesClient client;
    private final Thread thread;
    private volatile boolean closed;
    private final Set<String> running = new HashSet<>();

    SmallDevicePlugin(KubernetesClient client) {
        this.client = client;
        thread = new Thread(this::run);
        thread.start();
    }

    private void run() {
        while (!closed) {
            try {
                for (Node node : client.nodes().list().getItems()) {
                    List<Pod> there = client.pods().inNamespace("default").list().getItems().stream()
                            .filter(pod -> node.getMetadata()
                                    .getName()
                                    .equals(pod.getSpec().getNodeName()))
                            .toList();
                    hami(node, there);
                    gpushare(there);
                }
                RealCluster.sleep();
            } catch (KubernetesClientException e) {
                // A pod that was listed may be gone by now.
                if (e.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
                    wrong.add(String.valueOf(e));
                }
            } catch (RuntimeException e) {
                wrong.add(String.valueOf(e));
            }
        }
    }

    private static String note(Pod pod, String key) {
        return Objects.requireNonNullElse(pod.getMetadata().getAnnotations(), Map.<String, String>of())
                .getOrDefault(key, "");
    }

    /** Allocates for the pod that the lock of the node names, as one call of the kubelet for each container. */
    private void hami(Node node, List<Pod> there) {
        String name = node.getMetadata().getName();
        Map<String, String> notes =
                Objects.requireNonNullElse(node.getMetadata().getAnnotations(), Map.of());
        String lock = notes.getOrDefault(LOCK, "");
        for (Pod pod : there) {
            String own = pod.getMetadata().getName();
            if (!note(pod, PHASE).equals("allocating") || running.contains(own)) {
                continue;
            }
            if (!lock.endsWith(",default," + own)) {
                // It may have been locked since the node was read.
                String now = client.nodes()
                        .withName(name)
                        .get()
                        .getMetadata()
                        .getAnnotations()
                        .getOrDefault(LOCK, "");
                if (!now.endsWith(",default," + own)) {
                    wrong.add(own + " is bound to " + name + ", whose lock is '" + now + "'");
                    running.add(own);
                }
                continue;
            }
            String asked = note(pod, TO_ALLOCATE);
            String[] containers = asked.split(";", -1);
            if (containers.length != pod.getSpec().getContainers().size() + 1) {
                wrong.add(own + ": " + asked + " is not one part for each container");
            }
            for (int c = 0; c < pod.getSpec().getContainers().size(); c++) {
                var limits = pod.getSpec().getContainers().get(c).getResources().getLimits();
                int gpus = limits == null || !limits.containsKey("nvidia.com/gpu")
                        ? 0
                        : Integer.parseInt(limits.get("nvidia.com/gpu").getAmount());
                List<String> devices = Stream.of(containers[c].split(":", -1))
                        .filter(device -> !device.isEmpty())
                        .toList();
                if (devices.size() != gpus) {
                    wrong.add(own + ": " + gpus + " GPUs are asked for, and named " + containers[c]);
                }
                for (String device : devices) {
                    String[] fields = device.split(",", -1);
                    if (fields.length != 4
                            || !fields[1].equals("NVIDIA")
                            || !notes.getOrDefault("hami.io/node-nvidia-register", "")
                                    .contains("\"" + fields[0] + "\"")) {
                        wrong.add(own + ": " + device);
                    }
                }
            }
            if (!note(pod, "hami.io/vgpu-node").equals(name)
                    || !name.equals(pod.getMetadata().getLabels().get("hami.io/vgpu-node"))
                    || !note(pod, "hami.io/vgpu-devices-allocated").equals(asked)
                    || !note(pod, "hami.io/bind-time").matches("[0-9]{10}")
                    || !note(pod, "hami.io/vgpu-time").matches("[0-9]{10}")) {
                wrong.add(own + ": " + pod.getMetadata().getAnnotations());
            }
            running.add(own);
            patch(own, Map.of(TO_ALLOCATE, ";".repeat(containers.length - 1), PHASE, "success"));
            client.nodes()
                    .withName(name)
                    .patch(
                            PatchContext.of(PatchType.JSON_MERGE),
                            "{\"metadata\":{\"annotations\":{\"" + LOCK + "\":null}}}");
            TestObjects.run(client, own);
        }
    }

    /** Allocates for the pod that was assumed first. */
    private void gpushare(List<Pod> there) {
        there.stream()
                .filter(pod -> note(pod, ASSIGNED).equals("false"))
                .min(Comparator.comparingLong(pod -> Long.parseLong(note(pod, "ALIYUN_COM_GPU_MEM_ASSUME_TIME"))))
                .ifPresent(pod -> {
                    String own = pod.getMetadata().getName();
                    String memory = pod.getSpec()
                            .getContainers()
                            .get(0)
                            .getResources()
                            .getLimits()
                            .get("aliyun.com/gpu-mem")
                            .getAmount();
                    if (!note(pod, "ALIYUN_COM_GPU_MEM_POD").equals(memory)
                            || !note(pod, "ALIYUN_COM_GPU_MEM_DEV").equals("16")
                            || !note(pod, "ALIYUN_COM_GPU_MEM_IDX").matches("[01]")) {
                        wrong.add(own + ": " + pod.getMetadata().getAnnotations());
                    }
                    patch(own, Map.of(ASSIGNED, "true"));
                    TestObjects.run(client, own);
                });
    }

    private void patch(String pod, Map<String, String> annotations) {
        client.pods()
                .inNamespace("default")
                .withName(pod)
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        client.getKubernetesSerialization()
                                .asJson(Map.of("metadata", Map.of("annotations", annotations))));
    }

    @Override
    public void close() {
        closed = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
