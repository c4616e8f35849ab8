package dev.stowage.kube.translate;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimSpec;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A volume claim as far as scheduling is concerned.
 *
 * @param namespace namespace
 * @param name name
 * @param uid unique id
 * @param version of the object
 * @param volume the volume that it names, empty for none
 * @param bound whether it is bound to that volume
 * @param terminating whether it is being deleted
 * @param storageClass name of its class, empty for none
 * @param bytes the least size
 * @param modes access modes
 * @param block whether a block device is wanted rather than a file system
 * @param selector labels of the volume
 * @param node the node that was chosen for its first pod, empty for none
 */
public record ClaimFacts(
        String namespace,
        String name,
        String uid,
        String version,
        String volume,
        boolean bound,
        boolean terminating,
        String storageClass,
        long bytes,
        List<String> modes,
        boolean block,
        PodSelector selector,
        String node) {
    /** The annotation that names the node for which a provisioner is to make the volume. */
    public static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";

    private static final String BIND_COMPLETED = "pv.kubernetes.io/bind-completed";
    private static final String OLD_CLASS = "volume.beta.kubernetes.io/storage-class";
    static final String ONE_POD = "ReadWriteOncePod";

    static ClaimFacts of(PersistentVolumeClaim claim) {
        PersistentVolumeClaimSpec spec = claim.getSpec();
        Map<String, String> annotations =
                Objects.requireNonNullElse(claim.getMetadata().getAnnotations(), Map.of());
        String volume = Objects.requireNonNullElse(spec.getVolumeName(), "");
        PodSelector selector = PodSelector.of(spec.getSelector());
        return new ClaimFacts(
                claim.getMetadata().getNamespace(),
                claim.getMetadata().getName(),
                claim.getMetadata().getUid(),
                Objects.requireNonNullElse(claim.getMetadata().getResourceVersion(), ""),
                volume,
                !volume.isEmpty() && annotations.containsKey(BIND_COMPLETED),
                claim.getMetadata().getDeletionTimestamp() != null,
                annotations.getOrDefault(OLD_CLASS, Objects.requireNonNullElse(spec.getStorageClassName(), "")),
                VolumeFacts.bytes(
                        spec.getResources() == null ? null : spec.getResources().getRequests()),
                List.copyOf(spec.getAccessModes()),
                "Block".equals(spec.getVolumeMode()),
                spec.getSelector() == null ? new PodSelector(false, List.of()) : selector,
                annotations.getOrDefault(SELECTED_NODE, ""));
    }

    /** Namespace and name. */
    public String path() {
        return namespace + "/" + name;
    }
}
