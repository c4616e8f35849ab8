package dev.stowage.kube.translate;

import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.storage.CSINode;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Volumes and claims of a cluster, and what they make of a pod: rules for its node, and one more resource for each CSI
 * driver that limits how many volumes a node can have. May be used by several threads.
 *
 * <p>Source: Kubernetes 1.20.2, {@code pkg/controller/volume/scheduling/scheduler_binder.go} ({@code FindPodVolumes}),
 * {@code pkg/controller/volume/persistentvolume/util} ({@code FindMatchingVolume}), and the plugins {@code
 * volumebinding}, {@code volumezone} and {@code nodevolumelimits} of kube-scheduler.
 */
public final class Volumes {
    /** Before the name of a CSI driver in the resource that counts its volumes. */
    private static final String ATTACHED = "attachable-volumes-csi-";
    /** Of a driver that names no limit for a node. */
    private static final long UNLIMITED = Long.MAX_VALUE / 4;

    /**
     * What must be done for a claim before a pod is bound.
     *
     * @param claim the claim
     * @param volume the volume to be bound to it; empty if one is to be made
     * @param version of that volume
     */
    public record Step(ClaimFacts claim, String volume, String version) {}

    private final Map<String, ClaimFacts> claims = new LinkedHashMap<>();
    private final Map<String, VolumeFacts> volumes = new TreeMap<>();
    private final Map<String, ClassFacts> classes = new LinkedHashMap<>();
    /** For each node the limits of its drivers. */
    private final Map<String, Map<String, Long>> limits = new LinkedHashMap<>();
    /** How many nodes limit each driver. */
    private final TreeMap<String, Integer> limited = new TreeMap<>();
    /** Volumes that a claim is being bound to, and the claim's path. */
    private final Map<String, String> taken = new LinkedHashMap<>();
    /** Nodes on which a pod's volumes could not be had, and since when, by the unique id of the pod. */
    private final Map<String, Map<String, Long>> avoided = new LinkedHashMap<>();

    private final Set<String> unlisted = new HashSet<>(Set.of("claims", "volumes", "classes", "limits"));
    private boolean changed;

    /** All objects of a kind have been told. */
    public synchronized void listed(String kind) {
        changed |= unlisted.remove(kind);
    }

    /** Whether anything has changed since this was last asked. */
    public synchronized boolean takeChanged() {
        boolean was = changed;
        changed = false;
        return was;
    }

    /** A claim is new or has changed. */
    public synchronized void claim(PersistentVolumeClaim claim) {
        ClaimFacts now = ClaimFacts.of(claim);
        changed |= !now.equals(claims.put(now.path(), now));
        if (now.bound()) {
            taken.values().removeIf(now.path()::equals);
        }
    }

    /** A claim is gone. */
    public synchronized void claimGone(String path) {
        changed |= claims.remove(path) != null;
        taken.values().removeIf(path::equals);
    }

    /** A volume is new or has changed. */
    public synchronized void volume(PersistentVolume volume) {
        VolumeFacts now = VolumeFacts.of(volume);
        changed |= !now.equals(volumes.put(now.name(), now));
    }

    /** A volume is gone. */
    public synchronized void volumeGone(String name) {
        changed |= volumes.remove(name) != null;
    }

    /** A class of volumes is new or has changed. */
    public synchronized void storageClass(StorageClass read) {
        ClassFacts now = ClassFacts.of(read);
        changed |= !now.equals(classes.put(read.getMetadata().getName(), now));
    }

    /** A class of volumes is gone. */
    public synchronized void storageClassGone(String name) {
        changed |= classes.remove(name) != null;
    }

    /** The drivers of a node are new or have changed. */
    public synchronized void drivers(CSINode node) {
        Map<String, Long> now = new TreeMap<>();
        node.getSpec().getDrivers().forEach(driver -> {
            if (driver.getAllocatable() != null && driver.getAllocatable().getCount() != null) {
                now.put(driver.getName(), driver.getAllocatable().getCount().longValue());
            }
        });
        put(node.getMetadata().getName(), now);
    }

    /** A node has no drivers any more. */
    public synchronized void driversGone(String node) {
        put(node, Map.of());
    }

    private void put(String node, Map<String, Long> now) {
        Map<String, Long> before = now.isEmpty() ? limits.remove(node) : limits.put(node, now);
        if (before != null) {
            before.keySet()
                    .forEach(driver -> limited.computeIfPresent(driver, (d, count) -> count == 1 ? null : count - 1));
        }
        now.keySet().forEach(driver -> limited.merge(driver, 1, Integer::sum));
        changed |= !now.equals(Objects.requireNonNullElse(before, Map.of()));
    }

    /** A node with the number of volumes that each driver can attach to it. */
    public synchronized NodeFacts of(NodeFacts node) {
        if (limited.isEmpty()) {
            return node;
        }
        Map<String, Long> its = limits.getOrDefault(node.name(), Map.of());
        SortedMap<String, Long> more = new TreeMap<>();
        limited.keySet().forEach(driver -> more.put(ATTACHED + driver, its.getOrDefault(driver, UNLIMITED)));
        return node.with(more);
    }

    /** A pod with what its claims ask for at present. */
    public synchronized PodFacts of(PodFacts pod) {
        PodVolumes asked = pod.volumes();
        if (asked.claims().isEmpty()) {
            return pod;
        }
        List<String> unknown = new ArrayList<>(pod.unknown());
        unknown.removeIf(one -> one.startsWith(PodVolumes.UNREAD));
        List<NodeRule> nodes = new ArrayList<>();
        List<String> exclusive = new ArrayList<>();
        SortedMap<String, Long> requests = new TreeMap<>(pod.requests());
        for (String name : asked.claims()) {
            ClaimFacts claim = claims.get(pod.namespace() + "/" + name);
            String problem = problem(claim);
            if (!problem.isEmpty() && !pod.isBound()) {
                unknown.add(PodVolumes.CLAIM + name + " " + problem);
            }
            if (claim == null) {
                continue;
            }
            nodes.add(nodes(claim));
            if (claim.modes().contains(ClaimFacts.ONE_POD)) {
                exclusive.add(name);
            }
            String driver = driver(claim);
            if (limited.containsKey(driver)) {
                requests.merge(ATTACHED + driver, 1L, Long::sum);
            }
        }
        Map<String, Long> badNodes = avoided.getOrDefault(pod.uid(), Map.of());
        if (!badNodes.isEmpty()) {
            nodes.add(named(LabelRule.Operator.NOT_IN, List.copyOf(badNodes.keySet())));
        }
        nodes.removeIf(NodeRule.NONE::equals);
        return pod.with(new PodVolumes(asked.claims(), nodes, exclusive), requests, unknown);
    }

    private static NodeRule named(LabelRule.Operator operator, List<String> names) {
        return new NodeRule(
                new TreeMap<>(),
                true,
                List.of(new NodeRule.Term(List.of(), List.of(new LabelRule("metadata.name", operator, names)))));
    }

    /** Why a pod with a claim cannot be placed at present, in words that follow the claim's name. */
    private String problem(@Nullable ClaimFacts claim) {
        if (!unlisted.isEmpty()) {
            return "is not looked at yet, because the " + String.join(", ", new TreeSet<>(unlisted))
                    + " are not listed";
        }
        if (claim == null) {
            return "does not exist";
        }
        if (claim.terminating()) {
            return "is being deleted";
        }
        if (claim.bound()) {
            VolumeFacts volume = volumes.get(claim.volume());
            return volume == null
                    ? "is bound to the volume " + claim.volume() + ", which does not exist"
                    : volume.problem().isEmpty()
                            ? ""
                            : "is bound to the volume " + volume.name() + ", which " + volume.problem();
        }
        if (!claim.volume().isEmpty()) {
            return "waits to be bound to the volume " + claim.volume() + " that it names";
        }
        ClassFacts its = classes.get(claim.storageClass());
        if (claim.storageClass().isEmpty()) {
            return "is not bound to a volume yet, and has no class";
        }
        return its == null
                ? "has the class " + claim.storageClass() + ", which does not exist"
                : its.waits()
                        ? ""
                        : "is not bound to a volume yet (its class " + claim.storageClass() + " binds immediately)";
    }

    private NodeRule nodes(ClaimFacts claim) {
        if (claim.bound()) {
            VolumeFacts volume = volumes.get(claim.volume());
            return volume == null ? NodeRule.NONE : volume.rule();
        }
        if (!claim.node().isEmpty()) {
            return named(LabelRule.Operator.IN, List.of(claim.node()));
        }
        ClassFacts its = classes.get(claim.storageClass());
        if (its == null || !its.waits()) {
            return NodeRule.NONE;
        }
        List<NodeRule> any = new ArrayList<>();
        suiting(claim, Set.of()).forEach(volume -> any.add(volume.rule()));
        if (!its.provisioner().isEmpty() && !isReserved(claim)) {
            any.add(its.nodes());
        }
        return NodeRule.anyOf(any);
    }

    /** Whether a volume is reserved for a claim: then no other will do. */
    private boolean isReserved(ClaimFacts claim) {
        return volumes.values().stream().anyMatch(volume -> volume.isFor(claim) && volume.suits(claim));
    }

    /** The volumes that may be bound to a claim, the smallest first; one that is reserved for it is the only one. */
    private List<VolumeFacts> suiting(ClaimFacts claim, Set<String> without) {
        List<VolumeFacts> suiting = volumes.values().stream()
                .filter(volume -> volume.suits(claim)
                        && !without.contains(volume.name())
                        && taken.getOrDefault(volume.name(), claim.path()).equals(claim.path()))
                .sorted(Comparator.comparingLong(VolumeFacts::bytes))
                .toList();
        List<VolumeFacts> reserved =
                suiting.stream().filter(volume -> volume.isFor(claim)).toList();
        return reserved.isEmpty() ? suiting : reserved;
    }

    private String driver(ClaimFacts claim) {
        if (claim.bound()) {
            VolumeFacts volume = volumes.get(claim.volume());
            return volume == null ? "" : volume.driver();
        }
        ClassFacts its = classes.get(claim.storageClass());
        return its == null ? "" : its.provisioner();
    }

    // ---- before a pod is bound

    /**
     * What is left to be done before a pod's volumes can be had on the node that was chosen for it; nothing if they are
     * bound. The volumes are taken for its claims. Returns an empty optional if they cannot be had there.
     */
    public synchronized Optional<List<Step>> steps(PodFacts pod, NodeFacts node) {
        List<ClaimFacts> open = new ArrayList<>();
        for (String name : pod.volumes().claims()) {
            ClaimFacts claim = claims.get(pod.namespace() + "/" + name);
            if (claim == null || !problem(claim).isEmpty() || !nodes(claim).admits(node)) {
                return Optional.empty();
            }
            if (!claim.bound()) {
                open.add(claim);
            }
        }
        open.sort(Comparator.comparingLong(ClaimFacts::bytes));
        List<Step> steps = new ArrayList<>();
        Set<String> chosen = new HashSet<>();
        for (ClaimFacts claim : open) {
            Optional<VolumeFacts> volume = suiting(claim, chosen).stream()
                    .filter(one -> claim.node().isEmpty() && one.admits(node))
                    .findFirst();
            ClassFacts its = Objects.requireNonNull(classes.get(claim.storageClass()));
            if (volume.isEmpty() && its.provisioner().isEmpty()) {
                return Optional.empty();
            }
            volume.ifPresent(one -> chosen.add(one.name()));
            steps.add(new Step(
                    claim,
                    volume.map(VolumeFacts::name).orElse(""),
                    volume.map(VolumeFacts::version).orElse("")));
        }
        steps.stream()
                .filter(step -> !step.volume().isEmpty())
                .forEach(step -> taken.put(step.volume(), step.claim().path()));
        return Optional.of(steps);
    }

    /** The claims of a pod that are known and not bound. */
    public synchronized List<ClaimFacts> open(PodFacts pod) {
        return pod.volumes().claims().stream()
                .map(name -> claims.get(pod.namespace() + "/" + name))
                .filter(claim -> claim != null && !claim.bound())
                .map(Objects::requireNonNull)
                .toList();
    }

    /**
     * The pod's volumes could not be had on a node: it is to go elsewhere, and volumes taken for it are free again.
     *
     * @param nanos of a clock that never goes back
     */
    public synchronized void avoid(PodFacts pod, String node, long nanos) {
        avoided.computeIfAbsent(pod.uid(), first -> new TreeMap<>()).put(node, nanos);
        pod.volumes().claims().forEach(name -> taken.values().removeIf((pod.namespace() + "/" + name)::equals));
        changed = true;
    }

    /** A pod is bound or gone. */
    public synchronized void forget(String uid) {
        avoided.remove(uid);
    }

    /** Nodes that have been avoided since before then may be tried again. */
    public synchronized void tryAgain(long before) {
        for (Map<String, Long> nodes : avoided.values()) {
            changed |= nodes.values().removeIf(since -> since - before < 0);
        }
        avoided.values().removeIf(Map::isEmpty);
    }
}
