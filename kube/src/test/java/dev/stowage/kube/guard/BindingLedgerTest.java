package dev.stowage.kube.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.kube.Yaml;
import dev.stowage.kube.translate.PodFacts;
import dev.stowage.kube.translate.PodGpus;
import dev.stowage.kube.translate.PodReader;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the guard counts. Nodes have 4 cores. */
final class BindingLedgerTest {
    private final BindingLedger ledger = new BindingLedger();

    @BeforeEach
    void twoNodes() {
        ledger.node(Yaml.node("n1", ""));
        ledger.node(Yaml.node("n2", ""));
    }

    private static PodFacts pod(String name, String cpu) {
        return Yaml.facts(name, "", "cpu: " + cpu, "");
    }

    @Test
    void whatWasLetThroughCountsBeforeItIsSeen() {
        assertThat(ledger.ask(pod("a", "3"), "n1", false, 0)).isEmpty();
        assertThat(ledger.ask(pod("b", "2"), "n1", false, 0))
                .isEqualTo("node n1 lacks cpu: 1 core short (1 being bound to it, the first default/a)");
        assertThat(ledger.ask(pod("b", "2"), "n2", false, 0)).isEmpty();
        ledger.pod(pod("a", "3").boundTo("n1"));
        assertThat(ledger.promises()).isEqualTo(1);
        assertThat(ledger.ask(pod("c", "2"), "n1", false, 0)).isNotEmpty();
        ledger.podGone("u-a");
        assertThat(ledger.ask(pod("c", "2"), "n1", false, 0)).isEmpty();
    }

    @Test
    void aRunningPodThatIsNotUnderstoodClosesItsNode() {
        ledger.pod(Yaml.facts("odd", "", "cpu: 100m", "laterField: 1").boundTo("n1"));
        assertThat(ledger.ask(pod("a", "1"), "n1", false, 0))
                .isEqualTo("node n1 accepts no more pods, because what pod default/odd uses there is unknown"
                        + " (laterField)");
        assertThat(ledger.ask(pod("a", "1"), "n2", false, 0)).isEmpty();
        ledger.podGone("u-odd");
        assertThat(ledger.ask(pod("a", "1"), "n1", false, 0)).isEmpty();
    }

    /**
     * A scheduler that binds it to another node has given up the first binding; it is not known yet which takes effect.
     */
    @Test
    void aPodMayBePromisedToSeveralNodesAndHoldsRoomOnEachUntilItIsSeenOnOne() {
        assertThat(ledger.ask(pod("a", "3"), "n1", false, 0)).isEmpty();
        assertThat(ledger.ask(pod("a", "3"), "n2", false, 5)).isEmpty();
        assertThat(ledger.promises()).isEqualTo(2);
        assertThat(ledger.ask(pod("b", "2"), "n1", false, 6)).startsWith("node n1 lacks cpu: 1 core short");
        assertThat(ledger.ask(pod("b", "2"), "n2", false, 6)).startsWith("node n2 lacks cpu: 1 core short");
        // The second did.
        ledger.pod(pod("a", "3").boundTo("n2"));
        assertThat(ledger.promises()).isZero();
        assertThat(ledger.ask(pod("c", "4"), "n1", false, 7)).isEmpty();
        assertThat(ledger.ask(pod("d", "2"), "n2", false, 7)).isEqualTo("node n2 lacks cpu: 1 core short");
    }

    @Test
    void ofTwoPromisesTheOlderEndsFirst() {
        ledger.ask(pod("a", "3"), "n1", false, 0);
        ledger.ask(pod("a", "3"), "n2", false, 5);
        assertThat(ledger.promisedBefore(5)).extracting(PodFacts::node).containsExactly("n1");
        ledger.release(pod("a", "3"), 5);
        assertThat(ledger.ask(pod("b", "4"), "n1", false, 6)).isEmpty();
        assertThat(ledger.ask(pod("c", "4"), "n2", false, 6)).isNotEmpty();
    }

    @Test
    void aDryRunCountsNothing() {
        assertThat(ledger.ask(pod("a", "3"), "n1", true, 0)).isEmpty();
        assertThat(ledger.ask(pod("b", "4"), "n1", false, 0)).isEmpty();
        assertThat(ledger.ask(pod("a", "3"), "n1", true, 0)).isNotEmpty();
    }

    @Test
    void whatDidNotTakeEffectIsReleasedUnlessItWasSentAgain() {
        ledger.ask(pod("a", "3"), "n1", false, 10);
        ledger.ask(pod("b", "3"), "n2", false, 10);
        assertThat(ledger.promisedBefore(10)).isEmpty();
        assertThat(ledger.promisedBefore(11)).extracting(PodFacts::name).containsExactly("a", "b");
        assertThat(ledger.ask(pod("b", "3"), "n2", false, 20)).isEmpty();
        ledger.release(pod("a", "3"), 11);
        ledger.release(pod("b", "3"), 11);
        assertThat(ledger.ask(pod("c", "4"), "n1", false, 30)).isEmpty();
        assertThat(ledger.ask(pod("d", "4"), "n2", false, 30)).isNotEmpty();
    }

    /** As read from the API server, when the watch has reported nothing. */
    @Test
    void whatBecameOfAPromiseIsAskedFor() {
        Pod now = Yaml.pod("a", "", "cpu: 3", "");
        ledger.ask(pod("a", "3"), "n1", false, 10);
        ledger.isNow(pod("a", "3"), now, 10);
        assertThat(ledger.promises()).as("it may be bound yet").isEqualTo(1);
        ledger.isNow(pod("a", "3"), now, 11);
        assertThat(ledger.promises()).as("it was not bound").isZero();

        ledger.ask(pod("a", "3"), "n1", false, 20);
        now.getSpec().setNodeName("n1");
        ledger.isNow(pod("a", "3"), now, 30);
        assertThat(ledger.ask(pod("b", "2"), "n1", false, 30))
                .as("it runs there")
                .isNotEmpty();
        now.setStatus(new PodStatusBuilder().withPhase("Running").build());
        ledger.isNow(pod("a", "3"), now, 30);
        assertThat(ledger.promises()).isEqualTo(1);
        now.getStatus().setPhase("Succeeded");
        ledger.isNow(pod("a", "3"), now, 30);
        assertThat(ledger.promises()).as("it has finished").isZero();

        ledger.ask(pod("a", "3"), "n1", false, 40);
        ledger.isNow(pod("a", "3"), null, 50);
        assertThat(ledger.promises()).as("it is gone").isZero();
        ledger.ask(pod("a", "3"), "n1", false, 60);
        Pod another = Yaml.pod("a", "", "cpu: 3", "");
        another.getMetadata().setUid("another");
        ledger.isNow(pod("a", "3"), another, 70);
        assertThat(ledger.promises()).as("another has its name").isZero();
    }

    @Test
    void aNodeThatIsNotKnownOrTooFullTakesNothing() {
        assertThat(ledger.ask(pod("a", "1"), "n9", false, 0)).isEqualTo("there is no node n9");
        ledger.pod(pod("x", "6").boundTo("n1"));
        assertThat(ledger.ask(pod("a", "1"), "n1", false, 0)).isEqualTo("node n1 lacks cpu: 3 cores short");
        ledger.nodeGone("n2");
        assertThat(ledger.ask(pod("a", "1"), "n2", false, 0)).isEqualTo("there is no node n2");
    }

    private static PodFacts part(String name, int memory, int cores, String allocated) {
        Pod pod = Yaml.pod(
                name, "", "nvidia.com/gpu: 1, nvidia.com/gpumem: " + memory + ", nvidia.com/gpucores: " + cores, "");
        pod.getMetadata().setAnnotations(Map.of(PodGpus.ALLOCATED, allocated));
        return PodReader.read(pod);
    }

    /** By what HAMi itself counts: parts that thousandths would not let share a GPU may do so. */
    @Test
    void sharedGpusAreCountedOneByOne() {
        ledger.node(Yaml.nodeOfHami("g", "GPU-a:10000", "GPU-b:10000"));
        assertThat(ledger.ask(part("a", 9000, 10, "GPU-a,NVIDIA,9000,10:;"), "g", false, 0))
                .isEmpty();
        assertThat(ledger.ask(part("b", 2000, 10, "GPU-a,NVIDIA,2000,10:;"), "g", false, 0))
                .isEqualTo("node g lacks memory of GPU GPU-a: 2000 wanted, 1000 free (1 being bound to it, the first"
                        + " default/a)");
        assertThat(ledger.ask(part("b", 2000, 10, "GPU-b,NVIDIA,2000,10:;"), "g", false, 0))
                .isEmpty();
        assertThat(ledger.ask(part("c", 1000, 91, "GPU-a,NVIDIA,1000,91:;"), "g", false, 0))
                .contains("lacks cores of GPU GPU-a: 91 wanted, 90 free");
        assertThat(ledger.ask(part("c", 1000, 90, "GPU-a,NVIDIA,1000,90:;"), "g", false, 0))
                .isEmpty();
        assertThat(ledger.ask(part("d", 1, 0, "GPU-c,NVIDIA,1,0:;"), "g", false, 0))
                .contains("shares no GPU GPU-c");
        assertThat(ledger.ask(part("e", 1, 0, ""), "g", false, 0)).contains("annotations name none of it");
        for (int i = 0; i < 9; i++) {
            assertThat(ledger.ask(part("f" + i, 1, 0, "GPU-b,NVIDIA,1,0:;"), "g", false, 0))
                    .isEmpty();
        }
        assertThat(ledger.ask(part("g", 1, 0, "GPU-b,NVIDIA,1,0:;"), "g", false, 0))
                .contains("shared by 10 containers, of at most 10");
    }

    @Test
    void aPodIsFoundByItsUniqueId() {
        ledger.pod(pod("a", "1"));
        assertThat(ledger.find("u-a")).isEqualTo(pod("a", "1"));
        ledger.ask(pod("a", "1"), "n1", false, 0);
        ledger.pod(pod("a", "1"));
        assertThat(ledger.ask(pod("b", "4"), "n1", false, 0)).isNotEmpty();
        ledger.podGone("u-a");
        assertThat(ledger.find("u-a")).isNull();
        assertThat(ledger.ask(pod("b", "4"), "n1", false, 0)).isEmpty();
    }
}
