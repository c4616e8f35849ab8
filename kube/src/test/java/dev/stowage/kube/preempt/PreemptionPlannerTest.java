package dev.stowage.kube.preempt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.kube.Yaml;
import dev.stowage.kube.preempt.PreemptionAnswer.RoomFound;
import dev.stowage.kube.translate.NodeFacts;
import dev.stowage.kube.translate.NodeOccupancy;
import dev.stowage.kube.translate.PodBudget;
import dev.stowage.kube.translate.PodFacts;
import dev.stowage.kube.translate.PodReader;
import dev.stowage.kube.translate.PodSelector;
import io.fabric8.kubernetes.api.model.ContainerPortBuilder;
import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * The victims and the node, compared with an exhaustive search over all nodes and all subsets of pods that has its own
 * sums and rules.
 */
final class PreemptionPlannerTest {
    private static final int CASES = Integer.getInteger("stowage.cases", 150);
    private static final String[] APPS = {"x", "y", "z"};
    private static final String TEMPLATE = "priority: %d%s%s%s";
    private static final String SPREAD = ", topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone,"
            + " whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: %s}}}]";
    private static final String APART = ", affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution:"
            + " [{topologyKey: zone, labelSelector: {matchLabels: {app: %s}}}]}}";

    /** A pod of the twin: port 0, and empty apart and spread, stand for none; spread is by zone. */
    private record TwinPod(
            String name,
            int priority,
            int cpu,
            int memory,
            int port,
            String app,
            String apart,
            String spread,
            String node,
            boolean terminating,
            boolean mirror,
            PodStanding standing) {
        PodFacts facts() {
            Pod pod = Yaml.pod(
                    name,
                    "app: " + app,
                    "cpu: " + cpu + ", memory: " + memory + "Gi",
                    TEMPLATE.formatted(
                            priority,
                            apart.isEmpty() ? "" : APART.formatted(apart),
                            spread.isEmpty() ? "" : SPREAD.formatted(spread),
                            node.isEmpty() ? "" : ", nodeName: " + node));
            if (port > 0) {
                pod.getSpec()
                        .getContainers()
                        .get(0)
                        .setPorts(List.of(new ContainerPortBuilder()
                                .withHostPort(port)
                                .withContainerPort(port)
                                .build()));
            }
            if (terminating) {
                pod.getMetadata().setDeletionTimestamp("2026-01-01T00:00:00Z");
            }
            if (mirror) {
                pod.getMetadata().setAnnotations(Map.of("kubernetes.io/config.mirror", "yes"));
            }
            return PodReader.read(pod);
        }
    }

    private record TwinNode(String name, int cpu, int memory, String zone) {}

    /** Victims by name, of one node. */
    private record Choice(String node, TreeSet<String> victims, List<Integer> priorities) {}

    private final List<TwinNode> nodes = new ArrayList<>();
    private final List<TwinPod> pods = new ArrayList<>();
    private final Map<String, Integer> budgets = new TreeMap<>();
    private TwinPod waiting;

    private void random(Random random) {
        nodes.clear();
        pods.clear();
        budgets.clear();
        for (int n = 0; n < 3; n++) {
            String name = "n" + n;
            nodes.add(
                    new TwinNode(name, 3 + random.nextInt(6), 3 + random.nextInt(6), random.nextBoolean() ? "a" : "b"));
            for (int p = 3 + random.nextInt(4); p > 0; p--) {
                int standing = random.nextInt(12);
                pods.add(new TwinPod(
                        "p" + pods.size(),
                        random.nextInt(5),
                        random.nextInt(3),
                        random.nextInt(3),
                        random.nextInt(5) == 0 ? 80 : 0,
                        APPS[random.nextInt(3)],
                        random.nextInt(6) == 0 ? APPS[random.nextInt(3)] : "",
                        "",
                        name,
                        random.nextInt(10) == 0,
                        random.nextInt(12) == 0,
                        standing < PodStanding.values().length - 1
                                ? PodStanding.values()[1 + standing]
                                : PodStanding.BOUND));
            }
        }
        for (String app : APPS) {
            if (random.nextInt(3) > 0) {
                budgets.put(app, random.nextInt(3));
            }
        }
        waiting = new TwinPod(
                "w",
                2 + random.nextInt(4),
                1 + random.nextInt(5),
                random.nextInt(5),
                random.nextInt(3) == 0 ? 80 : 0,
                APPS[random.nextInt(3)],
                random.nextInt(4) == 0 ? APPS[random.nextInt(3)] : "",
                random.nextInt(4) == 0 ? APPS[random.nextInt(3)] : "",
                "",
                false,
                false,
                PodStanding.BOUND);
    }

    // ---- the twin

    private boolean fits(TwinNode node, List<TwinPod> there) {
        int cpu = 0;
        int memory = 0;
        for (TwinPod pod : there) {
            if (pod.node().equals(node.name())) {
                cpu += pod.cpu();
                memory += pod.memory();
                if (pod.port() > 0 && pod.port() == waiting.port()) {
                    return false;
                }
            }
            boolean near = nodes.stream()
                    .anyMatch(other ->
                            other.name().equals(pod.node()) && other.zone().equals(node.zone()));
            if (near && (pod.app().equals(waiting.apart()) || pod.apart().equals(waiting.app()))) {
                return false;
            }
        }
        return isEven(node, there) && cpu + waiting.cpu() <= node.cpu() && memory + waiting.memory() <= node.memory();
    }

    private boolean isEven(TwinNode node, List<TwinPod> there) {
        Map<String, Integer> counts = new TreeMap<>();
        nodes.forEach(each -> counts.put(each.zone(), 0));
        for (TwinPod pod : there) {
            if (pod.app().equals(waiting.spread()) && !pod.terminating()) {
                TwinNode its = nodes.get(pod.node().charAt(1) - '0');
                counts.merge(its.zone(), 1, Integer::sum);
            }
        }
        int least = counts.values().stream().mapToInt(each -> each).min().orElse(0);
        int itself = waiting.app().equals(waiting.spread()) ? 1 : 0;
        return waiting.spread().isEmpty() || counts.getOrDefault(node.zone(), 0) + itself - least <= 1;
    }

    private boolean isAsGone(TwinPod pod) {
        return (pod.terminating() && pod.standing() != PodStanding.NOMINATED && pod.standing() != PodStanding.STUCK)
                || pod.standing() == PodStanding.LEAVING
                || (pod.standing() == PodStanding.NOMINATED && pod.priority() < waiting.priority());
    }

    private double share(TwinPod pod, TwinNode node) {
        double memory = waiting.memory() == 0 ? 0 : (double) pod.memory() / node.memory();
        return Math.max((double) pod.cpu() / node.cpu(), memory);
    }

    /** The best subset of a node's pods: spares the most important that can be spared. */
    private Choice choice(TwinNode node) {
        List<TwinPod> stay = pods.stream().filter(pod -> !isAsGone(pod)).toList();
        List<TwinPod> candidates = stay.stream()
                .filter(pod -> pod.node().equals(node.name())
                        && pod.priority() < waiting.priority()
                        && pod.standing() == PodStanding.BOUND
                        && !pod.mirror())
                .sorted((one, other) -> one.priority() != other.priority()
                        ? other.priority() - one.priority()
                        : share(one, node) != share(other, node)
                                ? Double.compare(share(one, node), share(other, node))
                                : one.name().compareTo(other.name()))
                .toList();
        // The most important pod is the highest bit, so the least number spares best.
        for (int set = 0; set < 1 << candidates.size(); set++) {
            List<TwinPod> going = new ArrayList<>();
            for (int i = 0; i < candidates.size(); i++) {
                if ((set >> (candidates.size() - 1 - i) & 1) == 1) {
                    going.add(candidates.get(i));
                }
            }
            List<TwinPod> left =
                    stay.stream().filter(pod -> !going.contains(pod)).toList();
            if (withinBudgets(going) && fits(node, left)) {
                TreeSet<String> names = new TreeSet<>();
                going.forEach(pod -> names.add(pod.name()));
                boolean needless = going.isEmpty()
                        && pods.stream()
                                .noneMatch(pod -> isAsGone(pod)
                                        && pod.node().equals(node.name())
                                        && pod.priority() < waiting.priority());
                return needless
                        ? null
                        : new Choice(
                                node.name(),
                                names,
                                going.stream().map(TwinPod::priority).toList());
            }
        }
        return null;
    }

    private boolean withinBudgets(List<TwinPod> going) {
        return budgets.entrySet().stream()
                .allMatch(budget -> going.stream()
                                .filter(pod -> pod.app().equals(budget.getKey()))
                                .count()
                        <= budget.getValue());
    }

    private Choice best() {
        Choice best = null;
        for (TwinNode node : nodes) {
            Choice next = choice(node);
            if (next != null && (best == null || isBetter(next, best))) {
                best = next;
            }
        }
        return best;
    }

    private static boolean isBetter(Choice one, Choice other) {
        int highest = Integer.compare(highest(one), highest(other));
        if (highest != 0) {
            return highest < 0;
        }
        // Each counts by its distance above the least possible priority, so fewer victims have a smaller sum.
        int fewer = Integer.compare(one.priorities().size(), other.priorities().size());
        return fewer != 0 ? fewer < 0 : sum(one) < sum(other);
    }

    private static int highest(Choice choice) {
        return choice.priorities().stream().mapToInt(each -> each).max().orElse(-1);
    }

    private static int sum(Choice choice) {
        return choice.priorities().stream().mapToInt(each -> each).sum();
    }

    // ---- the comparison

    @Test
    void theSamePodsGoFromTheSameNodeAsByTryingAllSubsets() {
        TreeMap<RoomFound, Integer> outcomes = new TreeMap<>();
        int evicted = 0;
        for (int seed = 0; seed < CASES; seed++) {
            random(new Random(seed));
            PreemptionAnswer answer = answer();
            outcomes.merge(answer.outcome(), 1, Integer::sum);
            evicted += answer.victims().size();
            boolean fitsNow = nodes.stream().anyMatch(node -> isWithin(node) && fits(node, pods));
            Choice best = fitsNow ? null : best();
            String what = "seed " + seed + ": " + waiting + " among " + pods + " on " + nodes + ", " + budgets;
            assertThat(answer.outcome())
                    .as(what + ", " + answer)
                    .isEqualTo(fitsNow ? RoomFound.NOT_NEEDED : best == null ? RoomFound.NO_ROOM : RoomFound.ROOM);
            if (best != null) {
                assertThat(answer.node()).as(what).isEqualTo(best.node());
                assertThat(answer.victims())
                        .as(what)
                        .extracting(PodFacts::name)
                        .containsExactlyInAnyOrderElementsOf(best.victims());
            }
        }
        System.out.println("preemption: " + outcomes + ", " + evicted + " pods evicted");
        assertThat(outcomes).hasSize(3);
        assertThat(evicted).isGreaterThan(CASES / 5);
    }

    /** Whether no resource of the node is exceeded. */
    private boolean isWithin(TwinNode node) {
        int cpu = 0;
        int memory = 0;
        for (TwinPod pod : pods) {
            cpu += pod.node().equals(node.name()) ? pod.cpu() : 0;
            memory += pod.node().equals(node.name()) ? pod.memory() : 0;
        }
        return cpu <= node.cpu() && memory <= node.memory();
    }

    private PreemptionAnswer answer() {
        NodeOccupancy occupancy = new NodeOccupancy();
        for (TwinNode node : nodes) {
            NodeFacts facts = Yaml.node(
                    node.name(),
                    "zone: " + node.zone(),
                    "",
                    "{cpu: " + node.cpu() + ", memory: " + node.memory() + "Gi, pods: 110}");
            occupancy.put(facts);
        }
        pods.forEach(pod -> occupancy.put(pod.facts()));
        List<PodBudget> read = new ArrayList<>();
        budgets.forEach((app, allowed) -> read.add(new PodBudget(
                "default",
                "of-" + app,
                PodSelector.of(
                        new LabelSelectorBuilder().addToMatchLabels("app", app).build()),
                allowed,
                true)));
        Map<String, PodStanding> standing = new TreeMap<>();
        pods.forEach(pod -> standing.put("u-" + pod.name(), pod.standing()));
        PreemptionAnswer answer = new PreemptionPlanner(
                        occupancy, new DisruptionBudgets(read), pod -> standing.get(pod.uid()))
                .plan(waiting.facts());
        assertThat(answer.victims()).allMatch(victim -> victim.priority() < waiting.priority());
        return answer;
    }

    @Test
    void aPodOfSeveralBudgetsStays() {
        NodeOccupancy occupancy = new NodeOccupancy();
        occupancy.put(Yaml.node("n", ""));
        occupancy.put(Yaml.facts("low", "app: x", "cpu: 3", "priority: 0, nodeName: n"));
        PodSelector all = new PodSelector(false, List.of());
        DisruptionBudgets two = new DisruptionBudgets(
                List.of(new PodBudget("default", "one", all, 1, true), new PodBudget("default", "two", all, 1, true)));
        PreemptionAnswer answer = new PreemptionPlanner(occupancy, two, pod -> PodStanding.BOUND)
                .plan(Yaml.facts("high", "", "cpu: 2", "priority: 5"));
        assertThat(answer.outcome()).isEqualTo(RoomFound.NO_ROOM);
        assertThat(answer.reason())
                .isEqualTo("there would be room on n, but default/low has several disruption budgets (default/one,"
                        + " default/two), and the API server evicts no such pod");
    }

    @Test
    void aBudgetIsChargedForEachThatGoes() {
        NodeOccupancy occupancy = new NodeOccupancy();
        occupancy.put(Yaml.node("n", ""));
        for (int i = 0; i < 4; i++) {
            occupancy.put(Yaml.facts("low" + i, "app: x", "cpu: 1", "priority: 0, nodeName: n"));
        }
        PodBudget one = new PodBudget("default", "one", new PodSelector(false, List.of()), 1, true);
        PreemptionPlanner planner =
                new PreemptionPlanner(occupancy, new DisruptionBudgets(List.of(one)), pod -> PodStanding.BOUND);
        assertThat(planner.plan(Yaml.facts("small", "", "cpu: 1", "priority: 5"))
                        .victims())
                .hasSize(1);
        assertThat(planner.plan(Yaml.facts("large", "", "cpu: 2", "priority: 5"))
                        .reason())
                .isEqualTo("there would be room on n, but more pods would have to go than the disruption budget"
                        + " default/one allows");
    }
}
