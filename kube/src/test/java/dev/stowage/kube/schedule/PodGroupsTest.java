package dev.stowage.kube.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.policy.PolicySpec;
import dev.stowage.kube.Yaml;
import dev.stowage.kube.translate.GroupSize;
import dev.stowage.kube.translate.PodFacts;
import dev.stowage.kube.translate.PodReader;
import dev.stowage.policies.Policies;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Groups of pods that are placed together or not at all, without a cluster. */
final class PodGroupsTest {
    private static final long PATIENCE = 1000;
    private static final String APART = "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution:"
            + " [{topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: train}}}]}}";

    private final Map<String, PodFacts> bound = new LinkedHashMap<>();
    private final Set<String> evicted = new TreeSet<>();
    private final Set<String> waits = new TreeSet<>();
    private long clock = 1000;
    private ClusterEngine engine = started("bf-js");

    private ClusterEngine started(String policy) {
        bound.clear();
        ClusterEngine made = new ClusterEngine(
                "stowage",
                PolicySpec.of(policy),
                new Policies(),
                10,
                () -> clock++,
                new Decisions() {
                    @Override
                    public void bind(PodFacts pod, String node, String reason) {
                        assertThat(bound.put(pod.name(), pod)).as(pod.name()).isNull();
                    }

                    @Override
                    public void evict(PodFacts pod, String reason) {
                        assertThat(reason).contains("train");
                        evicted.add(pod.name());
                    }

                    @Override
                    public void waits(PodFacts pod) {
                        waits.add(pod.name());
                    }
                },
                CommandLogs.NONE);
        for (int i = 1; i <= 3; i++) {
            made.node(Yaml.node("n" + i, "kubernetes.io/hostname: n" + i));
        }
        made.start();
        return made;
    }

    private static PodFacts member(String name, int least, String cpu, String spec) {
        return Yaml.facts(
                name,
                "app: train, scheduling.x-k8s.io/pod-group: train, pod-group.scheduling.sigs.k8s.io/min-available: '"
                        + least + "'",
                "cpu: " + cpu,
                spec);
    }

    private void offer(int from, int to, int least, String cpu) {
        for (int i = from; i <= to; i++) {
            engine.pod(member("t" + i, least, cpu, ""));
        }
    }

    /** As the API server reports it when the binding took effect. */
    private PodFacts asBound(String name) {
        return bound.get(name);
    }

    private void room(String node) {
        engine.node(Yaml.node(node, "kubernetes.io/hostname: " + node));
        engine.offerAgain();
    }

    /**
     * The last of a group waits for room while the others are bound, and their bindings are refused before it has some.
     */
    @Test
    void theRestDoesNotFollowThoseThatWereRefusedMeanwhile() {
        engine = started("bf-js");
        for (int i = 1; i <= 3; i++) {
            engine.pod(member("m" + i, 3, "3", ""));
        }
        assertThat(bound).hasSize(3);
        String node = bound.get("m3").node();
        engine.refused("u-m3", "no");
        engine.pod(Yaml.facts("rival", "", "cpu: 3", "").boundTo(node));
        bound.clear();
        engine.again("u-m3");
        engine.refused("u-m1", "no");
        engine.refused("u-m2", "no");
        engine.pod(Yaml.facts("another", "", "cpu: 3", "").boundTo(node.equals("n1") ? "n2" : "n1"));
        engine.podGone("u-rival");
        assertThat(bound).isEmpty();
        engine.podGone("u-another");
        engine.again("u-m1");
        engine.again("u-m2");
        assertThat(bound).hasSize(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"bf-js", "bf-j", "bf-s", "first-fit", "fifo-ff"})
    void allOrNothing(String policy) {
        engine = started(policy);
        offer(1, 4, 4, "3");
        assertThat(bound).isEmpty();
        assertThat(engine.explain("u-t1")).contains("could take it");
        room("n4");
        assertThat(bound.keySet()).containsExactlyInAnyOrder("t1", "t2", "t3", "t4");
        assertThat(bound.values())
                .allSatisfy(
                        pod -> assertThat(pod.group().placedWith()).containsExactly("u-t1", "u-t2", "u-t3", "u-t4"));
        assertThat(new TreeSet<>(bound.values().stream().map(PodFacts::node).toList()))
                .hasSize(4);
    }

    @Test
    void aGroupThatIsNotThereWaitsAndMoreThanItNeedsFollowOneByOne() {
        offer(1, 2, 3, "1");
        assertThat(engine.state("u-t1")).isEqualTo(PodState.GATHERING);
        assertThat(engine.explain("u-t1"))
                .isEqualTo("waits: its group train has 2 of the 3 pods that must be placed together");
        offer(3, 5, 3, "1");
        assertThat(bound).hasSize(5);
        assertThat(bound.get("t5").group().placedWith()).isEmpty();
    }

    private static GroupSize size(String api, String spec) {
        return GroupSize.of(
                api,
                Serialization.unmarshal(
                        "---\n{apiVersion: " + api
                                + "/v1alpha2, kind: PodGroup, metadata: {name: train, namespace: default}," + " spec: {"
                                + spec + "}}",
                        GenericKubernetesResource.class));
    }

    /** By label and by the pod's spec, with the object of either API. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "scheduling.x-k8s.io | minMember: 3, scheduleTimeoutSeconds: 10 | minMember: 2",
                "scheduling.k8s.io | schedulingPolicy: {gang: {minCount: 3}}, priority: 7 | schedulingPolicy: {gang: {minCount: 2}}",
                "scheduling.k8s.io | schedulingPolicy: {gang: {minCount: 3}} | schedulingPolicy: {basic: {}}"
            })
    void anObjectSaysHowManyAreBoundAtOnce(String api, String three, String fewer) {
        engine.pod(Yaml.facts("t1", "scheduling.x-k8s.io/pod-group: train", "cpu: 1", ""));
        engine.pod(Yaml.facts("t2", "", "cpu: 1", "schedulingGroup: {podGroupName: train}"));
        assertThat(engine.needsGroup(Objects.requireNonNull(engine.known("u-t1"))))
                .isTrue();
        assertThat(engine.state("u-t1")).isEqualTo(PodState.GATHERING);
        assertThat(engine.explain("u-t2"))
                .isEqualTo(
                        "waits: neither a PodGroup train nor the label pod-group.scheduling.sigs.k8s.io/min-available"
                                + " says how many pods of that group must be placed together");
        engine.group(size(api, three));
        assertThat(engine.needsGroup(Objects.requireNonNull(engine.known("u-t1"))))
                .isFalse();
        assertThat(bound).isEmpty();
        assertThat(engine.explain("u-t2"))
                .isEqualTo("waits: its group train has 2 of the 3 pods that must be placed together");
        engine.group(size(api, fewer));
        assertThat(bound).containsOnlyKeys("t1", "t2");
        engine.group(GroupSize.gone(api, "default/train"));
        engine.pod(Yaml.facts("t3", "scheduling.x-k8s.io/pod-group: train", "cpu: 1", ""));
        assertThat(bound).doesNotContainKey("t3");
        assertThat(engine.state("u-t3")).isEqualTo(PodState.GATHERING);
    }

    @Test
    void aGroupThatIsQueuedBecomesLarger() {
        engine.pod(Yaml.facts("big", "", "cpu: 4", "").boundTo("n1"));
        engine.group(size("scheduling.x-k8s.io", "minMember: 3"));
        for (int i = 1; i <= 3; i++) {
            engine.pod(Yaml.facts("t" + i, "scheduling.x-k8s.io/pod-group: train", "cpu: 3", ""));
        }
        assertThat(engine.state("u-t1")).isEqualTo(PodState.QUEUED);
        engine.group(size("scheduling.x-k8s.io", "minMember: 4"));
        engine.podGone("u-big");
        assertThat(bound).isEmpty();
        assertThat(engine.state("u-t1")).isEqualTo(PodState.GATHERING);
        engine.pod(Yaml.facts("t4", "scheduling.x-k8s.io/pod-group: train", "cpu: 1", ""));
        assertThat(bound.keySet()).containsExactlyInAnyOrder("t1", "t2", "t3", "t4");
    }

    @Test
    void thePodsOwnWordCountsBeforeThatOfAnObject() {
        engine.group(size("scheduling.x-k8s.io", "minMember: 9"));
        offer(1, 3, 3, "1");
        assertThat(bound).hasSize(3);
    }

    @Test
    void whatAnObjectAsksForAndIsNotKnownLetsItsPodsWait() {
        GroupSize near = size(
                "scheduling.k8s.io",
                "schedulingPolicy: {gang: {minCount: 2}}, schedulingConstraints: {topology: [{key: rack}]},"
                        + " disruptionMode: {all: {}}");
        assertThat(near.ignored()).isEqualTo("spec.disruptionMode");
        engine.group(near);
        engine.pod(Yaml.facts("t1", "", "cpu: 1", "schedulingGroup: {podGroupName: train}"));
        assertThat(engine.explain("u-t1"))
                .isEqualTo("waits: asks for something that Stowage does not know: the PodGroup default/train asks for"
                        + " it: spec.schedulingConstraints");
        engine.group(size("scheduling.k8s.io", "schedulingPolicy: {}"));
        assertThat(engine.explain("u-t1")).endsWith("a number of pods that is missing or not 1 to 10000");
        engine.group(size("scheduling.k8s.io", "schedulingPolicy: {gang: {minCount: 1}}"));
        assertThat(bound).containsOnlyKeys("t1");
    }

    @Test
    void aPodMoreIsNotPlacedBeforeTheGroup() {
        engine.pod(Yaml.facts("big", "", "cpu: 4", "").boundTo("n1"));
        offer(1, 4, 3, "3");
        assertThat(bound).isEmpty();
        assertThat(engine.state("u-t1")).isEqualTo(PodState.QUEUED);
        assertThat(engine.state("u-t4")).isEqualTo(PodState.GATHERING);
        assertThat(engine.explain("u-t1"))
                .startsWith("waits: 3 pods of its group train are placed together or not at all; for this one: ");
        engine.podGone("u-big");
        assertThat(bound.keySet()).containsExactlyInAnyOrder("t1", "t2", "t3");
        assertThat(engine.state("u-t4")).isEqualTo(PodState.QUEUED);
    }

    @Test
    void aPodMoreThanAGroupThatFitsNowhereWaitsForItAndTakesThePlaceOfOneThatGoes() {
        offer(1, 3, 3, "5");
        assertThat(engine.state("u-t1")).isEqualTo(PodState.FITS_NOWHERE);
        waits.clear();
        offer(4, 5, 3, "5");
        assertThat(waits).contains("t4", "t5");
        assertThat(engine.state("u-t4")).isEqualTo(PodState.GATHERING);
        assertThat(engine.explain("u-t4")).startsWith("waits: its group train ");
        engine.podGone("u-t1");
        for (int i = 1; i <= 3; i++) {
            engine.node(Yaml.node("n" + i, "", "", "{cpu: 8, memory: 8Gi, pods: 110}"));
        }
        engine.offerAgain();
        assertThat(bound.keySet()).containsExactlyInAnyOrder("t2", "t3", "t4");
        assertThat(engine.state("u-t5")).isEqualTo(PodState.QUEUED);
    }

    @Test
    void aGroupThatIsTakenOutForANeighbourOfTheSameStepIsToldSo() {
        engine = started("fifo-ff");
        for (int i = 1; i <= 3; i++) {
            engine.pod(Yaml.facts("big" + i, "", "cpu: 4", "").boundTo("n" + i));
        }
        engine.pod(Yaml.facts("alone", "", "cpu: 1", APART));
        offer(1, 2, 2, "1");
        assertThat(engine.state("u-t1")).isEqualTo(PodState.QUEUED);
        waits.clear();
        engine.podGone("u-big1");
        assertThat(bound).containsOnlyKeys("alone");
        assertThat(engine.state("u-t1")).isEqualTo(PodState.FITS_NOWHERE);
        assertThat(waits).containsExactly("t1", "t2");
        engine.podGone("u-big2");
        engine.offerAgain();
        assertThat(bound).containsOnlyKeys("alone", "t1", "t2");
    }

    @Test
    void aGroupThatLosesAPodWhileItWaitsIsNotPlacedSmaller() {
        engine.pod(Yaml.facts("big", "", "cpu: 4", "").boundTo("n1"));
        offer(1, 3, 3, "3");
        engine.podGone("u-t2");
        engine.podGone("u-big");
        assertThat(bound).isEmpty();
        assertThat(engine.state("u-t1")).isEqualTo(PodState.GATHERING);
        engine.pod(member("t9", 3, "3", ""));
        assertThat(bound.keySet()).containsExactlyInAnyOrder("t1", "t3", "t9");
    }

    @Test
    void whereOneIsRefusedItFollows() {
        offer(1, 3, 3, "3");
        assertThat(bound).hasSize(3);
        engine.pod(asBound("t1"));
        engine.pod(asBound("t2"));
        bound.remove("t3");
        engine.refused("u-t3", "denied");
        engine.lookAfterGroups(0, PATIENCE);
        engine.again("u-t3");
        assertThat(bound.get("t3").group().placedWith()).containsExactly("u-t1", "u-t2", "u-t3");
        engine.lookAfterGroups(2 * PATIENCE, PATIENCE);
        assertThat(evicted).isEmpty();
    }

    @Test
    void whereTheRestCannotFollowThePartIsUndone() {
        offer(1, 3, 3, "3");
        PodFacts one = asBound("t1");
        PodFacts two = asBound("t2");
        String room = asBound("t3").node();
        engine.pod(one);
        engine.pod(two);
        engine.refused("u-t3", "denied");
        engine.pod(Yaml.facts("rival", "", "cpu: 3", "").boundTo(room));
        engine.again("u-t3");
        undo();
        // A pod that is evicted and created again waits with the rest, and is bound when there is room.
        engine.podGone("u-t1");
        engine.podGone("u-t2");
        bound.clear();
        engine.lookAfterGroups(3 * PATIENCE, PATIENCE);
        engine.pod(member("t1b", 3, "3", ""));
        engine.pod(member("t2b", 3, "3", ""));
        assertThat(bound).isEmpty();
        room("n4");
        assertThat(bound.keySet()).containsExactlyInAnyOrder("t1b", "t2b", "t3");
    }

    private void undo() {
        engine.lookAfterGroups(0, PATIENCE);
        engine.lookAfterGroups(PATIENCE - 1, PATIENCE);
        assertThat(evicted).isEmpty();
        engine.lookAfterGroups(PATIENCE, PATIENCE);
        assertThat(evicted).containsExactly("t1", "t2");
    }

    /** Two of three members run, a rival took the place of the third, and the scheduler was started again. */
    private List<PodFacts> startedAgainInPart() {
        offer(1, 3, 3, "3");
        PodFacts one = asBound("t1");
        PodFacts two = asBound("t2");
        String room = asBound("t3").node();
        engine = started("bf-js");
        engine.pod(one);
        engine.pod(two);
        engine.pod(Yaml.facts("rival", "", "cpu: 3", "").boundTo(room));
        engine.pod(member("t3", 3, "3", ""));
        return List.of(one, two);
    }

    @Test
    void aGroupInPartIsKnownAfterARestart() {
        startedAgainInPart();
        assertThat(bound).isEmpty();
        undo();
    }

    @Test
    void whatABudgetKeepsIsTriedAgainAndTheRestMayFollowMeanwhile() {
        aGroupInPartIsKnownAfterARestart();
        evicted.clear();
        engine.lookAfterGroups(2 * PATIENCE, PATIENCE);
        assertThat(evicted).isEmpty();
        room("n4");
        assertThat(bound).containsOnlyKeys("t3");
    }

    @Test
    void whatIsBeingUndoneIsNotJoined() {
        startedAgainInPart();
        undo();
        room("n4");
        // It is offered, because it asks for less now, and would fit.
        engine.pod(member("t3", 3, "2", ""));
        assertThat(bound).isEmpty();
    }

    @Test
    void whileWhatIsEvictedEndsTheRestDoesNotFollow() {
        List<PodFacts> placed = startedAgainInPart();
        undo();
        for (PodFacts pod : placed) {
            engine.pod(ending(pod));
        }
        engine.lookAfterGroups(2 * PATIENCE, PATIENCE);
        engine.lookAfterGroups(4 * PATIENCE, PATIENCE);
        room("n4");
        engine.podGone("u-t1");
        engine.lookAfterGroups(5 * PATIENCE, PATIENCE);
        assertThat(bound).isEmpty();
        engine.podGone("u-t2");
        engine.lookAfterGroups(6 * PATIENCE, PATIENCE);
        assertThat(bound).isEmpty();
        engine.pod(member("t1b", 3, "3", ""));
        engine.pod(member("t2b", 3, "3", ""));
        assertThat(bound.keySet()).containsExactlyInAnyOrder("t1b", "t2b", "t3");
    }

    /** As the API server reports it while the pod ends. */
    private static PodFacts ending(PodFacts pod) {
        var ending = Yaml.pod(pod.name(), "", "cpu: 3", "");
        ending.getMetadata().setLabels(pod.labels());
        ending.getMetadata()
                .setAnnotations(Map.of(
                        "stowage.dev/placed-with", String.join(",", pod.group().placedWith())));
        ending.getMetadata().setDeletionTimestamp("2026-03-04T05:06:07Z");
        ending.getSpec().setNodeName(pod.node());
        return PodReader.read(ending);
    }

    @Test
    void aGroupThatWasWholeIsNotUndoneWhenItLosesAPod() {
        offer(1, 3, 3, "3");
        for (String name : new String[] {"t1", "t2", "t3"}) {
            engine.pod(asBound(name));
        }
        String room = asBound("t3").node();
        engine.podGone("u-t3");
        engine.pod(Yaml.facts("rival", "", "cpu: 3", "").boundTo(room));
        engine.pod(member("t3b", 3, "3", ""));
        engine.lookAfterGroups(0, PATIENCE);
        engine.lookAfterGroups(2 * PATIENCE, PATIENCE);
        assertThat(evicted).isEmpty();
        room("n4");
        assertThat(bound.get("t3b").node()).isEqualTo("n4");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bf-js", "bf-j", "bf-s", "first-fit", "fifo-ff"})
    void podsOfAGroupThatKeepApartAreApart(String policy) {
        engine = started(policy);
        for (int i = 1; i <= 3; i++) {
            engine.pod(member("t" + i, 3, "1", APART));
        }
        assertThat(new TreeSet<>(bound.values().stream().map(PodFacts::node).toList()))
                .containsExactly("n1", "n2", "n3");
        bound.clear();
        // Four on three nodes that must be apart: none is placed, and it is not retried for ever.
        engine = started(policy);
        for (int i = 1; i <= 4; i++) {
            engine.pod(member("t" + i, 4, "1", APART));
        }
        assertThat(bound).isEmpty();
        engine.offerAgain();
        assertThat(bound).isEmpty();
        room("n4");
        assertThat(bound).hasSize(4);
    }

    @Test
    void whatIsNotKnownOfAGroupIsSaid() {
        engine.pod(Yaml.facts(
                "a",
                "scheduling.x-k8s.io/pod-group: train, pod-group.scheduling.sigs.k8s.io/min-available: all",
                "cpu: 1",
                ""));
        assertThat(engine.state("u-a")).isEqualTo(PodState.NOT_KNOWN);
        assertThat(engine.explain("u-a"))
                .endsWith("the pod group train, whose pod-group.scheduling.sigs.k8s.io/min-available is not a number"
                        + " from 1 to 10000");
        engine.pod(Yaml.facts("w", "", "cpu: 1", "workloadRef: {name: w, podGroup: g}"));
        assertThat(engine.explain("u-w")).contains("spec.workloadRef (groups of Kubernetes 1.35");
        engine.pod(Yaml.facts("b", "scheduling.k8s.io/group-name: train", "cpu: 1", ""));
        assertThat(engine.explain("u-b")).contains("a pod group by scheduling.k8s.io/group-name");
        engine.pod(member(
                "c",
                2,
                "1",
                "topologySpreadConstraints: [{maxSkew: 1, topologyKey: kubernetes.io/hostname, whenUnsatisfiable:"
                        + " DoNotSchedule, labelSelector: {matchLabels: {app: train}}}]"));
        assertThat(engine.explain("u-c")).contains("topology spread of pods that are placed together");
        assertThat(bound).isEmpty();
    }
}
