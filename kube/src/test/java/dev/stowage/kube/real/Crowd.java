package dev.stowage.kube.real;

import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Pods that come and go: single ones of three priorities, of which some have a claim, must be near others or apart from
 * others, and groups for our scheduler, and some pods for another one, more than there is room for. Some terminate
 * slowly. Groups have the highest priority, so that none loses a pod while
 * it is being placed.
 */
final class Crowd {
    private static final int MOST_WAITING = 25;
    private static final String[] PRIORITIES = {"", "middle", "high"};
    private static final String[] CORES = {"500m", "1", "1500m", "2", "3"};

    private static final Affinity APART = affinity("podAntiAffinity", "kubernetes.io/hostname", "apart");
    private static final Affinity NEAR = affinity("podAffinity", "zone", "web");

    private final KubernetesClient client;
    private final Random random;
    private int made;

    Crowd(KubernetesClient client, Random random) {
        this.client = client;
        this.random = random;
    }

    /** The priorities that its pods have, the class of their claims, and nodes in two zones. */
    static void prepare(KubernetesClient client, int nodes) {
        for (int i = 1; i <= nodes; i++) {
            String zone = "z" + i % 2;
            TestObjects.node(client, "n" + i, "4");
            client.nodes().withName("n" + i).edit(node -> {
                node.getMetadata().getLabels().put("zone", zone);
                return node;
            });
        }
        TestObjects.make(
                client,
                "{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: made}, provisioner: "
                        + SmallProvisioner.DRIVER + ", volumeBindingMode: WaitForFirstConsumer}");
        for (int i = 1; i < PRIORITIES.length; i++) {
            TestObjects.priorityClass(client, PRIORITIES[i], 1000 * i, "PreemptLowerPriority");
        }
    }

    private static Affinity affinity(String kind, String domain, String app) {
        return Serialization.unmarshal(
                "---\n{" + kind + ": {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: " + domain
                        + ", labelSelector: {matchLabels: {app: " + app + "}}}]}}",
                Affinity.class);
    }

    /** Removes terminating pods, as a kubelet does when all of a pod has ended. */
    static void endThoseThatLeave(KubernetesClient client) {
        for (Pod pod : client.pods().inNamespace("default").list().getItems()) {
            if (pod.getMetadata().getDeletionTimestamp() != null) {
                client.resource(pod).withGracePeriod(0).delete();
            }
        }
    }

    /** Some come, and some that are bound go: those of a group together, when all of it is bound. */
    void turn() {
        List<Pod> pods = client.pods().inNamespace("default").list().getItems();
        List<Pod> bound =
                pods.stream().filter(pod -> pod.getSpec().getNodeName() != null).toList();
        if (pods.size() - bound.size() < MOST_WAITING) {
            come();
        }
        for (Pod pod : pods) {
            if (pod.getMetadata().getDeletionTimestamp() != null && random.nextInt(3) == 0) {
                client.resource(pod).withGracePeriod(0).delete();
            }
        }
        if (!bound.isEmpty() && random.nextInt(3) > 0) {
            go(bound.get(random.nextInt(bound.size())), pods);
        }
    }

    private void come() {
        int kind = random.nextInt(10);
        String name = "p" + made++;
        String cores = CORES[random.nextInt(CORES.length)];
        if (kind < 3) {
            int size = 2 + random.nextInt(3);
            for (int i = 0; i < size; i++) {
                Pod pod = TestObjects.pod(name + "-" + i, "stowage", cores, TestObjects.group(name, size));
                pod.getSpec().setPriorityClassName("high");
                TestObjects.create(client, pod);
            }
        } else {
            Pod pod = kind < 8 ? ruled(name, cores) : TestObjects.pod(name, "default-scheduler", cores, "");
            String priority = PRIORITIES[random.nextInt(PRIORITIES.length)];
            if (kind < 8 && !priority.isEmpty()) {
                pod.getSpec().setPriorityClassName(priority);
            }
            if (random.nextBoolean()) {
                pod.getSpec().setTerminationGracePeriodSeconds(600L);
            }
            TestObjects.create(client, pod);
        }
    }

    /** A pod for our scheduler, in half of all cases with a rule. */
    private Pod ruled(String name, String cores) {
        int rule = random.nextInt(8);
        Pod pod = TestObjects.pod(name, "stowage", cores, rule == 0 ? "app: web" : rule == 1 ? "app: apart" : "");
        if (rule == 1 || rule == 2) {
            pod.getSpec().setAffinity(rule == 1 ? APART : NEAR);
        } else if (rule == 3) {
            TestObjects.make(
                    client,
                    "{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: of-" + name
                            + ", namespace: default}, spec: {accessModes: [ReadWriteOnce], storageClassName: made,"
                            + " resources: {requests: {storage: 1Gi}}}}");
            pod.getSpec()
                    .setVolumes(List.of(new VolumeBuilder()
                            .withName("v")
                            .withNewPersistentVolumeClaim("of-" + name, false)
                            .build()));
        }
        return pod;
    }

    private void go(Pod chosen, List<Pod> all) {
        String group = groupOf(chosen);
        List<Pod> going = new ArrayList<>(List.of(chosen));
        if (!group.isEmpty()) {
            going = all.stream().filter(pod -> groupOf(pod).equals(group)).toList();
            int least = Integer.parseInt(
                    chosen.getMetadata().getLabels().get("pod-group.scheduling.sigs.k8s.io/min-available"));
            if (going.size() < least
                    || going.stream().anyMatch(pod -> pod.getSpec().getNodeName() == null)) {
                return;
            }
        }
        going.forEach(pod -> client.resource(pod).delete());
    }

    private static String groupOf(Pod pod) {
        return pod.getMetadata().getLabels() == null
                ? ""
                : pod.getMetadata().getLabels().getOrDefault("scheduling.x-k8s.io/pod-group", "");
    }
}
