package dev.stowage.kube.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.policy.PolicySpec;
import dev.stowage.kube.Yaml;
import dev.stowage.kube.translate.PodFacts;
import dev.stowage.policies.Policies;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What pods prefer, on its way to the node that they get. Nodes have 4 cores. */
final class PreferringTest {
    private static final String SSD =
            "affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1,"
                    + " preference: {matchExpressions: [{key: disk, operator: In, values: [ssd]}]}}]}}";

    private final Map<String, String> bound = new LinkedHashMap<>();
    private final Map<String, String> reasons = new LinkedHashMap<>();
    private long clock = 1000;

    private ClusterEngine engine(String policy, int preferences) {
        ClusterEngine engine = new ClusterEngine(
                "stowage",
                PolicySpec.of(policy),
                new Policies(),
                preferences,
                () -> clock++,
                new Decisions() {
                    @Override
                    public void bind(PodFacts pod, String node, String reason) {
                        bound.put(pod.name(), node);
                        reasons.put(pod.name(), reason);
                    }

                    @Override
                    public void evict(PodFacts pod, String reason) {
                        throw new AssertionError(pod.path() + " was evicted");
                    }

                    @Override
                    public void waits(PodFacts pod) {}
                },
                CommandLogs.NONE);
        engine.node(Yaml.node("n1", "zone: a, kubernetes.io/hostname: n1"));
        engine.node(Yaml.node("n2", "zone: a, kubernetes.io/hostname: n2, disk: ssd"));
        engine.node(Yaml.node("n3", "zone: b, kubernetes.io/hostname: n3"));
        engine.start();
        // So that packing would choose n1.
        engine.pod(pod("full1", "1", "").boundTo("n1"));
        return engine;
    }

    private static PodFacts pod(String name, String cores, String spec) {
        return Yaml.facts(name, "app: " + name.replaceAll("[0-9]", ""), "cpu: " + cores, spec);
    }

    @ParameterizedTest
    @ValueSource(strings = {"bf-js", "bf-j", "bf-due", "best-fit", "first-fit", "fifo-ff"})
    void preferredNodesComeBeforePacking(String policy) {
        ClusterEngine engine = engine(policy, 10);
        engine.pod(pod("plain1", "1", ""));
        engine.pod(pod("p1", "3", SSD));
        engine.pod(pod("p2", "2", SSD));
        assertThat(bound).isEqualTo(Map.of("plain1", "n1", "p1", "n2", "p2", "n1"));
        assertThat(reasons.get("plain1")).doesNotContain("preferences");
        assertThat(reasons.get("p1")).contains("; no node suits its preferences better;");
        assertThat(reasons.get("p2")).contains("; 1 node suits its preferences better, but has no room for it");
    }

    @ParameterizedTest
    @CsvSource({"bf-js, 0", "bf-s, 10"})
    void whereTheyDoNotCountTheyAreNamed(String policy, int preferences) {
        ClusterEngine engine = engine(policy, preferences);
        engine.pod(pod("p1", "3", SSD));
        assertThat(bound).isEqualTo(Map.of("p1", "n1"));
        engine.pod(pod("p2", "5", SSD));
        assertThat(engine.explain("u-p2")).endsWith(". Ignored preferences: preferred node affinity");
    }

    /** n2 has 100 points, n1 25: a step of 100 points is not reached, one of 50 is. */
    @ParameterizedTest
    @CsvSource({"1, n1", "2, n2", "100, n2"})
    void theWeightSaysHowManyPointsCount(int preferences, String node) {
        ClusterEngine engine = engine("bf-js", preferences);
        engine.pod(pod(
                "p1",
                "1",
                "affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 3, preference:"
                        + " {matchExpressions: [{key: disk, operator: Exists}]}}, {weight: 1, preference:"
                        + " {matchExpressions: [{key: zone, operator: Exists}]}}]}}"));
        assertThat(bound).isEqualTo(Map.of("p1", node));
    }

    @Test
    void discouragedNodesComeLast() {
        ClusterEngine engine = engine("bf-js", 10);
        engine.node(Yaml.node("n1", "", "taints: [{key: old, effect: PreferNoSchedule}]", "{cpu: 4, pods: 110}"));
        for (int k = 1; k <= 3; k++) {
            engine.pod(pod("p" + k, "3", ""));
        }
        engine.pod(pod("t1", "1", "tolerations: [{key: old, operator: Exists}]"));
        assertThat(bound).containsEntry("p3", "n1");
        assertThat(bound.get("t1")).isIn("n2", "n3");
    }

    /** Each follows those placed before it: the marks of nodes are kept up to date. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "affinity: {podAntiAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1,"
                        + " podAffinityTerm: {topologyKey: kubernetes.io/hostname, labelSelector:"
                        + " {matchLabels: {app: web}}}}]}}",
                "topologySpreadConstraints: [{maxSkew: 1, topologyKey: kubernetes.io/hostname,"
                        + " whenUnsatisfiable: ScheduleAnyway, labelSelector: {matchLabels: {app: web}}}]"
            })
    void theyAreSpreadAsFarAsThereIsRoom(String spec) {
        ClusterEngine engine = engine("bf-js", 10);
        Map<String, Integer> counts = new TreeMap<>();
        for (int k = 1; k <= 6; k++) {
            engine.pod(pod("web" + k, "1", spec));
            counts.merge(bound.get("web" + k), 1, Integer::sum);
            int most = counts.values().stream().mapToInt(one -> one).max().orElse(0);
            assertThat(most).isEqualTo((k + 2) / 3);
        }
        for (int k = 7; k <= 11; k++) {
            engine.pod(pod("web" + k, "1", spec));
        }
        assertThat(bound).hasSize(11);
        engine.podGone("u-web2");
        engine.pod(pod("web12", "1", spec));
        assertThat(bound.get("web12")).isEqualTo(bound.get("web2"));
    }

    /** More kinds than keep their marks without a pod. */
    @Test
    void aKindThatComesAgainFollowsWhatCameMeanwhile() {
        ClusterEngine engine = engine("bf-js", 10);
        for (int round = 1; round <= 2; round++) {
            for (char app = 'a'; app < 'a' + 20; app++) {
                engine.pod(pod(
                        "app" + app + round,
                        "100m",
                        "affinity: {podAntiAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1,"
                                + " podAffinityTerm: {topologyKey: kubernetes.io/hostname, labelSelector:"
                                + " {matchLabels: {app: app" + app + "}}}}]}}"));
            }
        }
        for (char app = 'a'; app < 'a' + 20; app++) {
            assertThat(bound.get("app" + app + 2)).isNotNull().isNotEqualTo(bound.get("app" + app + 1));
        }
    }

    @Test
    void preferredAffinityBringsThemTogetherAndOneThatIsBoundElsewhereCounts() {
        ClusterEngine engine = engine("bf-js", 10);
        engine.pod(pod("db1", "1", "").boundTo("n3"));
        engine.pod(pod(
                "web1",
                "1",
                "affinity: {podAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1,"
                        + " podAffinityTerm: {topologyKey: zone, labelSelector: {matchLabels: {app: db}}}}]}}"));
        assertThat(bound).isEqualTo(Map.of("web1", "n3"));
    }
}
