package dev.stowage.kube.real;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.policy.PolicySpec;
import dev.stowage.kube.schedule.CommandLogs;
import dev.stowage.kube.schedule.KubeSettings;
import dev.stowage.kube.schedule.Replica;
import dev.stowage.policies.Policies;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Pods with claims on a real API server, with the rights of deploy/kubernetes/stowage.yaml, beside a small provisioner.
 */
@Tag("once")
final class VolumesTest {
    private KubernetesClient client;

    @Test
    void podsGoWhereTheirVolumesAreOrCanBeMade() throws Exception {
        try (RealCluster cluster = RealCluster.shared()) {
            client = cluster.client();
            TestObjects.applyManifests(client);
            for (String node : new String[] {"a1", "a2", "b1"}) {
                TestObjects.node(client, node, "16");
                client.nodes().withName(node).edit(now -> {
                    now.getMetadata().getLabels().put("zone", node.substring(0, 1));
                    return now;
                });
                make("{apiVersion: storage.k8s.io/v1, kind: CSINode, metadata: {name: " + node
                        + "}, spec: {drivers: [{name: " + SmallProvisioner.DRIVER + ", nodeID: " + node
                        + ", topologyKeys: [zone], allocatable: {count: " + (node.equals("b1") ? 4 : 2) + "}}]}}");
            }
            storageClass("made", SmallProvisioner.DRIVER);
            storageClass("local", "kubernetes.io/no-provisioner");
            KubeSettings usual = KubeSettings.of("stowage", PolicySpec.of("bf-js"));
            KubeSettings settings = new KubeSettings(
                    usual.name(),
                    usual.policy(),
                    usual.bindings(),
                    Duration.ofSeconds(1),
                    usual.holdFor(),
                    usual.groupPatience(),
                    usual.stuckAfter(),
                    Duration.ofSeconds(3),
                    true,
                    usual.preferences());
            Replica replica =
                    new Replica(cluster.kubeconfigOfStowage(), settings, new Policies(), null, CommandLogs.NONE);
            Thread running = new Thread(() -> {
                try {
                    replica.run();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            running.start();
            try (SmallProvisioner provisioner = new SmallProvisioner(client)) {
                judge(provisioner);
            } finally {
                replica.close();
                running.join();
            }
        }
    }

    private void judge(SmallProvisioner provisioner) {
        // Bound to the zone b, where the policy would not begin.
        volume("there", "made", "b");
        claim("bound", "made", "there");
        pod("p-bound", "bound");
        bound("p-bound");
        assertThat(TestObjects.nodeOf(client, "p-bound")).isEqualTo("b1");
        // A volume is made for the node that is chosen.
        claim("waits", "made", "");
        pod("p-waits", "waits");
        bound("p-waits");
        isWhereItsVolumeIs("p-waits");
        // A volume that is there is given to the claim.
        volume("local-1", "local", "b");
        claim("local", "local", "");
        pod("p-local", "local");
        bound("p-local");
        assertThat(TestObjects.nodeOf(client, "p-local")).isEqualTo("b1");
        isWhereItsVolumeIs("p-local");
        // The provisioner says nothing for two nodes, and takes the third back at first.
        provisioner.silent.add("a1");
        provisioner.refused.add("a2");
        claim("slow", "made", "");
        pod("p-slow", "slow");
        bound("p-slow");
        assertThat(TestObjects.nodeOf(client, "p-slow")).isEqualTo("b1");
        isWhereItsVolumeIs("p-slow");
        provisioner.silent.clear();
        provisioner.refused.clear();
        // Of the drivers' eight volumes three are attached; a ninth pod has to wait.
        for (int i = 0; i < 6; i++) {
            claim("many" + i, "made", "");
            pod("p-many" + i, "many" + i);
        }
        TestObjects.until(
                "five of six are bound",
                () -> pods().filter(name -> name.startsWith("p-many")
                                        && !TestObjects.nodeOf(client, name).isEmpty())
                                .count()
                        == 5);
        String waiting = pods().filter(name -> TestObjects.nodeOf(client, name).isEmpty())
                .findFirst()
                .orElseThrow();
        says(waiting, "lack attachable-volumes-csi-" + SmallProvisioner.DRIVER);
        Map<String, Integer> attached = new TreeMap<>();
        pods().filter(name -> !TestObjects.nodeOf(client, name).isEmpty() && !name.equals("p-local"))
                .forEach(name -> {
                    isWhereItsVolumeIs(name);
                    attached.merge(TestObjects.nodeOf(client, name), 1, Integer::sum);
                });
        assertThat(attached).isEqualTo(Map.of("a1", 2, "a2", 2, "b1", 4));
        pod("p-none", "nothing");
        says("p-none", "waits: its claim nothing does not exist");
    }

    private java.util.stream.Stream<String> pods() {
        return client.pods().inNamespace("default").list().getItems().stream()
                .map(pod -> pod.getMetadata().getName());
    }

    private void says(String pod, String words) {
        TestObjects.until(
                pod + " says " + words,
                () -> client.v1().events().inNamespace("default").list().getItems().stream()
                        .anyMatch(event -> pod.equals(event.getInvolvedObject().getName())
                                && event.getMessage().contains(words)));
    }

    private void bound(String pod) {
        TestObjects.until(
                pod + " is bound", () -> !TestObjects.nodeOf(client, pod).isEmpty());
    }

    /** By the objects of the API server alone: the claim is bound, and its volume is in the zone of the pod's node. */
    private void isWhereItsVolumeIs(String pod) {
        Pod now = client.pods().inNamespace("default").withName(pod).get();
        PersistentVolumeClaim claim = client.persistentVolumeClaims()
                .inNamespace("default")
                .withName(now.getSpec()
                        .getVolumes()
                        .get(0)
                        .getPersistentVolumeClaim()
                        .getClaimName())
                .get();
        PersistentVolume volume = client.persistentVolumes()
                .withName(claim.getSpec().getVolumeName())
                .get();
        assertThat(volume.getSpec()
                        .getNodeAffinity()
                        .getRequired()
                        .getNodeSelectorTerms()
                        .get(0)
                        .getMatchExpressions()
                        .get(0)
                        .getValues())
                .as(pod)
                .containsExactly(client.nodes()
                        .withName(now.getSpec().getNodeName())
                        .get()
                        .getMetadata()
                        .getLabels()
                        .get("zone"));
    }

    private void make(String yaml) {
        client.resource((HasMetadata) Serialization.unmarshal("---\n" + yaml)).create();
    }

    private void storageClass(String name, String provisioner) {
        make("{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: " + name + "}, provisioner: "
                + provisioner + ", volumeBindingMode: WaitForFirstConsumer}");
    }

    private void volume(String name, String storageClass, String zone) {
        make("{apiVersion: v1, kind: PersistentVolume, metadata: {name: " + name
                + "}, spec: {capacity: {storage: 1Gi}, accessModes: [ReadWriteOnce], storageClassName: " + storageClass
                + ", "
                + (storageClass.equals("local")
                        ? "local: {path: /d}"
                        : "csi: {driver: " + SmallProvisioner.DRIVER + ", volumeHandle: " + name + "}")
                + ", nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: zone, operator: In,"
                + " values: [" + zone + "]}]}]}}}}");
        client.persistentVolumes().withName(name).editStatus(now -> {
            now.getStatus().setPhase(storageClass.equals("local") ? "Available" : "Bound");
            return now;
        });
    }

    private void claim(String name, String storageClass, String volume) {
        make("{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: " + name + ", namespace: default"
                + (volume.isEmpty() ? "" : ", annotations: {pv.kubernetes.io/bind-completed: 'yes'}")
                + "}, spec: {accessModes: [ReadWriteOnce], storageClassName: " + storageClass
                + (volume.isEmpty() ? "" : ", volumeName: " + volume) + ", resources: {requests: {storage: 1Gi}}}}");
    }

    private void pod(String name, String claim) {
        Pod pod = TestObjects.pod(name, "stowage", "1", "");
        pod.getSpec()
                .setVolumes(Serialization.unmarshal(
                                "---\n{apiVersion: v1, kind: Pod, spec: {containers: [], volumes: [{name: v,"
                                        + " persistentVolumeClaim: {claimName: " + claim + "}}]}}",
                                Pod.class)
                        .getSpec()
                        .getVolumes());
        TestObjects.create(client, pod);
    }
}
