package dev.stowage.kube.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.kube.Yaml;
import dev.stowage.kube.preempt.DisruptionBudgets;
import dev.stowage.kube.translate.PodFacts;
import dev.stowage.kube.translate.PodReader;
import io.fabric8.kubernetes.api.model.ContainerPortBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Preemption by the cluster's engine. */
final class NominationsTest extends TwoFullNodes {
    @ParameterizedTest
    @ValueSource(strings = {"bf-js", "bf-j", "fifo-ff", "first-fit", "best-fit"})
    void theLowestGoAndThePodIsBoundWhenTheyAreGone(String policy) {
        engine = engine(policy);
        twoFullNodes();
        engine.pod(pod("high", 10, "cpu: 2", ""));
        look();
        assertThat(evicted).containsExactly("a for high on n1");
        assertThat(engine.state("u-high")).isEqualTo(PodState.NOMINATED);
        assertThat(engine.explain("u-high"))
                .isEqualTo("waits until default/a of lower priority have gone from n1, which is promised to it");
        engine.pod(leaving("a", 1, "cpu: 2", "n1"));
        look();
        assertThat(bound).isEmpty();
        // No other pod takes the room meanwhile.
        engine.pod(pod("other", 0, "cpu: 1", ""));
        engine.podGone("u-a");
        assertThat(bound).isEmpty();
        engine.bindNominated();
        assertThat(bound).containsExactly(Map.entry("high", "n1"));
        assertThat(engine.free("n1")).containsEntry("cpu", 0L);
        look();
        assertThat(evicted).hasSize(1);
        engine.pod(pod("high", 10, "cpu: 2", "").boundTo("n1"));
        assertThat(engine.state("u-high")).isEqualTo(PodState.BOUND);
        // A pod that leaves makes room for a waiting one.
        engine.podGone("u-b");
        engine.offerAgain();
        assertThat(bound).containsEntry("other", "n1");
    }

    /** Room that is promised to a pod may not become free, so nobody is near it before it is bound. */
    @Test
    void nobodyIsNearAPodThatIsNotBound() {
        Pod high = object("high", 10, "cpu: 2", "");
        high.getMetadata().setLabels(Map.of("app", "web"));
        engine.pod(PodReader.read(high));
        look();
        assertThat(evicted).containsExactly("a for high on n1");
        engine.pod(pod(
                "near",
                0,
                "cpu: 0",
                "affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey:"
                        + " kubernetes.io/hostname, labelSelector: {matchLabels: {app: web}}}]}}"));
        assertThat(bound).isEmpty();
        engine.podGone("u-a");
        engine.bindNominated();
        engine.offerAgain();
        assertThat(bound).containsOnlyKeys("high");
        engine.pod(PodReader.read(high).boundTo("n1"));
        engine.offerAgain();
        assertThat(bound).containsEntry("near", "n1");
    }

    @Test
    void nobodyOfEqualPriorityGoes() {
        engine.pod(pod("same", 1, "cpu: 2", ""));
        look();
        assertThat(evicted).isEmpty();
        assertThat(engine.explain("u-same")).doesNotContain("preemption");
        engine.pod(pod("third", 3, "cpu: 4", "nodeSelector: {kubernetes.io/hostname: n2}"));
        look();
        assertThat(evicted).isEmpty();
        assertThat(engine.explain("u-third"))
                .endsWith("preemption: evicting pods of lower priority would not make room on any node");
    }

    @Test
    void whoMayNotIsToldSo() {
        engine.pod(pod("never", 10, "cpu: 2", "preemptionPolicy: Never"));
        for (String name : new String[] {"member", "another"}) {
            Pod member = object(name, 10, "cpu: 2", "");
            member.getMetadata()
                    .setLabels(Map.of(
                            "scheduling.x-k8s.io/pod-group",
                            "g",
                            "pod-group.scheduling.sigs.k8s.io/min-available",
                            "2"));
            engine.pod(PodReader.read(member));
        }
        look();
        assertThat(evicted).isEmpty();
        assertThat(engine.explain("u-never")).endsWith("; preemption: its preemptionPolicy is Never");
        assertThat(engine.explain("u-member")).endsWith("; preemption: no pod is evicted for a pod of a group");
    }

    @Test
    void budgetsAreKeptAndNamed() {
        engine.budgets(new DisruptionBudgets(List.of(budget("a", 0), budget("b", 0), budget("c", 0))));
        engine.pod(pod("high", 10, "cpu: 2", ""));
        look();
        assertThat(evicted).isEmpty();
        assertThat(engine.explain("u-high"))
                .endsWith("preemption: there would be room on n1, but the disruption budget default/of-a allows no"
                        + " disruption now, and keeps default/a");
        engine.budgets(new DisruptionBudgets(List.of(budget("a", 0), budget("b", 1), budget("c", 0))));
        look();
        look();
        assertThat(evicted).containsExactly("b for high on n1");
    }

    @Test
    void beforeBudgetsAreKnownNobodyGoes() {
        engine = engine("bf-js");
        fill(engine);
        engine.start();
        engine.pod(pod("high", 10, "cpu: 2", ""));
        look();
        assertThat(evicted).isEmpty();
        assertThat(engine.explain("u-high")).endsWith("the disruption budgets of the cluster are not known yet");
    }

    @Test
    void whatIsRefusedIsLeftAloneForAWhile() {
        engine.pod(pod("high", 10, "cpu: 2", ""));
        look();
        engine.notEvicted("u-high", "u-a", List.of("u-a"), "to evict default/a was refused: budget", nanos);
        assertThat(engine.state("u-high")).isEqualTo(PodState.QUEUED);
        assertThat(notNominated).containsExactly("high");
        assertThat(engine.free("n1")).containsEntry("cpu", 0L);
        assertThat(engine.explain("u-high")).endsWith("preemption: to evict default/a was refused: budget");
        engine.preempt(nanos + SECOND / 2, 60 * SECOND);
        assertThat(evicted).hasSize(1);
        look();
        assertThat(evicted).containsExactly("a for high on n1", "b for high on n1");
        engine.notEvicted("u-high", "u-b", List.of("u-b"), "no", nanos);
        look();
        assertThat(evicted).hasSize(2);
        for (int i = 0; i < 12; i++) {
            look();
        }
        // Enough time has passed that a may be evicted again.
        assertThat(evicted).contains("c for high on n2");
    }

    @Test
    void aPodThatDisappearsGivesItsRoomUp() {
        engine.pod(pod("high", 10, "cpu: 2", ""));
        look();
        engine.podGone("u-high");
        engine.podGone("u-a");
        engine.bindNominated();
        engine.pod(pod("other", 0, "cpu: 2", ""));
        assertThat(bound).containsExactly(Map.entry("other", "n1"));
    }

    @Test
    void whoComesToLeadGoesOnAndEvictsNobodyElse() {
        engine.pod(pod("high", 10, "cpu: 4", "nodeSelector: {kubernetes.io/hostname: n1}"));
        look();
        assertThat(evicted).containsExactlyInAnyOrder("a for high on n1", "b for high on n1");
        evicted.clear();
        engine = engine("bf-js");
        fill(engine);
        engine.pod(leaving("a", 1, "cpu: 2", "n1"));
        engine.budgets(new DisruptionBudgets(List.of()));
        engine.start();
        // n2 would now be as good, with as many victims, but the pod is nominated to n1.
        Pod high = object("high", 10, "cpu: 4", "");
        high.setStatus(new PodStatusBuilder().withNominatedNodeName("n1").build());
        engine.pod(PodReader.read(high));
        look();
        assertThat(evicted).containsExactly("b for high on n1");
        engine.podGone("u-a");
        look();
        assertThat(bound).isEmpty();
        engine.podGone("u-b");
        look();
        assertThat(bound).containsExactly(Map.entry("high", "n1"));
        assertThat(evicted).hasSize(1);
    }

    @Test
    void whereSomebodyElseTakesTheRoomItIsOfferedAgain() {
        engine.pod(pod("high", 10, "cpu: 2", ""));
        look();
        engine.podGone("u-a");
        PodFacts rival = pod("rival", 20, "cpu: 2", "").boundTo("n1");
        engine.pod(rival);
        engine.bindNominated();
        assertThat(bound).isEmpty();
        look();
        assertThat(notNominated).containsExactly("high");
        look();
        look();
        assertThat(evicted).containsExactly("a for high on n1", "b for high on n1");
    }

    @Test
    void aHigherOneTakesTheRoomThatIsPromised() {
        engine.pod(pod("high", 10, "cpu: 2", ""));
        look();
        engine.pod(pod("higher", 20, "cpu: 2", "nodeSelector: {kubernetes.io/hostname: n1}"));
        look();
        // The room that is made for one pod is enough for the other.
        assertThat(evicted).containsExactly("a for high on n1");
        look();
        assertThat(engine.state("u-higher")).isEqualTo(PodState.NOMINATED);
        look();
        look();
        assertThat(evicted).containsExactly("a for high on n1", "b for high on n1");
        engine.podGone("u-a");
        engine.bindNominated();
        assertThat(bound).containsKey("higher");
    }

    @Test
    void portsOfTheNodeAreFreed() {
        Pod web = Yaml.pod("web", "app: web", "cpu: 1", "");
        web.getSpec()
                .getContainers()
                .get(0)
                .setPorts(List.of(new ContainerPortBuilder()
                        .withHostPort(80)
                        .withContainerPort(80)
                        .build()));
        web.getSpec().setPriority(10);
        Pod old = Yaml.pod("old", "app: old", "cpu: 0", "nodeName: n2");
        old.getSpec()
                .getContainers()
                .get(0)
                .setPorts(web.getSpec().getContainers().get(0).getPorts());
        engine.podGone("u-c");
        engine.pod(PodReader.read(old));
        web.getSpec().setNodeSelector(Map.of("kubernetes.io/hostname", "n2"));
        engine.pod(PodReader.read(web));
        look();
        assertThat(evicted).containsExactly("old for web on n2");
        engine.podGone("u-old");
        look();
        assertThat(bound).containsExactly(Map.entry("web", "n2"));
    }

    @Test
    void aNodeThatGoesIsPromisedNoMore() {
        engine.pod(pod("high", 10, "cpu: 2", ""));
        look();
        engine.nodeGone("n1");
        assertThat(notNominated).containsExactly("high");
        look();
        look();
        assertThat(evicted).containsExactly("a for high on n1", "c for high on n2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bf-js", "first-fit", "best-fit"})
    void aNodeThatFallsFreeIsTakenInPlaceOfThePromisedOne(String policy) {
        engine = engine(policy);
        twoFullNodes();
        engine.pod(pod("high", 10, "cpu: 2", ""));
        look();
        engine.pod(leaving("a", 1, "cpu: 2", "n1"));
        look();
        assertThat(engine.state("u-high")).isEqualTo(PodState.NOMINATED);
        engine.podGone("u-c");
        look();
        assertThat(bound).containsExactly(Map.entry("high", "n2"));
        assertThat(notNominated).containsExactly("high");
    }

    @Test
    void whoIsRefusedAgainAndAgainIsAskedFirstAndEverLater() {
        engine.budgets(new DisruptionBudgets(List.of(budget("c", 0))));
        engine.pod(pod("high", 10, "cpu: 4", ""));
        look();
        assertThat(evicted).containsExactlyInAnyOrder("a for high on n1", "b for high on n1");
        evicted.clear();
        engine.notEvicted("u-high", "u-b", List.of("u-b"), "no", nanos);
        nanos += 21 * SECOND;
        look();
        assertThat(evicted).containsExactly("b for high on n1", "a for high on n1");
        evicted.clear();
        engine.notEvicted("u-high", "u-b", List.of("u-b", "u-a"), "no", nanos);
        nanos += 15 * SECOND;
        look();
        assertThat(evicted).as("20 s have to pass now").isEmpty();
        nanos += 15 * SECOND;
        look();
        assertThat(evicted).first().isEqualTo("b for high on n1");
    }

    @Test
    void aLateRefusalDoesNotEndAnotherPromise() {
        engine.pod(pod("high", 10, "cpu: 2", ""));
        look();
        engine.notEvicted("u-high", "u-c", List.of("u-c"), "late", nanos);
        assertThat(engine.state("u-high")).isEqualTo(PodState.NOMINATED);
        engine.notEvicted("u-high", "u-a", List.of("u-a"), "no", nanos);
        assertThat(engine.state("u-high")).isNotEqualTo(PodState.NOMINATED);
    }

    @Test
    void whatIsLeavingIsPromisedBeforeBudgetsAreKnown() {
        engine = engine("bf-js");
        fill(engine);
        engine.pod(leaving("a", 1, "cpu: 2", "n1"));
        engine.pod(pod("high", 10, "cpu: 2", ""));
        engine.pod(pod("low", 0, "cpu: 2", ""));
        engine.start();
        engine.preempt(nanos, 60 * SECOND);
        assertThat(engine.state("u-high")).isEqualTo(PodState.NOMINATED);
        assertThat(evicted).isEmpty();
        engine.podGone("u-a");
        engine.bindNominated();
        assertThat(bound).containsExactly(Map.entry("high", "n1"));
    }

    @Test
    void aNodeThatIsOverfullInSomethingElseIsNoOtherNode() {
        engine.pod(pod("high", 10, "cpu: 2", ""));
        look();
        engine.pod(leaving("a", 1, "cpu: 2", "n1"));
        engine.pod(pod("large", 3, "memory: 1000Gi", "").boundTo("n2"));
        engine.podGone("u-c");
        look();
        assertThat(engine.state("u-high")).isEqualTo(PodState.NOMINATED);
        assertThat(notNominated).isEmpty();
    }
}
