package dev.stowage.kube.translate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.kube.Yaml;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PodReaderTest {
    private static PodFacts read(String spec) {
        return PodReader.read(Serialization.unmarshal(
                "---\n{apiVersion: v1, kind: Pod, metadata: {name: p, uid: u, namespace: ns}, spec: {" + spec + "}}",
                Pod.class));
    }

    @ParameterizedTest
    @CsvSource({
        "7200, 60, 7200, false",
        "'', 60, 60, true",
        "'', , 0, true",
        "2h, , 0, true",
        "0, 60, 60, true",
        ", 60, 60, false",
        ", , 0, false"
    })
    void theAnnotationSaysHowLongAPodRunsElseItsDeadline(
            @Nullable String annotation, @Nullable Long deadline, long seconds, boolean ignored) {
        Pod pod = new PodBuilder()
                .withNewMetadata()
                .withName("p")
                .withAnnotations(annotation == null ? null : Map.of("stowage.dev/expected-seconds", annotation))
                .endMetadata()
                .withNewSpec()
                .withActiveDeadlineSeconds(deadline)
                .endSpec()
                .build();
        PodFacts facts = PodReader.read(pod);
        assertThat(facts.expectedNanos()).isEqualTo(seconds * 1_000_000_000L);
        assertThat(String.join(", ", facts.ignored()).contains("stowage.dev/expected-seconds"))
                .isEqualTo(ignored);
    }

    @Test
    void containersAddUpAndInitContainersRunOneByOne() {
        // Containers 200m + 300m = 500m and 100Mi; init containers at most 700m and 50Mi; overhead 10m.
        PodFacts pod = read("containers: [{name: a, resources: {requests: {cpu: 200m, memory: 60Mi}}},"
                + " {name: b, resources: {requests: {cpu: 300m, memory: 40Mi}}}],"
                + " initContainers: [{name: i, resources: {requests: {cpu: 700m}}},"
                + " {name: j, resources: {requests: {memory: 50Mi}}}], overhead: {cpu: 10m}");
        assertThat(pod.requests()).isEqualTo(Map.of("cpu", 710L, "memory", 100L << 20, "pods", 1L));
    }

    @Test
    void sidecarsGoOnRunningBesideInitContainersBehindThemAndContainers() {
        // Containers 500m + sidecar 200m = 700m; the second init container 600m + sidecar 200m = 800m.
        PodFacts pod = read("containers: [{name: a, resources: {requests: {cpu: 500m}}}],"
                + " initContainers: [{name: s, restartPolicy: Always, resources: {requests: {cpu: 200m}}},"
                + " {name: i, resources: {requests: {cpu: 600m}}}]");
        assertThat(pod.requests()).containsEntry("cpu", 800L);
    }

    /** 100m of a container and 3 cores of the whole pod are 3 cores, and its overhead; other resources stay. */
    @Test
    void whatIsAskedForTheWholePodCountsInPlaceOfItsContainers() {
        PodFacts pod = read("containers: [{name: a, resources: {requests: {cpu: 100m, example.org/card: 2}}}],"
                + " resources: {requests: {cpu: 3, memory: 1Gi}}, overhead: {cpu: 10m}");
        assertThat(pod.requests())
                .isEqualTo(Map.of("cpu", 3010L, "memory", 1L << 30, "example.org/card", 2L, "pods", 1L));
        assertThat(pod.unknown()).isEmpty();
    }

    /** In containers all, in what is reported those that may be amounts: other reports change nothing. */
    @Test
    void whatMayBeDemandIsSeenAtEveryDepth() {
        assertThat(read("containers: [{name: a, wants: 1}], initContainers: [{name: i, resources: {later: 1}}]")
                        .closesItsNode())
                .contains("(containers.wants, resources.later)");
        assertThat(resized("phase: Running, laterResources: {cpu: 9}, lastSeen: 5")
                        .closesItsNode())
                .contains("(status.laterResources)");
        assertThat(resized("resources: {bounds: 1}, containerStatuses: [{name: a, allocatedLater: {cpu: 3},"
                                + " resources: {more: 1}, mood: good}]")
                        .closesItsNode())
                .contains("(status.resources.bounds, status.containerStatuses.allocatedLater,"
                        + " status.containerStatuses.resources.more)");
        assertThat(resized("phase: Running, lastSeen: 5, containerStatuses: [{name: a, mood: good}]")
                        .closesItsNode())
                .isEmpty();
    }

    private static PodFacts resized(String status) {
        return PodReader.read(Serialization.unmarshal(
                "---\n"
                        + "{apiVersion: v1, kind: Pod, metadata: {name: p, uid: u, namespace: ns}, spec: {containers:"
                        + " [{name: a, resources: {requests: {cpu: 1}}}, {name: b, resources: {requests: {cpu: 1}}}],"
                        + " initContainers: [{name: s, restartPolicy: Always, resources: {requests: {cpu: 500m}}}]},"
                        + " status: {" + status + "}}",
                Pod.class));
    }

    /** Wanted are 1 + 1 + .5 cores; of each container the largest of wanted, allocated and had counts. */
    @Test
    void duringAResizeTheLargestCounts() {
        assertThat(resized("phase: Running").requests()).containsEntry("cpu", 2500L);
        assertThat(resized("containerStatuses: [{name: a, allocatedResources: {cpu: 3}, resources: {requests:"
                                + " {cpu: 2}}}]")
                        .requests())
                .containsEntry("cpu", 4500L);
        assertThat(resized("containerStatuses: [{name: b, resources: {requests: {cpu: 2500m}}}],"
                                + " initContainerStatuses: [{name: s, allocatedResources: {cpu: 2}}]")
                        .requests())
                .containsEntry("cpu", 5500L);
        // It shrinks, and has not yet: 700m are allocated in place of 1 core, which is wanted.
        assertThat(resized("containerStatuses: [{name: a, allocatedResources: {cpu: 700m}}]")
                        .requests())
                .containsEntry("cpu", 2500L);
        // What is wanted cannot be had on its node, so it is not counted.
        String had = "containerStatuses: [{name: a, allocatedResources: {cpu: 700m}}], ";
        assertThat(resized(had + "conditions: [{type: PodResizePending, status: 'True', reason: Infeasible}]")
                        .requests())
                .containsEntry("cpu", 2200L);
        assertThat(resized(had + "resize: Infeasible").requests()).containsEntry("cpu", 2200L);
    }

    @Test
    void aPodThatIsNotUnderstoodClosesItsNode() {
        assertThat(read("containers: [{name: a}]").closesItsNode()).isEmpty();
        assertThat(read("containers: [{name: a}], schedulingGates: [{name: g}]").closesItsNode())
                .isEmpty();
        assertThat(read("containers: [{name: a, resources: {later: {cpu: 1}}}], more: 1")
                        .closesItsNode())
                .contains("what pod ns/p uses there is unknown (more, resources.later)");
    }

    @Test
    void aPodWithoutRequestsTakesRoomForOnePod() {
        assertThat(read("containers: [{name: a}]").requests()).isEqualTo(Map.of("pods", 1L));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "volumes: [{name: v, persistentVolumeClaim: {claimName: c}}] | volume claim",
                "volumes: [{name: v, awsElasticBlockStore: {volumeID: c}}] | volume v",
                "schedulingGates: [{name: g}] | scheduling gates",
                "resourceClaims: [{name: g}] | claims of devices",
                "resources: {requests: {example.org/card: 1}} | resources.requests.example.org/card",
                "aFieldOfTheFuture: 1 | aFieldOfTheFuture",
                "affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: z,"
                        + " namespaceSelector: {}}]}} | namespaceSelector",
                "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: z,"
                        + " namespaceSelector: {}}]}} | namespaceSelector",
                "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms:"
                        + " [{matchExpressions: [{key: a, operator: Near, values: [b]}]}]}}} | Near",
                "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms:"
                        + " [{matchFields: [{key: metadata.uid, operator: In, values: [b]}]}]}}} | metadata.name"
            })
    void whatIsNotKnownIsSaid(String spec, String said) {
        assertThat(String.join("; ", read(spec + ", containers: [{name: a}]").unknown()))
                .contains(said);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "affinity: {nodeAffinity:"
                        + " {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, preference:"
                        + " {matchExpressions: [{key: a, operator: Exists}]}}]}} | node affinity",
                "affinity: {podAffinity:"
                        + " {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, podAffinityTerm:"
                        + " {topologyKey: z}}]}} | pod affinity",
                "affinity: {podAntiAffinity:"
                        + " {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, podAffinityTerm:"
                        + " {topologyKey: z}}]}} | anti-affinity",
                "topologySpreadConstraints: [{maxSkew: 1, topologyKey: z,"
                        + " whenUnsatisfiable: ScheduleAnyway}] | spread over z"
            })
    void wishesAreNamedAndKeepNobodyWaiting(String spec, String said) {
        PodFacts pod = read(spec + ", containers: [{name: a}]");
        assertThat(pod.ignored()).isEmpty();
        assertThat(String.join("; ", pod.withoutPreferences().ignored())).contains(said);
        assertThat(pod.withoutPreferences().preferences()).isEqualTo(Preferences.NONE);
        assertThat(pod.unknown()).isEmpty();
    }

    @Test
    void aPreferenceForNamespacesByTheirLabelsIsIgnoredAndNamed() {
        PodFacts pod = read("containers: [{name: a}], affinity: {podAntiAffinity:"
                + " {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, podAffinityTerm: {topologyKey: z,"
                + " namespaceSelector: {}}}]}}");
        assertThat(pod.ignored()).containsExactly("preferred pod anti-affinity with a namespaceSelector");
        assertThat(pod.preferences()).isEqualTo(Preferences.NONE);
    }

    @Test
    void volumesThatAreHadEverywhereAreNoObstacle() {
        assertThat(read("volumes: [{name: a, emptyDir: {}}, {name: b, configMap: {name: c}}, {name: d, secret:"
                                + " {secretName: e}}, {name: f, hostPath: {path: /x}}], containers: [{name: a}]")
                        .unknown())
                .isEmpty();
    }

    @Test
    void aTermWithAValueThatNoLabelCanHaveHoldsNowhere() {
        // Found by FeasibilityTest: kube-scheduler cannot parse "-1", although every number of a label is above it.
        PodFacts pod = read("containers: [{name: a}], affinity: {nodeAffinity:"
                + " {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions:"
                + " [{key: num,"
                + " operator: Gt, values: ['-1']}]}]}}}");
        assertThat(pod.nodes().admits(Yaml.node("n", "num: '3'"))).isFalse();
    }

    /** A pod that runs with such terms is never placed or moved here; others keep away from it all the same. */
    @Test
    void anAntiAffinityOverNamespacesAndByKeysKeepsOthersAway() {
        PodTerm everywhere = term("labelSelector: {matchLabels: {app: db}}, namespaceSelector: {matchLabels: {t: x}}");
        assertThat(everywhere.selects("ns", Map.of("app", "db"))).isTrue();
        assertThat(everywhere.selects("other", Map.of("app", "db"))).isTrue();
        assertThat(everywhere.selects("other", Map.of("app", "web"))).isFalse();
        PodTerm plain = term("labelSelector: {matchLabels: {app: db}}");
        assertThat(plain.selects("other", Map.of("app", "db"))).isFalse();
        // Its own value of rev is 1; it has no label of the name none, so that says nothing.
        PodTerm same = term("labelSelector: {matchLabels: {app: db}}, matchLabelKeys: [rev, none]");
        assertThat(same.selects("ns", Map.of("app", "db", "rev", "1"))).isTrue();
        assertThat(same.selects("ns", Map.of("app", "db", "rev", "2"))).isFalse();
        assertThat(same.selects("ns", Map.of("app", "db"))).isFalse();
        PodTerm others = term("labelSelector: {matchLabels: {app: db}}, mismatchLabelKeys: [rev]");
        assertThat(others.selects("ns", Map.of("app", "db", "rev", "1"))).isFalse();
        assertThat(others.selects("ns", Map.of("app", "db", "rev", "2"))).isTrue();
        assertThat(others.selects("ns", Map.of("app", "db"))).isTrue();
    }

    private static PodTerm term(String term) {
        return PodReader.read(Serialization.unmarshal(
                        "---\n{apiVersion: v1, kind: Pod, metadata: {name: p, uid: u, namespace: ns, labels:"
                                + " {app: db, rev: '1'}}, spec: {containers: [{name: a}], affinity: {podAntiAffinity:"
                                + " {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: zone, " + term
                                + "}]}}}}",
                        Pod.class))
                .apart()
                .get(0);
    }

    @Test
    void hostPortsConflictByProtocolAndAddress() {
        HostPort all = new HostPort(HostPort.ANY, "TCP", 80);
        assertThat(all.conflictsWith(new HostPort("10.0.0.1", "TCP", 80))).isTrue();
        assertThat(all.conflictsWith(new HostPort(HostPort.ANY, "UDP", 80))).isFalse();
        assertThat(new HostPort("10.0.0.1", "TCP", 80).conflictsWith(new HostPort("10.0.0.2", "TCP", 80)))
                .isFalse();
    }

    @Test
    void cordonAndReadinessAreTaintsThatMayBeTolerated() {
        NodeFacts cordoned = Yaml.node("n", "", "unschedulable: true", "{cpu: 1}");
        assertThat(cordoned.taints()).containsExactly(Taint.CORDONED);
        PodFacts tolerant = read("tolerations: [{key: node.kubernetes.io/unschedulable, operator: Exists}],"
                + " containers: [{name: a}]");
        assertThat(cordoned.untolerated(tolerant.tolerations())).isEmpty();
        assertThat(cordoned.untolerated(read("containers: [{name: a}]").tolerations()))
                .contains(Taint.CORDONED);
    }

    @ParameterizedTest
    @CsvSource({
        "Gt, 5, 6, true",
        "Gt, 5, 5, false",
        "Lt, 5, 4, true",
        "Lt, 5, five, false",
        "Gt, -3, -2, true",
        "In, a, a, true",
        "NotIn, a, b, true",
        "NotIn, a, a, false"
    })
    void operatorsOfNodeAffinity(String operator, String asked, String label, boolean met) {
        LabelRule rule = new LabelRule("k", LabelRule.Operator.of(operator), java.util.List.of(asked));
        assertThat(rule.isMetBy(Map.of("k", label))).isEqualTo(met);
        assertThat(rule.isMetBy(Map.of())).isEqualTo(operator.equals("NotIn"));
    }

    @ParameterizedTest
    @CsvSource({
        "k, Equal, v, NoSchedule, true",
        "k, Equal, w, NoSchedule, false",
        "k, Exists, '', '', true",
        "'', Exists, '', '', true",
        "k, Exists, '', NoExecute, false",
        "j, Exists, '', '', false"
    })
    void tolerations(String key, String operator, String value, String effect, boolean tolerated) {
        TolerationRule rule = new TolerationRule(key, operator.equals("Exists"), value, effect);
        assertThat(rule.tolerates(new Taint("k", "v", "NoSchedule"))).isEqualTo(tolerated);
    }
}
