package dev.stowage.kube.translate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.kube.Yaml;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Points as Kubernetes 1.20 gives them, by hand. {@code PreferencesTest} compares them with the real one. */
final class PodPenaltiesTest {
    private final NodeOccupancy occupancy = new NodeOccupancy();

    @BeforeEach
    void threeNodes() {
        occupancy.put(Yaml.node("n1", "zone: a, disk: ssd, kubernetes.io/hostname: n1"));
        occupancy.put(Yaml.node("n2", "zone: a, kubernetes.io/hostname: n2"));
        occupancy.put(Yaml.node("n3", "zone: b, kubernetes.io/hostname: n3"));
    }

    private static PodFacts pod(String name, String spec) {
        return Yaml.facts(name, "app: " + name.replaceAll("[0-9]", ""), "cpu: 1", spec);
    }

    private Map<String, Integer> penalties(PodFacts pod) {
        List<NodeFacts> nodes = List.copyOf(occupancy.nodes());
        long[] penalties = PodPenalties.of(pod, occupancy, nodes);
        Map<String, Integer> byName = new TreeMap<>();
        nodes.forEach(node -> byName.put(node.name(), (int) penalties[byName.size()]));
        return byName;
    }

    @Test
    void aPodWithoutPreferencesLikesAllAlike() {
        assertThat(PodPenalties.concern(pod("p", ""), occupancy)).isFalse();
        assertThat(penalties(pod("p", ""))).isEqualTo(Map.of("n1", 0, "n2", 0, "n3", 0));
    }

    /** n1 has 80 + 20 of at most 100, n2 80, n3 20: 100, 80 and 20 points. */
    @Test
    void preferredNodeAffinityIsRelativeToTheLargestSum() {
        PodFacts pod = pod(
                "p",
                "affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: ["
                        + "{weight: 80, preference: {matchExpressions: [{key: zone, operator: In, values: [a]}]}},"
                        + " {weight: 20, preference: {matchExpressions: [{key: disk, operator: Exists}]}},"
                        + " {weight: 20, preference: {matchFields: [{key: metadata.name, operator: In, values:"
                        + " [n3]}]}}, {weight: 50, preference: {}}]}}");
        assertThat(penalties(pod)).isEqualTo(Map.of("n1", 0, "n2", 20, "n3", 80));
    }

    /** Two, one and no such taints: 0, 50 and 100 points. A toleration of another effect does not help. */
    @Test
    void discouragingTaintsAreCountedAndKeepNobodyAway() {
        occupancy.put(Yaml.node(
                "n1",
                "",
                "taints: [{key: a, effect: PreferNoSchedule}, {key: b, effect: PreferNoSchedule}]",
                "{cpu: 4, pods: 9}"));
        occupancy.put(Yaml.node("n2", "", "taints: [{key: a, effect: PreferNoSchedule}]", "{cpu: 4, pods: 9}"));
        assertThat(penalties(pod("p", ""))).isEqualTo(Map.of("n1", 100, "n2", 50, "n3", 0));
        assertThat(new NodeVerdict(pod("p", ""), occupancy).summary()).isEqualTo("3 of 3 nodes could take it");
        assertThat(penalties(pod("p", "tolerations: [{key: a, operator: Exists, effect: NoSchedule}]")))
                .isEqualTo(Map.of("n1", 100, "n2", 50, "n3", 0));
        assertThat(penalties(pod("p", "tolerations: [{key: a, operator: Exists}]")))
                .isEqualTo(Map.of("n1", 100, "n2", 0, "n3", 0));
        assertThat(PodPenalties.concern(pod("p", "tolerations: [{operator: Exists}]"), occupancy))
                .isFalse();
    }

    /** Two db in zone a, one of them on n1: n1 has 2 x 10 - 30, n2 20, n3 0; of -10 to 20 that is 0, 100 and 33. */
    @Test
    void preferredAffinityAndAntiAffinityAreSummedOverTheDomains() {
        occupancy.put(pod("db1", "").boundTo("n1"));
        occupancy.put(pod("db2", "").boundTo("n2"));
        PodFacts pod = pod(
                "p",
                "affinity: {podAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 10,"
                        + " podAffinityTerm: {topologyKey: zone, labelSelector: {matchLabels: {app: db}}}}]},"
                        + " podAntiAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 30,"
                        + " podAffinityTerm: {topologyKey: disk, labelSelector: {matchLabels: {app: db}}}}]}}");
        assertThat(penalties(pod)).isEqualTo(Map.of("n1", 100, "n2", 0, "n3", 67));
    }

    /** One that runs would have web apart from it, another must be near web, which counts 1: of -5 to 1, 0 to 100. */
    @Test
    void thoseThatRunHaveTheirSay() {
        PodFacts web = pod("web1", "");
        occupancy.put(pod(
                        "lonely1",
                        "affinity: {podAntiAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 5,"
                                + " podAffinityTerm: {topologyKey: zone, labelSelector: {matchLabels: {app: web}}}}]}}")
                .boundTo("n1"));
        occupancy.put(pod(
                        "near1",
                        "affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{"
                                + " topologyKey: zone, labelSelector: {matchLabels: {app: web}}}]}}")
                .boundTo("n3"));
        assertThat(PodPenalties.concern(web, occupancy)).isTrue();
        assertThat(PodPenalties.concern(pod("db1", ""), occupancy)).isFalse();
        assertThat(penalties(web)).isEqualTo(Map.of("n1", 100, "n2", 100, "n3", 0));
    }

    /**
     * Three in zone a, one in b; two zones weigh ln 4 = 1.386: 4 and 1, of 4: 25 and 100 points, which count twice. A
     * node without the label gets none.
     */
    @Test
    void aSoftSpreadCountsTwice() {
        for (int k = 1; k <= 4; k++) {
            occupancy.put(pod("p" + k, "").boundTo(k == 4 ? "n3" : "n" + (1 + k % 2)));
        }
        String spread = "topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: %s,"
                + " labelSelector: {matchLabels: {app: p}}}]";
        PodFacts pod = pod("p9", String.format(spread, "ScheduleAnyway"));
        assertThat(penalties(pod)).isEqualTo(Map.of("n1", 150, "n2", 150, "n3", 0));
        occupancy.put(Yaml.node("n4", ""));
        assertThat(penalties(pod)).containsEntry("n4", 200);
        assertThat(PodPenalties.concern(pod("p9", String.format(spread, "DoNotSchedule")), occupancy))
                .isFalse();
    }
}
