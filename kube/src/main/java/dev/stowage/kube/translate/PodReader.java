package dev.stowage.kube.translate;

import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.NodeSelector;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodAffinityTerm;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.PreferredSchedulingTerm;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.TopologySpreadConstraint;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.WeightedPodAffinityTerm;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads pods. What the pod asks for and is not supported is listed in {@link PodFacts#unknown}: the pod must wait,
 * because it could be placed wrongly. Such preferences, which do not forbid a node, are listed in {@link
 * PodFacts#ignored}.
 */
public final class PodReader {
    private static final Set<String> FINISHED = Set.of("Succeeded", "Failed");
    /** How pods of Kubernetes 1.35 name their group, an alpha feature of that version alone. */
    private static final String WORKLOAD = "workloadRef";

    /** Annotation: how long the pod expects to run, whole seconds. */
    static final String EXPECTED = "stowage.dev/expected-seconds";

    private static final long SECOND = 1_000_000_000L;
    private static final int LONGEST_VALUE = 63;
    private static final Pattern LABEL_VALUE = Pattern.compile("(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?");

    /** In names of reported fields: that they may be about what a pod holds. */
    private static final Pattern OF_AMOUNTS = Pattern.compile("(?i)resource|alloc|claim|capacity|device");

    private final Pod pod;
    private final PodSpec spec;
    private final String namespace;
    private final List<String> unknown = new ArrayList<>();
    private final List<String> ignored = new ArrayList<>();

    private PodReader(Pod pod) {
        this.pod = pod;
        spec = pod.getSpec();
        namespace = Objects.requireNonNullElse(pod.getMetadata().getNamespace(), "default");
    }

    /**
     * The facts of a pod.
     *
     * @throws IllegalArgumentException if it asks for an invalid quantity
     */
    public static PodFacts read(Pod pod) {
        return new PodReader(pod).read();
    }

    /** Whether a pod has finished: it no longer takes anything of its node. */
    public static boolean hasFinished(Pod pod) {
        return pod.getStatus() != null
                && FINISHED.contains(String.valueOf(pod.getStatus().getPhase()));
    }

    private PodFacts read() {
        lookForUnknown();
        lookForVolumes();
        Affinity affinity = spec.getAffinity();
        NodeRule nodes = nodeRule(
                affinity == null || affinity.getNodeAffinity() == null
                        ? null
                        : affinity.getNodeAffinity().getRequiredDuringSchedulingIgnoredDuringExecution());
        List<PodTerm> apart = affinity == null || affinity.getPodAntiAffinity() == null
                ? List.of()
                : terms(affinity.getPodAntiAffinity().getRequiredDuringSchedulingIgnoredDuringExecution());
        List<PodTerm> near = affinity == null || affinity.getPodAffinity() == null
                ? List.of()
                : terms(affinity.getPodAffinity().getRequiredDuringSchedulingIgnoredDuringExecution());
        Preferences preferences = preferences(affinity);
        PodGpus gpus = PodGpus.of(pod);
        if (!gpus.isNone()) {
            ignored.addAll(PodGpus.ignored(pod));
        }
        Map<String, String> labels = pod.getMetadata().getLabels();
        long expected = expectedNanos();
        return new PodFacts(
                Objects.requireNonNullElse(pod.getMetadata().getUid(), ""),
                Objects.requireNonNullElse(pod.getMetadata().getCreationTimestamp(), ""),
                namespace,
                pod.getMetadata().getName(),
                Objects.requireNonNullElse(spec.getSchedulerName(), "default-scheduler"),
                Objects.requireNonNullElse(spec.getNodeName(), ""),
                pod.getMetadata().getDeletionTimestamp() != null,
                PodRequests.of(pod),
                new TreeMap<>(labels == null ? Map.of() : labels),
                nodes,
                spec.getTolerations().stream().map(TolerationRule::of).toList(),
                apart,
                near,
                spread(true),
                preferences,
                hostPorts(),
                new PodVolumes(claims(), List.of(), List.of()),
                gpus,
                Objects.requireNonNullElse(spec.getPriority(), 0),
                PodPreemption.of(pod),
                PodGroup.of(
                        spec.getSchedulingGroup() == null
                                ? ""
                                : Objects.requireNonNullElse(
                                        spec.getSchedulingGroup().getPodGroupName(), ""),
                        Objects.requireNonNullElse(labels, Map.of()),
                        Objects.requireNonNullElse(pod.getMetadata().getAnnotations(), Map.of())),
                expected,
                unknown,
                ignored);
    }

    /** What the annotation says, else the time after which it is stopped. */
    private long expectedNanos() {
        String said = Objects.requireNonNullElse(pod.getMetadata().getAnnotations(), Map.<String, String>of())
                .get(EXPECTED);
        if (said != null && said.matches("0*[1-9][0-9]{0,9}")) {
            return Long.parseLong(said) * SECOND;
        }
        if (said != null) {
            ignored.add("annotation " + EXPECTED + ": \"" + said
                    + "\" is not a whole number of seconds from 1 to 9999999999");
        }
        return Math.min(Objects.requireNonNullElse(spec.getActiveDeadlineSeconds(), 0L), Long.MAX_VALUE / SECOND)
                * SECOND;
    }

    private void lookForUnknown() {
        if (!spec.getSchedulingGates().isEmpty()) {
            unknown.add(PodFacts.GATED);
        }
        if (!spec.getResourceClaims().isEmpty()) {
            unknown.add("claims of devices (resourceClaims)");
        }
        if (spec.getAdditionalProperties().containsKey(WORKLOAD)) {
            unknown.add("spec." + WORKLOAD + " (groups of Kubernetes 1.35; later ones have spec.schedulingGroup)");
        }
        uncounted().forEach(what -> unknown.add(PodFacts.UNCOUNTED + what));
    }

    /**
     * What may take more of a node than is known: every field of a later Kubernetes in what the pod and its containers
     * ask for; of what is reported only those that by their name are about amounts, for the rest describes.
     */
    private List<String> uncounted() {
        List<String> fields = new ArrayList<>(spec.getAdditionalProperties().keySet());
        fields.remove(WORKLOAD);
        for (Container container : both(spec.getContainers(), spec.getInitContainers())) {
            named("containers.", container.getAdditionalProperties(), fields);
            ofResources("resources.", container.getResources(), fields);
        }
        ofResources("resources.", spec.getResources(), fields);
        if (spec.getResources() != null && spec.getResources().getRequests() != null) {
            spec.getResources().getRequests().keySet().stream()
                    .filter(resource -> !PodRequests.isOfWholePods(resource))
                    .map(resource -> "resources.requests." + resource)
                    .forEach(fields::add);
        }
        PodStatus status = pod.getStatus();
        if (status != null) {
            if (!status.getNodeAllocatableResourceClaimStatuses().isEmpty()) {
                fields.add("status.nodeAllocatableResourceClaimStatuses");
            }
            named("status.", amounts(status.getAdditionalProperties()), fields);
            ofResources("status.resources.", status.getResources(), fields);
            for (ContainerStatus one : both(status.getContainerStatuses(), status.getInitContainerStatuses())) {
                named("status.containerStatuses.", amounts(one.getAdditionalProperties()), fields);
                ofResources("status.containerStatuses.resources.", one.getResources(), fields);
            }
        }
        return fields.stream().distinct().toList();
    }

    private static <T> List<T> both(List<T> some, List<T> others) {
        return Stream.concat(some.stream(), others.stream()).toList();
    }

    private static void named(String before, Map<String, Object> unread, List<String> fields) {
        unread.keySet().forEach(field -> fields.add(before + field));
    }

    private static void ofResources(String before, @Nullable ResourceRequirements resources, List<String> fields) {
        if (resources != null) {
            named(before, resources.getAdditionalProperties(), fields);
        }
    }

    private static Map<String, Object> amounts(Map<String, Object> unread) {
        Map<String, Object> amounts = new TreeMap<>(unread);
        amounts.keySet().removeIf(field -> !OF_AMOUNTS.matcher(field).find());
        return amounts;
    }

    private void lookForVolumes() {
        for (Volume volume : spec.getVolumes()) {
            boolean anywhere = volume.getEmptyDir() != null
                    || volume.getConfigMap() != null
                    || volume.getSecret() != null
                    || volume.getProjected() != null
                    || volume.getDownwardAPI() != null
                    || volume.getHostPath() != null
                    || volume.getNfs() != null
                    || volume.getImage() != null;
            if (!anywhere) {
                unknown.add(
                        claim(volume).isPresent()
                                ? PodVolumes.UNREAD + "(volume " + volume.getName() + ")"
                                : "volume " + volume.getName() + ", which may be missing on some nodes");
            }
        }
    }

    private List<String> claims() {
        return spec.getVolumes().stream()
                .flatMap(volume -> claim(volume).stream())
                .distinct()
                .toList();
    }

    /** Name of the claim of a volume; a generic ephemeral volume has one that is made for it. */
    private Optional<String> claim(Volume volume) {
        return volume.getPersistentVolumeClaim() != null
                ? Optional.of(volume.getPersistentVolumeClaim().getClaimName())
                : Optional.ofNullable(volume.getEphemeral())
                        .map(made -> pod.getMetadata().getName() + "-" + volume.getName());
    }

    private Preferences preferences(@Nullable Affinity affinity) {
        List<Preferences.Weighted<PodTerm>> pods = new ArrayList<>();
        if (affinity != null && affinity.getPodAffinity() != null) {
            addPreferred(
                    "affinity",
                    1,
                    affinity.getPodAffinity().getPreferredDuringSchedulingIgnoredDuringExecution(),
                    pods);
        }
        if (affinity != null && affinity.getPodAntiAffinity() != null) {
            addPreferred(
                    "anti-affinity",
                    -1,
                    affinity.getPodAntiAffinity().getPreferredDuringSchedulingIgnoredDuringExecution(),
                    pods);
        }
        return new Preferences(preferredNodes(affinity), pods, spread(false));
    }

    private List<Preferences.Weighted<NodeRule.Term>> preferredNodes(@Nullable Affinity affinity) {
        List<Preferences.Weighted<NodeRule.Term>> nodes = new ArrayList<>();
        if (affinity != null && affinity.getNodeAffinity() != null) {
            for (PreferredSchedulingTerm one :
                    affinity.getNodeAffinity().getPreferredDuringSchedulingIgnoredDuringExecution()) {
                try {
                    nodeRule(Map.of(), new NodeSelector(List.of(one.getPreference())))
                            .terms()
                            .forEach(term -> nodes.add(new Preferences.Weighted<>(one.getWeight(), term)));
                } catch (IllegalArgumentException e) {
                    ignored.add("preferred node affinity: " + e.getMessage());
                }
            }
        }
        return nodes;
    }

    /** What is required and not known makes a pod wait, what is preferred is ignored and named. */
    private void addPreferred(
            String what, int sign, List<WeightedPodAffinityTerm> preferred, List<Preferences.Weighted<PodTerm>> pods) {
        for (WeightedPodAffinityTerm one : preferred) {
            PodAffinityTerm term = one.getPodAffinityTerm();
            if (term.getNamespaceSelector() != null) {
                ignored.add("preferred pod " + what + " with a namespaceSelector");
                continue;
            }
            pods.add(new Preferences.Weighted<>(
                    sign * one.getWeight(), new PodTerm(namespaces(term), selected(term), term.getTopologyKey())));
        }
    }

    private NodeRule nodeRule(@Nullable NodeSelector required) {
        Map<String, String> selector = Objects.requireNonNullElse(spec.getNodeSelector(), Map.of());
        try {
            return nodeRule(selector, required);
        } catch (IllegalArgumentException e) {
            unknown.add("node affinity: " + e.getMessage());
            return new NodeRule(new TreeMap<>(selector), true, List.of());
        }
    }

    /**
     * The rule of a selector and a required affinity, of a pod or a volume.
     *
     * @throws IllegalArgumentException if it has an operator or a field that is not known
     */
    static NodeRule nodeRule(Map<String, String> selector, @Nullable NodeSelector required) {
        List<NodeRule.Term> terms = new ArrayList<>();
        if (required != null) {
            required.getNodeSelectorTerms().forEach(term -> {
                NodeRule.Term read = new NodeRule.Term(rules(term.getMatchExpressions()), rules(term.getMatchFields()));
                if (read.fields().stream().anyMatch(rule -> !rule.key().equals("metadata.name"))) {
                    throw new IllegalArgumentException("a field of nodes other than metadata.name");
                }
                // kube-scheduler cannot parse a term with a value that no label can have, so the term matches no node.
                if ((!read.labels().isEmpty() || !read.fields().isEmpty())
                        && read.labels().stream()
                                .allMatch(rule -> rule.values().stream().allMatch(PodReader::isLabelValue))) {
                    terms.add(read);
                }
            });
        }
        return new NodeRule(new TreeMap<>(selector), required != null, terms);
    }

    private static boolean isLabelValue(String text) {
        return text.length() <= LONGEST_VALUE && LABEL_VALUE.matcher(text).matches();
    }

    private static List<LabelRule> rules(List<NodeSelectorRequirement> requirements) {
        return requirements.stream()
                .map(one -> new LabelRule(one.getKey(), LabelRule.Operator.of(one.getOperator()), one.getValues()))
                .toList();
    }

    private List<PodTerm> terms(List<PodAffinityTerm> required) {
        List<PodTerm> terms = new ArrayList<>();
        for (PodAffinityTerm term : required) {
            if (term.getNamespaceSelector() != null) {
                unknown.add("pod affinity or anti-affinity with a namespaceSelector");
            }
            terms.add(new PodTerm(namespaces(term), selected(term), term.getTopologyKey()));
        }
        return terms;
    }

    /**
     * Which labels a namespace has is not known here. A selector of namespaces counts for all of them: where such a pod
     * runs, others are kept away that it may not mean, and none that it means is let near it.
     */
    private List<String> namespaces(PodAffinityTerm term) {
        if (term.getNamespaceSelector() != null) {
            return PodTerm.EVERY_NAMESPACE;
        }
        return term.getNamespaces().isEmpty() ? List.of(namespace) : List.copyOf(term.getNamespaces());
    }

    /** With the rules that its keys stand for: the pod's own value of each that it has, or any other. */
    private PodSelector selected(PodAffinityTerm term) {
        PodSelector plain = selector(term.getLabelSelector());
        List<LabelRule> rules = new ArrayList<>(plain.rules());
        addOwn(rules, term.getMatchLabelKeys(), LabelRule.Operator.IN);
        addOwn(rules, term.getMismatchLabelKeys(), LabelRule.Operator.NOT_IN);
        return new PodSelector(plain.nothing(), List.copyOf(rules));
    }

    private void addOwn(List<LabelRule> rules, List<String> keys, LabelRule.Operator operator) {
        Map<String, String> labels = pod.getMetadata().getLabels();
        for (String key : keys) {
            String value = labels == null ? null : labels.get(key);
            if (value != null) {
                rules.add(new LabelRule(key, operator, List.of(value)));
            }
        }
    }

    private List<EvenSpread> spread(boolean required) {
        List<EvenSpread> spread = new ArrayList<>();
        for (TopologySpreadConstraint one : spec.getTopologySpreadConstraints()) {
            if (required != "DoNotSchedule".equals(one.getWhenUnsatisfiable())) {
                continue;
            }
            PodSelector plain = selector(one.getLabelSelector());
            List<LabelRule> rules = new ArrayList<>(plain.rules());
            addOwn(rules, one.getMatchLabelKeys(), LabelRule.Operator.IN);
            spread.add(new EvenSpread(
                    one.getMaxSkew(),
                    one.getTopologyKey(),
                    new PodSelector(plain.nothing(), List.copyOf(rules)),
                    Objects.requireNonNullElse(one.getMinDomains(), 1),
                    "Ignore".equals(one.getNodeAffinityPolicy()),
                    "Honor".equals(one.getNodeTaintsPolicy())));
        }
        return spread;
    }

    private PodSelector selector(io.fabric8.kubernetes.api.model.@Nullable LabelSelector selector) {
        try {
            return PodSelector.of(selector);
        } catch (IllegalArgumentException e) {
            unknown.add("a label selector: " + e.getMessage());
            return new PodSelector(true, List.of());
        }
    }

    private List<HostPort> hostPorts() {
        List<HostPort> ports = new ArrayList<>();
        for (Container container : spec.getContainers()) {
            container.getPorts().stream()
                    .filter(port -> port.getHostPort() != null && port.getHostPort() > 0)
                    .map(port -> new HostPort(
                            port.getHostIP() == null || port.getHostIP().isEmpty() ? HostPort.ANY : port.getHostIP(),
                            port.getProtocol() == null || port.getProtocol().isEmpty() ? "TCP" : port.getProtocol(),
                            port.getHostPort()))
                    .forEach(ports::add);
        }
        return ports;
    }
}
