package dev.stowage.kube.translate;

import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A volume ({@code PersistentVolume}) as far as scheduling is concerned.
 *
 * @param name name
 * @param version of the object
 * @param labels labels
 * @param storageClass name of its class, empty for none
 * @param bytes its size
 * @param modes access modes
 * @param block whether it is a block device rather than a file system
 * @param available whether it may be bound to a claim
 * @param claim namespace, name and unique id of the claim that it is for, separated by slashes; empty for none
 * @param driver the CSI driver that attaches it, empty if there is none
 * @param nodes which nodes can have it
 * @param problem why pods with it are not placed, empty if they are
 */
record VolumeFacts(
        String name,
        String version,
        SortedMap<String, String> labels,
        String storageClass,
        long bytes,
        List<String> modes,
        boolean block,
        boolean available,
        String claim,
        String driver,
        List<NodeRule> nodes,
        String problem) {
    /**
     * Labels of volumes that name the zones they are in, and of nodes. Source: Kubernetes 1.20.2, {@code
     * pkg/scheduler/framework/plugins/volumezone/volume_zone.go}.
     */
    private static final List<String> ZONES = List.of(
            "failure-domain.beta.kubernetes.io/zone",
            "failure-domain.beta.kubernetes.io/region",
            "topology.kubernetes.io/zone",
            "topology.kubernetes.io/region");

    private static final String STORAGE = "storage";

    static VolumeFacts of(PersistentVolume volume) {
        PersistentVolumeSpec spec = volume.getSpec();
        SortedMap<String, String> labels =
                new TreeMap<>(Objects.requireNonNullElse(volume.getMetadata().getLabels(), Map.of()));
        List<NodeRule> nodes = new ArrayList<>();
        String problem = inTree(spec);
        try {
            if (spec.getNodeAffinity() != null && spec.getNodeAffinity().getRequired() != null) {
                nodes.add(PodReader.nodeRule(Map.of(), spec.getNodeAffinity().getRequired()));
            }
        } catch (IllegalArgumentException e) {
            problem = "has a node affinity that is not known: " + e.getMessage();
        }
        NodeRule zones = zones(labels);
        if (!zones.equals(NodeRule.NONE)) {
            nodes.add(zones);
        }
        ObjectReference claim = spec.getClaimRef();
        String phase = volume.getStatus() == null
                ? ""
                : String.valueOf(volume.getStatus().getPhase());
        return new VolumeFacts(
                volume.getMetadata().getName(),
                Objects.requireNonNullElse(volume.getMetadata().getResourceVersion(), ""),
                labels,
                Objects.requireNonNullElse(spec.getStorageClassName(), ""),
                bytes(spec.getCapacity()),
                List.copyOf(spec.getAccessModes()),
                "Block".equals(spec.getVolumeMode()),
                "Available".equals(phase) && volume.getMetadata().getDeletionTimestamp() == null,
                claim == null
                        ? ""
                        : claim.getNamespace() + "/" + claim.getName() + "/"
                                + Objects.requireNonNullElse(claim.getUid(), ""),
                spec.getCsi() == null ? "" : spec.getCsi().getDriver(),
                List.copyOf(nodes),
                problem);
    }

    /** Bytes of storage; 0 if none are named. */
    static long bytes(@Nullable Map<String, Quantity> amounts) {
        Quantity storage = amounts == null ? null : amounts.get(STORAGE);
        return storage == null ? 0 : Quantities.amount(STORAGE, storage);
    }

    /** Disks of clouds that Kubernetes once attached by itself, with limits of its own. */
    private static String inTree(PersistentVolumeSpec spec) {
        return spec.getAwsElasticBlockStore() != null
                        || spec.getGcePersistentDisk() != null
                        || spec.getAzureDisk() != null
                        || spec.getCinder() != null
                        || spec.getVsphereVolume() != null
                ? "is not attached by a CSI driver, and how many of its kind a node can attach is not known"
                : "";
    }

    /** In one of the zones that its labels name, or on a node that is in no zone. */
    private static NodeRule zones(Map<String, String> labels) {
        List<LabelRule> in = ZONES.stream()
                .filter(labels::containsKey)
                .map(key -> new LabelRule(
                        key,
                        LabelRule.Operator.IN,
                        Arrays.stream(Objects.requireNonNull(labels.get(key)).split("__"))
                                .map(String::strip)
                                .toList()))
                .toList();
        if (in.isEmpty()) {
            return NodeRule.NONE;
        }
        List<LabelRule> nowhere = ZONES.stream()
                .map(key -> new LabelRule(key, LabelRule.Operator.DOES_NOT_EXIST, List.of()))
                .toList();
        return new NodeRule(
                new TreeMap<>(),
                true,
                List.of(new NodeRule.Term(in, List.of()), new NodeRule.Term(nowhere, List.of())));
    }

    /** Whether it could be the volume of a claim that is not bound, nodes aside. */
    boolean suits(ClaimFacts wanted) {
        return storageClass.equals(wanted.storageClass())
                && bytes >= wanted.bytes()
                && block == wanted.block()
                && (isFor(wanted)
                        || (available
                                && claim.isEmpty()
                                && wanted.selector().selects(labels)
                                && Set.copyOf(modes).containsAll(wanted.modes())));
    }

    /** Whether it is reserved for a claim. */
    boolean isFor(ClaimFacts wanted) {
        return claim.equals(wanted.path() + "/" + wanted.uid()) || claim.equals(wanted.path() + "/");
    }

    boolean admits(NodeFacts node) {
        return nodes.stream().allMatch(rule -> rule.admits(node));
    }

    /** Which nodes can have it, as one rule. */
    NodeRule rule() {
        NodeRule all = NodeRule.NONE;
        for (NodeRule each : nodes) {
            all = all.and(each);
        }
        return all;
    }
}
