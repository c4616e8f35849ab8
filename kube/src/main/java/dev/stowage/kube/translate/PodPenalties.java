package dev.stowage.kube.translate;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * How little a pod likes each node: the points of kube-scheduler that the node has fewer than the best one. Each of
 * four kinds of preferences gives a node 0 to 100 points, and those of the topology spread count twice:
 *
 * <ul>
 *   <li>preferred node affinity: the sum of the weights of the terms that match the node, relative to the largest;
 *   <li>{@code PreferNoSchedule}: the number of such taints that the pod does not tolerate, relative to the largest;
 *   <li>preferred affinity and anti-affinity, its own and that of running pods, whose required affinity counts with
 *       weight 1: the sum over the pods in the node's domains, from the least to the largest;
 *   <li>{@code ScheduleAnyway}: the pods in the node's domains, relative to the largest.
 * </ul>
 *
 * <p>The nodes compared are those that the pod's rules admit, whether or not they have room now: kube-scheduler
 * compares those with room. It is computed in time linear in nodes and in the pods of the namespaces concerned.
 *
 * <p>Source: Kubernetes 1.20.2, {@code pkg/scheduler/framework/plugins}: {@code nodeaffinity}, {@code tainttoleration},
 * {@code interpodaffinity/scoring.go}, {@code podtopologyspread/scoring.go}; weights of {@code
 * algorithmprovider/registry.go}.
 */
public final class PodPenalties {
    private static final long MOST = 100;
    private static final int SPREAD_WEIGHT = 2;
    private static final String HOSTNAME = "kubernetes.io/hostname";
    /** No label has this value. */
    private static final String NO_VALUE = "?";

    private final PodFacts pod;
    private final NodeOccupancy occupancy;
    private final List<NodeFacts> nodes;

    private PodPenalties(PodFacts pod, NodeOccupancy occupancy, List<NodeFacts> nodes) {
        this.pod = pod;
        this.occupancy = occupancy;
        this.nodes = nodes;
    }

    /** Whether a pod may not like all nodes alike. */
    public static boolean concern(PodFacts pod, NodeOccupancy occupancy) {
        return !pod.preferences().equals(Preferences.NONE)
                || occupancy.discouraging().stream().anyMatch(node -> node.discouragedBy(pod.tolerations()) > 0)
                || occupancy.withLiking().stream().anyMatch(other -> likes(other, pod));
    }

    /** Whether a preference, or the required affinity, of a pod selects another. */
    public static boolean likes(PodFacts one, PodFacts another) {
        return one.preferences().selects(another.namespace(), another.labels())
                || one.near().stream().anyMatch(term -> term.selects(another.namespace(), another.labels()));
    }

    /** The penalty of each of the nodes, 0 to 500, of at least one 0. */
    public static long[] of(PodFacts pod, NodeOccupancy occupancy, List<NodeFacts> nodes) {
        long[] sums = new long[nodes.size()];
        points(pod, occupancy, nodes).values().forEach(part -> Arrays.setAll(sums, n -> sums[n] + part[n]));
        long best = largest(sums);
        Arrays.setAll(sums, n -> best - sums[n]);
        return sums;
    }

    /** The points of each of the nodes by plugin of kube-scheduler, which gives as many. */
    public static Map<String, long[]> points(PodFacts pod, NodeOccupancy occupancy, List<NodeFacts> nodes) {
        PodPenalties penalties = new PodPenalties(pod, occupancy, nodes);
        return Map.of(
                "NodeAffinity", penalties.ofNodeAffinity(),
                "TaintToleration", penalties.ofTaints(),
                "InterPodAffinity", penalties.ofNeighbours(),
                "PodTopologySpread", penalties.ofSpread());
    }

    private long[] each(ToLongFunction<NodeFacts> function) {
        return nodes.stream().mapToLong(function).toArray();
    }

    private static long largest(long[] all) {
        return Arrays.stream(all).reduce(0, Math::max);
    }

    private long[] ofNodeAffinity() {
        long[] sums = each(node -> pod.preferences().nodes().stream()
                .filter(one -> one.what().admits(node))
                .mapToLong(Preferences.Weighted::weight)
                .sum());
        long largest = largest(sums);
        return Arrays.stream(sums)
                .map(sum -> largest == 0 ? 0 : MOST * sum / largest)
                .toArray();
    }

    private long[] ofTaints() {
        long[] counts = each(node -> node.discouragedBy(pod.tolerations()));
        long largest = largest(counts);
        return Arrays.stream(counts)
                .map(count -> largest == 0 ? MOST : MOST - MOST * count / largest)
                .toArray();
    }

    private long[] ofNeighbours() {
        Map<String, Map<String, Long>> liked = new HashMap<>();
        for (Preferences.Weighted<PodTerm> one : pod.preferences().pods()) {
            for (String namespace : one.what().namespaces()) {
                occupancy.ofNamespace(namespace).forEach(other -> {
                    if (one.what().selector().selects(other.labels())) {
                        count(liked, one.what().key(), one.weight(), other);
                    }
                });
            }
        }
        for (PodFacts other : occupancy.withLiking()) {
            for (Preferences.Weighted<PodTerm> one : other.preferences().pods()) {
                if (one.what().selects(pod.namespace(), pod.labels())) {
                    count(liked, one.what().key(), one.weight(), other);
                }
            }
            for (PodTerm term : other.near()) {
                if (term.selects(pod.namespace(), pod.labels())) {
                    count(liked, term.key(), 1, other);
                }
            }
        }
        long[] sums = each(node -> liked.entrySet().stream()
                .mapToLong(its -> its.getValue().getOrDefault(node.labels().getOrDefault(its.getKey(), NO_VALUE), 0L))
                .sum());
        long largest = largest(sums);
        long least = Arrays.stream(sums).reduce(0, Math::min);
        return Arrays.stream(sums)
                .map(sum -> largest == least ? 0 : (long) (MOST * ((double) (sum - least) / (largest - least))))
                .toArray();
    }

    /** Counts a pod that runs for the domain that it is in. */
    private void count(Map<String, Map<String, Long>> liked, String key, int weight, PodFacts other) {
        NodeFacts there = other.uid().equals(pod.uid()) ? null : occupancy.node(other.node());
        String value = there == null ? null : there.labels().get(key);
        if (value != null) {
            liked.computeIfAbsent(key, first -> new HashMap<>()).merge(value, (long) weight, Long::sum);
        }
    }

    private long[] ofSpread() {
        List<EvenSpread> rules = pod.preferences().spread();
        if (rules.isEmpty()) {
            return each(node -> SPREAD_WEIGHT * MOST);
        }
        double[] sums = new double[nodes.size()];
        for (EvenSpread rule : rules) {
            Map<String, Long> counts = new HashMap<>();
            nodes.stream().filter(this::hasAllKeys).forEach(node -> counts.put(domain(rule, node), 0L));
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
            Arrays.setAll(
                    sums,
                    n -> sums[n] + counts.getOrDefault(domain(rule, nodes.get(n)), 0L) * weight + rule.maxSkew() - 1);
        }
        long[] whole = new long[sums.length];
        Arrays.setAll(whole, n -> hasAllKeys(nodes.get(n)) ? (long) sums[n] : -1);
        long largest = largest(whole);
        long least = Arrays.stream(whole).filter(sum -> sum >= 0).min().orElse(0);
        return Arrays.stream(whole)
                .map(sum -> sum < 0 ? 0 : largest == 0 ? MOST : MOST * (largest + least - sum) / largest)
                .map(its -> SPREAD_WEIGHT * its)
                .toArray();
    }

    private boolean hasAllKeys(NodeFacts node) {
        return pod.preferences().spread().stream()
                .allMatch(rule -> node.labels().containsKey(rule.key()));
    }

    /** Two nodes with one value of the label of hosts are two domains. */
    private static String domain(EvenSpread rule, NodeFacts node) {
        return rule.key().equals(HOSTNAME) ? node.name() : node.labels().getOrDefault(rule.key(), NO_VALUE);
    }
}
