package dev.stowage.kube.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.core.policy.PolicySpec;
import dev.stowage.kube.Yaml;
import dev.stowage.kube.translate.PodFacts;
import dev.stowage.policies.Policies;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The cluster's engine without a cluster. */
final class ClusterEngineTest {
    private final Map<String, String> bound = new LinkedHashMap<>();
    private final TreeSet<String> waits = new TreeSet<>();
    private long clock = 1000;
    private ClusterEngine engine = engine("bf-js");

    private ClusterEngine engine(String policy) {
        return engine(PolicySpec.of(policy));
    }

    private ClusterEngine engine(PolicySpec policy) {
        return new ClusterEngine(
                "stowage",
                policy,
                new Policies(),
                10,
                () -> clock++,
                new Decisions() {
                    @Override
                    public void bind(PodFacts pod, String node, String reason) {
                        assertThat(bound.put(pod.name(), node)).as(pod.name()).isNull();
                        assertThat(reason).startsWith(policy.name());
                    }

                    @Override
                    public void evict(PodFacts pod, String reason) {
                        throw new AssertionError(pod.path() + " was evicted");
                    }

                    @Override
                    public void waits(PodFacts pod) {
                        waits.add(pod.name());
                    }
                },
                CommandLogs.NONE);
    }

    @BeforeEach
    void threeNodes() {
        engine.node(Yaml.node("n1", "zone: a, kubernetes.io/hostname: n1"));
        engine.node(Yaml.node("n2", "zone: a, kubernetes.io/hostname: n2"));
        engine.node(Yaml.node("n3", "zone: b, kubernetes.io/hostname: n3"));
    }

    private static PodFacts pod(String name, String requests, String spec) {
        return Yaml.facts(name, "app: " + name.replaceAll("[0-9]", ""), requests, spec);
    }

    private static final String APART = "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution:"
            + " [{topologyKey: %s, labelSelector: {matchLabels: {app: %s}}}]}}";

    /** The last two fill the first node more evenly; the third keeps only the second in use no longer than it is. */
    @Test
    void aPolicyThatLooksAtLifetimesSeesHowLongPodsExpectToRun() {
        engine = engine(PolicySpec.of("lifetime-classes", Map.of("rule", "nilas")));
        threeNodes();
        engine.start();
        engine.pod(pod("a", "cpu: 1", "activeDeadlineSeconds: 600"));
        engine.pod(pod("b", "cpu: 3500m", "activeDeadlineSeconds: 100000"));
        engine.pod(pod("c", "cpu: 200m", "activeDeadlineSeconds: 50000"));
        engine.pod(pod("d", "cpu: 200m", "activeDeadlineSeconds: 300"));
        assertThat(bound.get("b")).isNotEqualTo(bound.get("a"));
        assertThat(bound.get("c")).isEqualTo(bound.get("b"));
        assertThat(bound.get("d")).isEqualTo(bound.get("a"));
    }

    /** Its event read as if it would start when something ends. */
    @Test
    void aPodThatIsTooLargeForEveryNodeSaysSo() {
        engine = engine("bf-js");
        threeNodes();
        engine.start();
        engine.pod(pod("big", "cpu: 20", ""));
        assertThat(engine.state("u-big")).isEqualTo(PodState.FITS_NOWHERE);
        assertThat(engine.explain("u-big"))
                .startsWith(
                        "waits: no node that may take it is large enough, even empty: 3 of 3 nodes lack cpu (nearest: 16");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bf-js", "bf-j", "bf-s", "fifo-ff"})
    void everyPolicyThatKeepsConstraintsPlacesAndQueues(String policy) {
        engine = engine(policy);
        threeNodes();
        engine.start();
        for (int i = 1; i <= 4; i++) {
            engine.pod(pod("w" + i, "cpu: 3", ""));
        }
        assertThat(bound).hasSize(3);
        assertThat(waits).containsExactly("w4");
        assertThat(engine.state("u-w4")).isEqualTo(PodState.QUEUED);
        assertThat(engine.explain("u-w4")).isEqualTo("waits: 3 of 3 nodes lack cpu (nearest: 2 cores short on n1)");
        String freed = bound.get("w2");
        engine.pod(pod("w2", "cpu: 3", "").boundTo(freed));
        engine.podGone("u-w2");
        assertThat(bound).containsEntry("w4", freed);
    }

    @Test
    void aPolicyThatKeepsNoConstraintsIsRefused() {
        assertThatThrownBy(() -> engine("shadow")).hasMessageContaining("bf-js");
    }

    @Test
    void whatRunsIsAdoptedWhoeverPlacedIt() {
        engine.pod(pod("old", "cpu: 3", "").boundTo("n1"));
        engine.pod(pod("more", "cpu: 3", "").boundTo("n1"));
        engine.pod(pod("lost", "cpu: 3", "").boundTo("gone"));
        engine.start();
        // 4 cores of which 6 are taken.
        assertThat(engine.free("n1")).containsEntry("cpu", -2000L);
        assertThat(engine.state("u-lost")).isEqualTo(PodState.ELSEWHERE);
        engine.pod(pod("w", "cpu: 1", ""));
        assertThat(bound.get("w")).isNotEqualTo("n1");
        // Its node is there again.
        engine.node(Yaml.node("gone", ""));
        assertThat(engine.free("gone")).containsEntry("cpu", 1000L);
    }

    /** A node that holds more than it has takes nothing, not even what asks for nothing, and the word says so. */
    @Test
    void anOverfullNodeIsNotSaidToTakeAPod() {
        engine = engine("best-fit");
        engine.node(Yaml.node("n1", ""));
        engine.start();
        engine.pod(pod("x", "cpu: 99", "").boundTo("n1"));
        engine.pod(pod("w", "memory: 1Mi", ""));
        assertThat(bound).isEmpty();
        assertThat(engine.explain("u-w")).contains("1 of 1 nodes run pods that take more than the node has");
    }

    /** What waits has no rules of its own, and comes before or after the pod that is not understood. */
    @Test
    void aRunningPodThatIsNotUnderstoodClosesItsNode() {
        engine.start();
        engine.pod(pod("odd", "cpu: 100m", "laterField: 1").boundTo("n1"));
        engine.pod(pod("big2", "cpu: 4", "").boundTo("n2"));
        engine.pod(pod("big3", "cpu: 4", "").boundTo("n3"));
        engine.pod(pod("w", "cpu: 1", ""));
        assertThat(bound).isEmpty();
        assertThat(engine.explain("u-w")).contains("1 hold a pod whose use of the node is not known");
        engine.podGone("u-odd");
        assertThat(bound).containsEntry("w", "n1");
        engine.pod(pod("full1", "cpu: 3", "").boundTo("n1"));
        engine.pod(pod("v", "cpu: 2", ""));
        assertThat(waits).contains("v");
        engine.pod(pod("odder", "cpu: 100m", "laterField: 1").boundTo("n1"));
        engine.podGone("u-full1");
        assertThat(bound).doesNotContainKey("v");
        engine.podGone("u-big2");
        assertThat(bound).containsEntry("v", "n2");
    }

    @Test
    void aRefusedBindingHoldsNothingAndIsTriedAgain() {
        engine.start();
        engine.pod(pod("w", "cpu: 4", "nodeSelector: {kubernetes.io/hostname: n2}"));
        assertThat(bound).containsEntry("w", "n2");
        engine.refused("u-w", "denied");
        assertThat(engine.free("n2")).containsEntry("cpu", 4000L).containsEntry("pods", 110L);
        assertThat(engine.explain("u-w")).contains("denied");
        bound.clear();
        engine.again("u-w");
        assertThat(bound).containsEntry("w", "n2");
    }

    @Test
    void aPodWhoseBindingWasRefusedKeepsNobodyAway() {
        engine.start();
        engine.pod(pod("db1", "cpu: 1", "nodeSelector: {zone: b}, " + String.format(APART, "zone", "db")));
        engine.refused("u-db1", "denied");
        engine.pod(pod("db2", "cpu: 1", "nodeSelector: {zone: b}, " + String.format(APART, "zone", "db")));
        assertThat(bound).containsEntry("db2", "n3");
    }

    @Test
    void taintsThatComeWhileAPodWaitsKeepItAway() {
        engine.start();
        engine.pod(pod("a", "cpu: 4", "nodeSelector: {zone: b}"));
        engine.pod(pod("b", "cpu: 4", "nodeSelector: {zone: b}"));
        engine.node(Yaml.node(
                "n3",
                "zone: b, kubernetes.io/hostname: n3",
                "taints: [{key: k, effect: NoSchedule}]",
                "{cpu: 4, memory: 8Gi, pods: 110}"));
        engine.podGone("u-a");
        assertThat(bound).doesNotContainKey("b");
        assertThat(engine.explain("u-b"))
                .contains("1 have the taint k:NoSchedule that it does not tolerate")
                .contains("2 of 3 nodes do not match its node selector");
        engine.pod(pod("c", "cpu: 4", "nodeSelector: {zone: b}, tolerations: [{key: k, operator: Exists}]"));
        assertThat(bound).containsEntry("c", "n3");
    }

    @Test
    void aCordonedNodeTakesNothingUntilItIsBack() {
        engine.start();
        for (String node : new String[] {"n1", "n2", "n3"}) {
            engine.node(Yaml.node(node, "zone: a", "unschedulable: true", "{cpu: 4, memory: 8Gi, pods: 110}"));
        }
        engine.pod(pod("w", "cpu: 1", ""));
        assertThat(bound).isEmpty();
        assertThat(engine.explain("u-w")).isEqualTo("waits: 3 of 3 nodes are cordoned");
        engine.node(Yaml.node("n2", "zone: a"));
        engine.offerAgain();
        assertThat(bound).containsEntry("w", "n2");
    }

    @Test
    void numbersOfLabelsAreCompared() {
        String above = "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms:"
                + " [{matchExpressions: [{key: cores, operator: Gt, values: ['8']}]}]}}}";
        engine.start();
        engine.pod(pod("w", "cpu: 1", above));
        assertThat(bound).isEmpty();
        engine.node(Yaml.node("n2", "cores: '8'"));
        engine.offerAgain();
        assertThat(bound).isEmpty();
        engine.node(Yaml.node("n2", "cores: '9'"));
        engine.offerAgain();
        assertThat(bound).containsEntry("w", "n2");
    }

    @Test
    void antiAffinityByHostAndByZoneHoldsBothWays() {
        engine.start();
        engine.pod(pod("db1", "cpu: 1", String.format(APART, "zone", "db")));
        engine.pod(pod("db2", "cpu: 1", String.format(APART, "zone", "db")));
        engine.pod(pod("db3", "cpu: 1", String.format(APART, "zone", "db")));
        assertThat(bound).containsOnlyKeys("db1", "db2");
        assertThat(bound.get("db1").equals("n3")).isNotEqualTo(bound.get("db2").equals("n3"));
        assertThat(engine.explain("u-db3")).contains("3 of 3 nodes hold, or are near, a pod");
        // A pod that asks for nothing itself is kept away by one that does.
        engine.pod(pod("shy", "cpu: 1", String.format(APART, "kubernetes.io/hostname", "loud")));
        bound.clear();
        for (int i = 1; i <= 9; i++) {
            engine.pod(Yaml.facts("loud" + i, "app: loud", "cpu: 1", ""));
        }
        String shy = engine.known("u-shy").node();
        assertThat(bound.values()).isNotEmpty().doesNotContain(shy);
        // When the first is gone, a pod that waited for it may be placed.
        bound.clear();
        engine.podGone("u-db1");
        engine.offerAgain();
        assertThat(bound).containsOnlyKeys("db3");
    }

    @Test
    void twoThatMustBeApartAreNotPlacedTogetherWhenOneLeavesRoomForBoth() {
        engine.nodeGone("n2");
        engine.nodeGone("n3");
        engine.start();
        engine.pod(pod("big", "cpu: 4", ""));
        engine.pod(pod("x1", "cpu: 1", String.format(APART, "kubernetes.io/hostname", "x")));
        engine.pod(pod("x2", "cpu: 1", String.format(APART, "kubernetes.io/hostname", "x")));
        bound.clear();
        engine.podGone("u-big");
        assertThat(bound).hasSize(1);
        engine.offerAgain();
        assertThat(bound).hasSize(1);
        assertThat(engine.free("n1")).containsEntry("cpu", 3000L).containsEntry("pods", 109L);
    }

    @Test
    void spreadOverZonesKeepsTheSkew() {
        String even = "topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule,"
                + " labelSelector: {matchLabels: {app: e}}}]";
        engine.start();
        for (int i = 1; i <= 6; i++) {
            engine.pod(pod("e" + i, "cpu: 1", even));
        }
        long inB = bound.values().stream().filter("n3"::equals).count();
        assertThat(bound).hasSize(6);
        assertThat(inB).isEqualTo(3);
        engine.pod(pod("e7", "cpu: 3", even));
        engine.pod(pod("e8", "cpu: 3", even));
        assertThat(engine.explain("u-e8")).startsWith("waits: ");
    }

    private static String near(String app, String key) {
        return "affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: " + key
                + ", labelSelector: {matchLabels: {app: " + app + "}}}]}}";
    }

    @Test
    void whoMustBeNearAnotherWaitsForItAndFollowsIt() {
        engine.start();
        engine.pod(pod("web1", "cpu: 1", near("db", "zone")));
        assertThat(engine.explain("u-web1"))
                .isEqualTo("waits: 3 of 3 nodes are not near a pod that its affinity asks for");
        engine.pod(pod("db1", "cpu: 4", "nodeSelector: {kubernetes.io/hostname: n3}"));
        engine.offerAgain();
        // The node of the other is full, and there is no second in its zone.
        assertThat(bound).isEqualTo(Map.of("db1", "n3"));
        engine.pod(pod("db2", "cpu: 4", "nodeSelector: {kubernetes.io/hostname: n1}"));
        engine.offerAgain();
        // Its binding may still be refused.
        assertThat(bound).containsEntry("db2", "n1").doesNotContainKey("web1");
        engine.refused("u-db2", "no");
        bound.remove("db2");
        engine.again("u-db2");
        engine.offerAgain();
        assertThat(bound).doesNotContainKey("web1");
        engine.pod(pod("db2", "cpu: 4", "").boundTo("n1"));
        engine.offerAgain();
        assertThat(bound).containsEntry("web1", "n2");
    }

    @Test
    void theFirstOfThoseThatMustBeTogetherGoesAnywhereAndTheOthersFollow() {
        engine.start();
        for (int i = 1; i <= 4; i++) {
            engine.pod(pod("t" + i, "cpu: 2", near("t", "zone")));
        }
        assertThat(bound).containsOnlyKeys("t1");
        engine.pod(pod("t1", "cpu: 2", near("t", "zone")).boundTo(bound.get("t1")));
        engine.offerAgain();
        for (String next : new String[] {"t2", "t3", "t4"}) {
            if (bound.containsKey(next)) {
                engine.pod(pod(next, "cpu: 2", near("t", "zone")).boundTo(bound.get(next)));
            }
        }
        // In the zone a there is room for four, in b for two.
        boolean inA = bound.get("t1").equals("n1") || bound.get("t1").equals("n2");
        assertThat(bound.values()).hasSize(inA ? 4 : 2).allMatch(node -> inA != node.equals("n3"));
    }

    @Test
    void whereTheDomainsAreFewTheFewestCountAsNone() {
        String three = "topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule,"
                + " minDomains: 3, labelSelector: {matchLabels: {app: e}}}]";
        engine.start();
        for (int i = 1; i <= 3; i++) {
            engine.pod(pod("e" + i, "cpu: 1", three));
        }
        // One in each of the two zones; a second in one would be two above a third zone that is not there.
        assertThat(bound.values()).hasSize(2).contains("n3");
        engine.node(Yaml.node("n4", "zone: c, kubernetes.io/hostname: n4"));
        engine.offerAgain();
        assertThat(bound).containsEntry("e3", "n4");
    }

    @Test
    void aSpreadMayCountOnlyNodesWhoseTaintsAreTolerated() {
        engine.node(
                Yaml.node("n3", "zone: b", "taints: [{key: k, effect: NoSchedule}]", "{cpu: 4, memory: 8Gi, pods: 9}"));
        String spread = "topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule,"
                + " labelSelector: {matchLabels: {app: %s}}%s}]";
        engine.start();
        for (int i = 1; i <= 2; i++) {
            engine.pod(pod("plain" + i, "cpu: 1", spread.formatted("plain", "")));
            engine.pod(pod("honor" + i, "cpu: 1", spread.formatted("honor", ", nodeTaintsPolicy: Honor")));
        }
        // Counting the zone b, which it cannot use, keeps the second in a from its place.
        assertThat(bound.keySet()).containsExactlyInAnyOrder("plain1", "honor1", "honor2");
    }

    @Test
    void hostPortsAreHadOncePerNode() {
        engine.start();
        for (int i = 1; i <= 4; i++) {
            var pod = Yaml.pod("p" + i, "", "cpu: 100m", "");
            pod.getSpec()
                    .getContainers()
                    .get(0)
                    .setPorts(java.util.List.of(new io.fabric8.kubernetes.api.model.ContainerPortBuilder()
                            .withContainerPort(80)
                            .withHostPort(80)
                            .build()));
            engine.pod(dev.stowage.kube.translate.PodReader.read(pod));
        }
        assertThat(new TreeSet<>(bound.values())).containsExactly("n1", "n2", "n3");
        assertThat(engine.explain("u-p4")).isEqualTo("waits: 3 of 3 nodes have a host port in use that it needs");
    }

    @Test
    void aResourceThatIsNewToTheEngineKeepsEverythingInPlace() {
        engine.start();
        engine.pod(pod("a", "cpu: 3", ""));
        engine.node(Yaml.node("g", "", "", "{cpu: 4, memory: 8Gi, pods: 110, nvidia.com/gpu: 2}"));
        engine.pod(pod("gpu1", "nvidia.com/gpu: 2", ""));
        engine.pod(pod("gpu2", "nvidia.com/gpu: 1", ""));
        assertThat(bound).containsEntry("gpu1", "g").doesNotContainKey("gpu2");
        assertThat(engine.free(bound.get("a"))).containsEntry("cpu", 1000L);
        assertThat(engine.explain("u-gpu2")).contains("4 of 4 nodes lack nvidia.com/gpu (nearest: 1 short on g)");
    }

    @Test
    void aNodeThatGoesAndComesBackIsAsItIsThen() {
        engine.start();
        engine.pod(pod("w", "cpu: 3", "nodeSelector: {zone: b}"));
        engine.nodeGone("n3");
        assertThat(engine.state("u-w")).isEqualTo(PodState.ASSUMED);
        engine.pod(engine.known("u-w"));
        assertThat(engine.state("u-w")).isEqualTo(PodState.ELSEWHERE);
        engine.node(Yaml.node("n3", "zone: c", "", "{cpu: 8, memory: 8Gi, pods: 110}"));
        assertThat(engine.state("u-w")).isEqualTo(PodState.BOUND);
        assertThat(engine.free("n3")).containsEntry("cpu", 5000L);
    }

    @Test
    void aPodBoundBySomebodyElseIsCountedThere() {
        engine.start();
        PodFacts pod = pod("w", "cpu: 3", "nodeSelector: {zone: a}");
        engine.pod(pod);
        String ours = bound.get("w");
        String theirs = ours.equals("n1") ? "n2" : "n1";
        engine.pod(pod.boundTo(theirs));
        assertThat(engine.free(ours)).containsEntry("cpu", 4000L);
        assertThat(engine.free(theirs)).containsEntry("cpu", 1000L);
        // Late events change nothing.
        engine.pod(pod);
        assertThat(engine.free(theirs)).containsEntry("cpu", 1000L);
        assertThat(engine.known("u-w").node()).isEqualTo(theirs);
    }

    @Test
    void podsOfOtherSchedulersThatAreNotBoundAreNoConcern() {
        engine.start();
        PodFacts other = Yaml.facts("o", "", "cpu: 1", "");
        var pod = Yaml.pod("o", "", "cpu: 1", "");
        pod.getSpec().setSchedulerName("default-scheduler");
        engine.pod(dev.stowage.kube.translate.PodReader.read(pod));
        assertThat(bound).isEmpty();
        assertThat(engine.state(other.uid())).isNull();
    }
}
