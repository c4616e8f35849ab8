package dev.stowage.kube.translate;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/**
 * How little a pod likes each node: the points of kube-scheduler that the node has fewer than the best one. Each of
 * four kinds of preferences gives a node 0 to 100 points, and those of the topology spread count twice:
 *
 * <ul>
 *   <li>preferred node affinity: the sum of the weights of the terms that match the node, relative to the largest;
 *   <li>{@code PreferNoSchedule}: the number of such taints that the pod does not tolerate, relative to the largest;
 *   <li>preferred affinity and anti-affinity, its own and that of the pods that run, whose required affinity counts with
 *       weight 1: the sum over the pods in the node's domains, from the least to the largest;
 *   <li>{@code ScheduleAnyway}: the pods in the node's domains, relative to the largest.
 * </ul>
 *
 * <p>The nodes compared are those that the pod's rules admit, whether or not they have room now: kube-scheduler compares
 * those with room. It is computed in time linear in nodes and in the pods of the namespaces concerned.
 *
 * <p>Source: Kubernetes 1.20.2, {@code pkg/scheduler/framework/plugins}: {@code nodeaffinity}, {@code tainttoleration},
 * {@code interpodaffinity/scoring.go}, {@code podtopologyspread/scoring.go}; weights of {@code
 * algorithmprovider/registry.go}.
 */
public final class PodPenalties {
    private static final long MOST = 100;
    private static final int SPREAD_WEIGHT = 2;
    private static final String HOSTNAME = "kubernetes.io/hostname";

    private record Domain(String key, String value) {}

    private final PodFacts pod;
    private final NodeOccupancy occupancy;
    private final Collection<NodeFacts> nodes;

    private PodPenalties(PodFacts pod, NodeOccupancy occupancy, Collection<NodeFacts> nodes) {
        this.pod = pod;
        this.occupancy = occupancy;
        this.nodes = nodes;
    }

    /** Whether a pod may not like all nodes alike. */
    public static boolean concern(PodFacts pod, NodeOccupancy occupancy) {
        return !pod.preferences().equals(Preferences.NONE)
                || occupancy.discouraging().stream()
                        .anyMatch(node -> node.discouragedBy(pod.tolerations()) > 0)
                || occupancy.withLiking().stream().anyMatch(other -> likes(other, pod));
    }

    /** Whether a preference, or the required affinity, of a pod selects another. */
    public static boolean likes(PodFacts pod, PodFacts other) {
        return pod.preferences().selects(other.namespace(), other.labels())
                || pod.near().stream().anyMatch(term -> term.selects(other.namespace(), other.labels()));
    }

    /** The penalty of each of the nodes by name, 0 to 500, of at least one 0. */
    public static Map<String, Integer> of(PodFacts pod, NodeOccupancy occupancy, Collection<NodeFacts> nodes) {
        Map<String, Long> sums = new TreeMap<>();
        points(pod, occupancy, nodes).values().forEach(part -> part.forEach((node, its) -> sums.merge(node, its, Long::sum)));
        long best = largest(sums);
        Map<String, Integer> penalties = new TreeMap<>();
        sums.forEach((node, its) -> penalties.put(node, (int) (best - its)));
        return penalties;
    }

    /** The points of each of the nodes by name, for each plugin of kube-scheduler, which gives as many. */
    public static Map<String, Map<String, Long>> points(
            PodFacts pod, NodeOccupancy occupancy, Collection<NodeFacts> nodes) {
        PodPenalties penalties = new PodPenalties(pod, occupancy, nodes);
        Map<String, Long> spread = penalties.ofSpread();
        spread.replaceAll((node, its) -> SPREAD_WEIGHT * its);
        return Map.of(
                "NodeAffinity", penalties.ofNodeAffinity(),
                "TaintToleration", penalties.ofTaints(),
                "InterPodAffinity", penalties.ofNeighbours(),
                "PodTopologySpread", spread);
    }

    private Map<String, Long> each(ToLongFunction<NodeFacts> function) {
        Map<String, Long> all = new TreeMap<>();
        nodes.forEach(node -> all.put(node.name(), function.applyAsLong(node)));
        return all;
    }

    private static long largest(Map<String, Long> all) {
        return Math.max(0, all.values().stream().mapToLong(one -> one).max().orElse(0));
    }

    private Map<String, Long> ofNodeAffinity() {
        Map<String, Long> sums = each(node -> pod.preferences().nodes().stream()
                .filter(one -> one.what().admits(node))
                .mapToLong(Preferences.Weighted::weight)
                .sum());
        long largest = largest(sums);
        sums.replaceAll((node, sum) -> largest == 0 ? 0 : MOST * sum / largest);
        return sums;
    }

    private Map<String, Long> ofTaints() {
        Map<String, Long> counts = each(node -> node.discouragedBy(pod.tolerations()));
        long largest = largest(counts);
        counts.replaceAll((node, count) -> largest == 0 ? MOST : MOST - MOST * count / largest);
        return counts;
    }

    private Map<String, Long> ofNeighbours() {
        Map<Domain, Long> liked = new HashMap<>();
        for (Preferences.Weighted<PodTerm> one : pod.preferences().pods()) {
            for (String namespace : one.what().namespaces()) {
                occupancy.ofNamespace(namespace).forEach(other -> {
                    if (one.what().selector().selects(other.labels())) {
                        count(liked, one, other);
                    }
                });
            }
        }
        for (PodFacts other : occupancy.withLiking()) {
            for (Preferences.Weighted<PodTerm> one : other.preferences().pods()) {
                if (one.what().selects(pod.namespace(), pod.labels())) {
                    count(liked, one, other);
                }
            }
            for (PodTerm term : other.near()) {
                if (term.selects(pod.namespace(), pod.labels())) {
                    count(liked, new Preferences.Weighted<>(1, term), other);
                }
            }
        }
        Map<String, Long> sums = each(node -> liked.isEmpty()
                ? 0
                : node.labels().entrySet().stream()
                        .mapToLong(label -> liked.getOrDefault(new Domain(label.getKey(), label.getValue()), 0L))
                        .sum());
        long largest = largest(sums);
        long least =
                Math.min(0, sums.values().stream().mapToLong(one -> one).min().orElse(0));
        sums.replaceAll(
                (node, sum) -> largest == least ? 0 : (long) (MOST * ((double) (sum - least) / (largest - least))));
        return sums;
    }

    private void count(Map<Domain, Long> liked, Preferences.Weighted<PodTerm> one, PodFacts other) {
        NodeFacts there = other.uid().equals(pod.uid()) ? null : occupancy.node(other.node());
        String value = there == null ? null : there.labels().get(one.what().key());
        if (value != null) {
            liked.merge(new Domain(one.what().key(), value), (long) one.weight(), Long::sum);
        }
    }

    private Map<String, Long> ofSpread() {
        List<EvenSpread> rules = pod.preferences().spread();
        if (rules.isEmpty()) {
            return each(node -> MOST);
        }
        List<NodeFacts> compared = nodes.stream().filter(this::hasAllKeys).toList();
        Map<String, Double> sums = new HashMap<>();
        for (EvenSpread rule : rules) {
            Map<String, Long> counts = new HashMap<>();
            compared.forEach(node -> counts.put(domain(rule, node), 0L));
            for (PodFacts other : occupancy.ofNamespace(pod.namespace())) {
                NodeFacts there = occupancy.node(other.node());
                if (there != null
                        && !other.terminating()
                        && !other.uid().equals(pod.uid())
                        && rule.selector().selects(other.labels())
                        && hasAllKeys(there)
                        && rule.counts(pod, there)) {
                    counts.computeIfPresent(domain(rule, there), (domain, count) -> count + 1);
                }
            }
            double weight = StrictMath.log(counts.size() + 2.0);
            compared.forEach(node -> sums.merge(
                    node.name(), counts.get(domain(rule, node)) * weight + rule.maxSkew() - 1, Double::sum));
        }
        Map<String, Long> whole = new TreeMap<>();
        sums.forEach((node, sum) -> whole.put(node, sum.longValue()));
        long largest = largest(whole);
        long least = whole.values().stream().mapToLong(one -> one).min().orElse(0);
        return each(node -> {
            Long sum = whole.get(node.name());
            return sum == null ? 0 : largest == 0 ? MOST : MOST * (largest + least - sum) / largest;
        });
    }

    private boolean hasAllKeys(NodeFacts node) {
        return pod.preferences().spread().stream()
                .allMatch(rule -> node.labels().containsKey(rule.key()));
    }

    /** Two nodes with one value of the label of hosts are two domains. */
    private static String domain(EvenSpread rule, NodeFacts node) {
        return rule.key().equals(HOSTNAME)
                ? node.name()
                : node.labels().getOrDefault(rule.key(), "");
    }
}
