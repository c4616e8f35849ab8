package dev.stowage.kube.translate;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A pod as far as scheduling is concerned.
 *
 * @param uid unique id
 * @param created when it was made, as the API writes times
 * @param namespace namespace
 * @param name name
 * @param scheduler the scheduler that should place it
 * @param node where it runs or is bound to, empty for nowhere
 * @param terminating whether it is being deleted
 * @param requests whole amounts by resource ({@link Quantities}), those of 0 left out; {@code pods} is 1
 * @param labels labels
 * @param nodes which nodes it asks for
 * @param tolerations taints that it tolerates
 * @param apart which pods it must stay away from
 * @param near near which pods it must be: all terms select the same pod
 * @param spread how it is to be spread
 * @param preferences what it would rather have
 * @param hostPorts ports of the node that it takes
 * @param volumes its volume claims
 * @param gpus what it asks of GPUs that are shared, and has
 * @param priority its priority, the higher the more important
 * @param preemption how preemption applies to it
 * @param group the group that it is bound together with
 * @param expectedNanos how long it expects to run, nanoseconds; 0 if it does not say
 * @param unknown rules that are not supported, so that it must wait; for people
 * @param ignored further preferences, which are ignored; for people
 */
public record PodFacts(
        String uid,
        String created,
        String namespace,
        String name,
        String scheduler,
        String node,
        boolean terminating,
        SortedMap<String, Long> requests,
        SortedMap<String, String> labels,
        NodeRule nodes,
        List<TolerationRule> tolerations,
        List<PodTerm> apart,
        List<PodTerm> near,
        List<EvenSpread> spread,
        Preferences preferences,
        List<HostPort> hostPorts,
        PodVolumes volumes,
        PodGpus gpus,
        int priority,
        PodPreemption preemption,
        PodGroup group,
        long expectedNanos,
        List<String> unknown,
        List<String> ignored) {
    /** Before what may take more of a node than is known, in {@link #unknown}. */
    static final String UNCOUNTED = "fields of a later Kubernetes: ";

    /** In {@link #unknown}. */
    static final String GATED = "scheduling gates";

    /** Takes copies. */
    public PodFacts {
        requests = new TreeMap<>(requests);
        labels = new TreeMap<>(labels);
        tolerations = List.copyOf(tolerations);
        apart = List.copyOf(apart);
        near = List.copyOf(near);
        spread = List.copyOf(spread);
        hostPorts = List.copyOf(hostPorts);
        unknown = List.copyOf(unknown);
        ignored = List.copyOf(ignored);
    }

    /** Namespace and name. */
    public String path() {
        return namespace + "/" + name;
    }

    /** The same pod, whose preferences are ignored. */
    public PodFacts withoutPreferences() {
        return preferences.equals(Preferences.NONE)
                ? this
                : with(
                        uid,
                        node,
                        group,
                        volumes,
                        gpus,
                        requests,
                        unknown,
                        Preferences.NONE,
                        Stream.concat(preferences.names().stream(), ignored.stream())
                                .toList());
    }

    /** Whether it runs or is bound. */
    public boolean isBound() {
        return !node.isEmpty();
    }

    /**
     * Why nothing more may come to its node while it runs there, in words that follow "the node": what it may take more
     * than is known; empty if that is known.
     */
    public String closesItsNode() {
        String fields = unknown.stream()
                .filter(one -> one.startsWith(UNCOUNTED))
                .map(one -> one.substring(UNCOUNTED.length()))
                .collect(Collectors.joining(", "));
        String why = fields.isEmpty() && isBound() ? gpus.unknown(node) : fields;
        return why.isEmpty()
                ? ""
                : "accepts no more pods, because what pod " + path() + " uses there is unknown (" + why + ")";
    }

    /** Which nodes it asks for, and can have its volumes. */
    public NodeRule nodesWithVolumes() {
        NodeRule all = nodes;
        for (NodeRule rule : volumes.nodes()) {
            all = all.and(rule);
        }
        return all;
    }

    /** Whether its scheduling gates hold it back: until they are removed it runs nowhere. */
    public boolean isGated() {
        return unknown.contains(GATED);
    }

    /** Whether all terms of its affinity select a pod. */
    public boolean isNear(PodFacts other) {
        return near.stream().allMatch(term -> term.selects(other.namespace(), other.labels()));
    }

    /** Why a plan does not move it; for people. */
    public List<String> notPlanned() {
        List<String> all = new ArrayList<>(notChecked());
        if (!near.isEmpty()) {
            all.add("required pod affinity");
        }
        return List.copyOf(all);
    }

    /** What a plan cannot check of its place; for people. */
    public List<String> notChecked() {
        List<String> all = new ArrayList<>(unknown);
        if (!spread.stream().allMatch(EvenSpread::isPlain)) {
            all.add("topology spread with minDomains, nodeAffinityPolicy or nodeTaintsPolicy");
        }
        return List.copyOf(all);
    }

    /** Whether it has rules of its own that depend on other pods. */
    public boolean dependsOnOthers() {
        return !apart.isEmpty()
                || !near.isEmpty()
                || !spread.isEmpty()
                || !hostPorts.isEmpty()
                || !volumes.exclusive().isEmpty();
    }

    /** The same pod, bound to a node. */
    public PodFacts boundTo(String newNode) {
        return with(uid, newNode, group);
    }

    /** The same pod, bound to a node where it has GPUs. */
    public PodFacts boundTo(String newNode, PodGpus newGpus) {
        return with(uid, newNode, group, volumes, newGpus, requests, unknown, preferences, ignored);
    }

    /** The same facts without the pod's identity. */
    public PodFacts anonymous() {
        return with("", "", group, volumes, gpus.asked(), requests, unknown, preferences, ignored);
    }

    /** The same pod, about to be bound together with others. */
    public PodFacts placedWith(List<String> uids) {
        return with(uid, node, group.placedWith(uids));
    }

    /** The same pod, with what its claims ask for. */
    PodFacts with(PodVolumes newVolumes, SortedMap<String, Long> newRequests, List<String> newUnknown) {
        return with(uid, node, group, newVolumes, gpus, newRequests, newUnknown, preferences, ignored);
    }

    private PodFacts with(String newUid, String newNode, PodGroup newGroup) {
        return with(newUid, newNode, newGroup, volumes, gpus, requests, unknown, preferences, ignored);
    }

    private PodFacts with(
            String newUid,
            String newNode,
            PodGroup newGroup,
            PodVolumes newVolumes,
            PodGpus newGpus,
            SortedMap<String, Long> newRequests,
            List<String> newUnknown,
            Preferences newPreferences,
            List<String> newIgnored) {
        return new PodFacts(
                newUid,
                created,
                namespace,
                name,
                scheduler,
                newNode,
                terminating,
                newRequests,
                labels,
                nodes,
                tolerations,
                apart,
                near,
                spread,
                newPreferences,
                hostPorts,
                newVolumes,
                newGpus,
                priority,
                preemption,
                newGroup,
                expectedNanos,
                newUnknown,
                newIgnored);
    }

    /** Whether another reading of the pod asks for the same. */
    public boolean asksTheSameAs(PodFacts other) {
        return requests.equals(other.requests)
                && labels.equals(other.labels)
                && nodes.equals(other.nodes)
                && tolerations.equals(other.tolerations)
                && apart.equals(other.apart)
                && near.equals(other.near)
                && spread.equals(other.spread)
                && preferences.equals(other.preferences)
                && hostPorts.equals(other.hostPorts)
                && volumes.equals(other.volumes)
                && gpus.asked().equals(other.gpus.asked())
                && priority == other.priority
                && group.name().equals(other.group.name())
                && group.least() == other.group.least()
                && group.problem().equals(other.group.problem())
                && expectedNanos == other.expectedNanos
                && unknown.equals(other.unknown);
    }
}
