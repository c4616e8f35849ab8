package dev.stowage.kube.translate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.kube.Yaml;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What claims make of pods, where the real kube-scheduler 1.20 cannot be asked, or step by step. */
final class VolumesOfPodsTest {
    private final Volumes volumes = new Volumes();
    private final NodeFacts a = node("a");
    private final NodeFacts b = node("b");

    VolumesOfPodsTest() {
        List.of("claims", "volumes", "classes", "limits").forEach(volumes::listed);
        storageClass("local", "kubernetes.io/no-provisioner");
        storageClass("made", "disk.example");
    }

    private static NodeFacts node(String zone) {
        return Yaml.node(zone, "zone: " + zone);
    }

    private void storageClass(String name, String provisioner) {
        volumes.storageClass(Serialization.unmarshal(
                "---\n{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: " + name + "}, provisioner: "
                        + provisioner + ", volumeBindingMode: WaitForFirstConsumer}",
                StorageClass.class));
    }

    private void claim(String name, String storageClass, String mode, String volume, String node) {
        String annotations = (volume.isEmpty() ? "" : "pv.kubernetes.io/bind-completed: 'yes'")
                + (node.isEmpty() ? "" : "volume.kubernetes.io/selected-node: " + node);
        volumes.claim(Serialization.unmarshal(
                "---\n{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: " + name
                        + ", namespace: default, uid: u-" + name + ", annotations: {" + annotations
                        + "}}, spec: {accessModes: [" + mode + "], storageClassName: " + storageClass
                        + (volume.isEmpty() ? "" : ", volumeName: " + volume)
                        + ", resources: {requests: {storage: 1Gi}}}}",
                PersistentVolumeClaim.class));
    }

    private void volume(String name, String storageClass, String zone, String size, String source) {
        volumes.volume(Serialization.unmarshal(
                "---\n{apiVersion: v1, kind: PersistentVolume, metadata: {name: " + name
                        + "}, spec: {capacity: {storage: " + size
                        + "}, accessModes: [ReadWriteOnce, ReadWriteOncePod], storageClassName: " + storageClass + ", "
                        + source + ", nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: zone,"
                        + " operator: In, values: [" + zone + "]}]}]}}}, status: {phase: Available}}",
                PersistentVolume.class));
    }

    private PodFacts pod(String name, String node, String... claims) {
        StringBuilder mounted = new StringBuilder();
        for (String claim : claims) {
            mounted.append(mounted.isEmpty() ? "" : ", ")
                    .append("{name: ")
                    .append(claim)
                    .append(", persistentVolumeClaim: {claimName: ")
                    .append(claim)
                    .append("}}");
        }
        return volumes.of(
                Yaml.facts(name, "", "cpu: 1", "volumes: [" + mounted + "]").boundTo(node));
    }

    private String obstacle(PodFacts pod, NodeFacts node, PodFacts... running) {
        NodeOccupancy occupancy = new NodeOccupancy();
        occupancy.put(a);
        occupancy.put(b);
        List.of(running).forEach(occupancy::put);
        return new NodeVerdict(pod, occupancy)
                .obstacle(node)
                .map(Obstacle::text)
                .orElse("");
    }

    @Test
    void aClaimForOnePodKeepsTheNextOneWaiting() {
        volume("v", "made", "a", "1Gi", "local: {path: /d}");
        claim("one", "made", "ReadWriteOncePod", "v", "");
        claim("many", "made", "ReadWriteOnce", "v", "");
        PodFacts first = pod("first", "a", "one");
        assertThat(obstacle(pod("next", "", "one"), a)).isEmpty();
        assertThat(obstacle(pod("next", "", "one"), a, first))
                .isEqualTo("cannot use its claim, which is for one pod only and in use");
        assertThat(obstacle(pod("next", "", "many"), a, pod("first", "a", "many")))
                .isEmpty();
        assertThat(obstacle(pod("next", "", "one"), b)).isEqualTo("cannot use its volumes");
    }

    @Test
    void theSmallestVolumeIsGivenAndTwoClaimsGetTwo() {
        volume("large", "local", "a", "9Gi", "local: {path: /d}");
        volume("small", "local", "a", "1Gi", "local: {path: /d}");
        claim("c", "local", "ReadWriteOnce", "", "");
        claim("d", "local", "ReadWriteOnce", "", "");
        claim("e", "local", "ReadWriteOnce", "", "");
        assertThat(volumes.steps(pod("two", "", "c", "d"), a).orElseThrow())
                .extracting(Volumes.Step::volume)
                .containsExactlyInAnyOrder("small", "large");
        // Both are taken until the claims are bound.
        assertThat(obstacle(pod("three", "", "e"), a)).isEqualTo("cannot use its volumes");
        assertThat(volumes.steps(pod("two", "", "c"), b)).isEqualTo(Optional.empty());
    }

    @Test
    void aNodeThatIsChosenAlreadyIsTheOnlyOneAndOneThatFailedIsAvoidedForAWhile() {
        claim("c", "made", "ReadWriteOnce", "", "b");
        assertThat(obstacle(pod("p", "", "c"), a)).isEqualTo("cannot use its volumes");
        assertThat(obstacle(pod("p", "", "c"), b)).isEmpty();
        claim("c", "made", "ReadWriteOnce", "", "");
        volumes.avoid(pod("p", "", "c"), "b", 5);
        assertThat(obstacle(pod("p", "", "c"), b)).isEqualTo("cannot use its volumes");
        assertThat(obstacle(pod("p", "", "c"), a)).isEmpty();
        volumes.tryAgain(5);
        assertThat(obstacle(pod("p", "", "c"), b)).isEqualTo("cannot use its volumes");
        volumes.tryAgain(6);
        assertThat(obstacle(pod("p", "", "c"), b)).isEmpty();
    }

    @Test
    void whatCannotBeHadYetIsNamed() {
        assertThat(pod("p", "", "none").unknown()).containsExactly("its claim none does not exist");
        claim("c", "other", "ReadWriteOnce", "", "");
        assertThat(pod("p", "", "c").unknown())
                .containsExactly("its claim c has the class other, which does not exist");
        volume("disk", "made", "a", "1Gi", "awsElasticBlockStore: {volumeID: x}");
        claim("c", "made", "ReadWriteOnce", "disk", "");
        assertThat(pod("p", "", "c").unknown())
                .containsExactly("its claim c is bound to the volume disk, which is not attached by a CSI driver,"
                        + " and how many of its kind a node can attach is not known");
        assertThat(pod("p", "a", "c").unknown()).isEmpty();
        assertThat(new Volumes()
                        .of(Yaml.facts(
                                "p", "", "cpu: 1", "volumes: [{name: v, persistentVolumeClaim: {claimName: c}}]"))
                        .unknown())
                .containsExactly(
                        "its claim c is not looked at yet, because the claims, classes, limits, volumes are not"
                                + " listed");
    }
}
