package dev.stowage.kube.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.kube.preempt.DisruptionBudgets;
import dev.stowage.kube.translate.PodFacts;
import dev.stowage.kube.translate.PodReader;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Promised room: of pods that wait for one that does not end, or are not bound, or that others have promised. */
final class PromisesTest extends TwoFullNodes {
    @Test
    void whereAPodDoesNotEndAnotherNodeIsChosen() {
        engine.pod(pod("high", 10, "cpu: 2", ""));
        look();
        assertThat(evicted).containsExactly("a for high on n1");
        engine.pod(leaving("a", 1, "cpu: 2", "n1"));
        nanos += 30 * SECOND;
        engine.preempt(nanos, 60 * SECOND);
        nanos += 89 * SECOND;
        engine.preempt(nanos, 60 * SECOND);
        assertThat(evicted).as("30 s of grace, and 60 s").hasSize(1);
        nanos += 2 * SECOND;
        engine.preempt(nanos, 60 * SECOND);
        // The other pod on the node goes, for it is of lower priority than the one on n2.
        assertThat(evicted).containsExactly("a for high on n1", "b for high on n1");
        engine.pod(leaving("b", 2, "cpu: 2", "n1"));
        nanos += 30 * SECOND;
        engine.preempt(nanos, 60 * SECOND);
        nanos += 91 * SECOND;
        engine.preempt(nanos, 60 * SECOND);
        assertThat(evicted).last().isEqualTo("c for high on n2");
        engine.podGone("u-c");
        engine.bindNominated();
        assertThat(bound).containsExactly(Map.entry("high", "n2"));
    }

    @Test
    void whereNoOtherNodeWouldDoThePromiseOfTheStuckOneIsKeptAndItIsSaid() {
        engine.budgets(new DisruptionBudgets(List.of(budget("b", 0), budget("c", 0))));
        engine.pod(pod("high", 10, "cpu: 2", ""));
        look();
        engine.pod(leaving("a", 1, "cpu: 2", "n1"));
        look();
        nanos += 100 * SECOND;
        look();
        assertThat(evicted).containsExactly("a for high on n1");
        assertThat(engine.state("u-high")).isEqualTo(PodState.NOMINATED);
        assertThat(engine.explain("u-high"))
                .contains("default/a has not ended on n1, 60 s after its grace period of 30 s", "disruption budget");
        engine.podGone("u-a");
        engine.bindNominated();
        assertThat(bound).containsExactly(Map.entry("high", "n1"));
    }

    @Test
    void theRoomOfAPodWhoseBindingIsRefusedIsKeptForAWhile() {
        engine.pod(pod("high", 10, "cpu: 2", ""));
        look();
        engine.podGone("u-a");
        engine.bindNominated();
        assertThat(bound).containsExactly(Map.entry("high", "n1"));
        bound.clear();
        engine.refused("u-high", "the guard says no");
        engine.pod(pod("low", 3, "cpu: 2", ""));
        look();
        engine.bindNominated();
        assertThat(bound).isEmpty();
        assertThat(engine.explain("u-high")).contains("the guard says no");
        engine.again("u-high");
        engine.bindNominated();
        assertThat(bound).containsExactly(Map.entry("high", "n1"));
        bound.clear();
        nanos += 91 * SECOND;
        look();
        engine.refused("u-high", "no");
        assertThat(engine.state("u-high")).isEqualTo(PodState.HELD);
        assertThat(notNominated).containsExactly("high");
    }

    @Test
    void theNominatedNodeThatSomebodyElseWroteIsRemovedWhereNothingComesOfIt() {
        Pod high = object("high", 10, "cpu: 100", "");
        high.setStatus(new PodStatusBuilder().withNominatedNodeName("n1").build());
        engine.pod(PodReader.read(high));
        look();
        assertThat(notNominated).containsExactly("high");
    }

    private static PodFacts ofAnother(String name, int priority, String node) {
        Pod pod = object(name, priority, "cpu: 2", "");
        pod.getSpec().setSchedulerName("another");
        pod.setStatus(new PodStatusBuilder().withNominatedNodeName(node).build());
        return PodReader.read(pod);
    }

    @Test
    void roomThatAnotherSchedulerHasPromisedIsLeftToItForAsLongAsOthersLeaveForIt() {
        engine.pod(ofAnother("theirs", 5, "n1"));
        engine.pod(leaving("a", 1, "cpu: 2", "n1"));
        engine.lookAfterPromises(nanos);
        nanos += 100 * SECOND;
        engine.lookAfterPromises(nanos);
        engine.podGone("u-a");
        engine.pod(pod("low", 0, "cpu: 2", ""));
        look();
        assertThat(bound).isEmpty();
        assertThat(engine.counts()).containsEntry(PodState.PROMISED, 1);
        nanos += 9 * SECOND;
        engine.lookAfterPromises(nanos);
        assertThat(bound).isEmpty();
        nanos += 2 * SECOND;
        engine.lookAfterPromises(nanos);
        look();
        assertThat(bound).containsExactly(Map.entry("low", "n1"));
        // The same words once more change nothing; another node does.
        engine.pod(ofAnother("theirs", 5, "n1"));
        assertThat(engine.counts()).doesNotContainKey(PodState.PROMISED);
        engine.pod(ofAnother("theirs", 5, "n2"));
        assertThat(engine.counts()).containsEntry(PodState.PROMISED, 1);
        engine.pod(ofAnother("theirs", 5, "n2").boundTo("n2"));
        assertThat(engine.state("u-theirs")).isEqualTo(PodState.BOUND);
    }

    @Test
    void aHigherOneTakesTheRoomThatAnotherSchedulerHasPromised() {
        engine.pod(leaving("a", 1, "cpu: 2", "n1"));
        engine.pod(ofAnother("theirs", 5, "n1"));
        engine.pod(pod("high", 10, "cpu: 2", "nodeSelector: {kubernetes.io/hostname: n1}"));
        look();
        assertThat(evicted).isEmpty();
        assertThat(engine.state("u-high")).isEqualTo(PodState.NOMINATED);
        engine.podGone("u-a");
        engine.bindNominated();
        assertThat(bound).containsExactly(Map.entry("high", "n1"));
    }
}
