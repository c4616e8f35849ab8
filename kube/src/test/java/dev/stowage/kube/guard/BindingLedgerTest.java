package dev.stowage.kube.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.kube.Yaml;
import dev.stowage.kube.guard.BindingLedger.Open;
import dev.stowage.kube.guard.BindingLedger.Promise;
import dev.stowage.kube.translate.PodFacts;
import dev.stowage.kube.translate.PodGpus;
import dev.stowage.kube.translate.PodReader;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a guard counts. Nodes have 4 cores. */
final class BindingLedgerTest {
    private final BindingLedger ledger = new BindingLedger();
    private final Map<String, Promise> writtenOfG = new TreeMap<>();

    @BeforeEach
    void twoNodes() {
        ledger.node(Yaml.node("n1", ""));
        ledger.node(Yaml.node("n2", ""));
    }

    private static PodFacts pod(String name, String cpu) {
        return Yaml.facts(name, "", "cpu: " + cpu, "");
    }

    /** What guards have written about a node: pods of 3 cores. */
    private void written(String node, long nanos, String... pods) {
        Map<String, Promise> written = new TreeMap<>();
        for (String one : pods) {
            // As in a2: the second promise to a.
            PodFacts pod = pod(one.substring(0, 1), "3");
            written.put(pod.uid(), new Promise(pod.path(), pod.requests(), List.of(), one));
        }
        ledger.promises(node, written, nanos);
    }

    @Test
    void whatWasLetThroughCountsUntilItIsSeen() {
        written("n1", 0, "a");
        assertThat(ledger.ask(pod("b", "2"), "n1"))
                .isEqualTo("node n1 lacks cpu: 1 core short (1 being bound to it; the first is default/a)");
        assertThat(ledger.ask(pod("a", "3"), "n1")).as("its own").isEmpty();
        assertThat(ledger.ask(pod("b", "2"), "n2")).isEmpty();
        assertThat(ledger.promises()).isEqualTo(1);
        ledger.pod(pod("a", "3").boundTo("n1"));
        assertThat(ledger.promises()).isZero();
        assertThat(ledger.ask(pod("c", "2"), "n1")).isEqualTo("node n1 lacks cpu: 1 core short");
        // It stays written for a while. What is gone holds nothing.
        written("n1", 5, "a");
        ledger.podGone("u-a");
        assertThat(ledger.ask(pod("c", "2"), "n1")).isEmpty();
        // A list may have been of the past.
        ledger.pod(pod("a", "3"));
        assertThat(ledger.ask(pod("c", "2"), "n1")).isNotEmpty();
    }

    @Test
    void aRunningPodThatIsNotUnderstoodClosesItsNode() {
        ledger.pod(Yaml.facts("odd", "", "cpu: 100m", "laterField: 1").boundTo("n1"));
        assertThat(ledger.ask(pod("a", "1"), "n1"))
                .isEqualTo("node n1 accepts no more pods, because what pod default/odd uses there is unknown"
                        + " (laterField)");
        assertThat(ledger.ask(pod("a", "1"), "n2")).isEmpty();
        ledger.podGone("u-odd");
        assertThat(ledger.ask(pod("a", "1"), "n1")).isEmpty();
    }

    /**
     * A scheduler that binds it to another node has given up the first binding; it is not known yet which takes effect.
     */
    @Test
    void aPodMayBePromisedToSeveralNodesAndHoldsRoomOnEachUntilItIsSeenOnOne() {
        written("n1", 0, "a");
        written("n2", 5, "a2");
        assertThat(ledger.promises()).isEqualTo(2);
        assertThat(ledger.ask(pod("b", "2"), "n1")).startsWith("node n1 lacks cpu: 1 core short");
        assertThat(ledger.ask(pod("b", "2"), "n2")).startsWith("node n2 lacks cpu: 1 core short");
        // The second did.
        ledger.pod(pod("a", "3").boundTo("n2"));
        assertThat(ledger.promises()).isZero();
        assertThat(ledger.ask(pod("c", "4"), "n1")).isEmpty();
        assertThat(ledger.ask(pod("d", "2"), "n2")).isEqualTo("node n2 lacks cpu: 1 core short");
    }

    /** A pod that was not seen bound may have been: a list that lacks it may be of the past. */
    @Test
    void whatIsPromisedToAPodThatIsGoneHoldsUntilItIsAskedFor() {
        ledger.pod(pod("a", "3"));
        written("n1", 0, "a");
        ledger.podGone("u-a");
        assertThat(ledger.ask(pod("b", "2"), "n1")).isNotEmpty();
        assertThat(ledger.openSince(1)).extracting(Open::uid).containsExactly("u-a");
    }

    @Test
    void aPromiseIsAsOldAsItsFirstSightUnlessItIsRenewed() {
        written("n1", 10, "a");
        written("n2", 10, "b");
        assertThat(ledger.openSince(10)).isEmpty();
        assertThat(ledger.openSince(11)).extracting(Open::node).containsExactly("n1", "n2");
        written("n1", 20, "a");
        written("n2", 20, "b2");
        assertThat(ledger.openSince(20)).extracting(Open::node).containsExactly("n1");
        assertThat(ledger.settledSince(99)).isEmpty();
        ledger.pod(pod("b", "3").boundTo("n2"));
        assertThat(ledger.settledSince(20)).isEmpty();
        assertThat(ledger.settledSince(21)).extracting(Open::uid).containsExactly("u-b");
        written("n1", 30);
        assertThat(ledger.openSince(99)).isEmpty();
    }

    @Test
    void aNodeThatIsNotKnownOrTooFullTakesNothing() {
        assertThat(ledger.ask(pod("a", "1"), "n9")).isEqualTo("there is no node n9");
        ledger.pod(pod("x", "6").boundTo("n1"));
        assertThat(ledger.ask(pod("a", "1"), "n1")).isEqualTo("node n1 lacks cpu: 3 cores short");
        assertThat(ledger.hasNode("n2")).isTrue();
        ledger.nodeGone("n2");
        assertThat(ledger.hasNode("n2")).isFalse();
        assertThat(ledger.ask(pod("a", "1"), "n2")).isEqualTo("there is no node n2");
    }

    private static PodFacts part(String name, int memory, int cores, String allocated) {
        Pod pod = Yaml.pod(
                name, "", "nvidia.com/gpu: 1, nvidia.com/gpumem: " + memory + ", nvidia.com/gpucores: " + cores, "");
        pod.getMetadata().setAnnotations(Map.of(PodGpus.ALLOCATED, allocated));
        return PodReader.read(pod);
    }

    /** Asks for a place on node g, and writes down what was allowed, as the guard does. */
    private String asked(PodFacts pod) {
        String why = ledger.ask(pod, "g");
        if (why.isEmpty()) {
            writtenOfG.put(pod.uid(), new Promise(pod.path(), pod.requests(), ledger.gpus(pod, "g"), "once"));
            ledger.promises("g", writtenOfG, 0);
        }
        return why;
    }

    /** By what HAMi itself counts: parts that thousandths would not let share a GPU may do so. */
    @Test
    void sharedGpusAreCountedOneByOne() {
        ledger.node(Yaml.nodeOfHami("g", "GPU-a:10000", "GPU-b:10000"));
        assertThat(asked(part("a", 9000, 10, "GPU-a,NVIDIA,9000,10:;"))).isEmpty();
        assertThat(asked(part("b", 2000, 10, "GPU-a,NVIDIA,2000,10:;")))
                .isEqualTo("node g lacks memory of GPU GPU-a: 2000 wanted, 1000 free (1 being bound to it; the first"
                        + " is default/a)");
        assertThat(asked(part("b", 2000, 10, "GPU-b,NVIDIA,2000,10:;"))).isEmpty();
        assertThat(asked(part("c", 1000, 91, "GPU-a,NVIDIA,1000,91:;")))
                .contains("lacks cores of GPU GPU-a: 91 wanted, 90 free");
        assertThat(asked(part("c", 1000, 90, "GPU-a,NVIDIA,1000,90:;"))).isEmpty();
        assertThat(asked(part("d", 1, 0, "GPU-c,NVIDIA,1,0:;"))).contains("shares no GPU GPU-c");
        assertThat(asked(part("e", 1, 0, ""))).contains("annotations name none of them");
        for (int i = 0; i < 9; i++) {
            assertThat(asked(part("f" + i, 1, 0, "GPU-b,NVIDIA,1,0:;"))).isEmpty();
        }
        assertThat(asked(part("g", 1, 0, "GPU-b,NVIDIA,1,0:;"))).contains("shared by 10 containers; the limit is 10");
    }

    @Test
    void aPodIsFoundByItsUniqueId() {
        ledger.pod(pod("a", "1"));
        assertThat(ledger.find("u-a")).isEqualTo(pod("a", "1"));
        assertThat(ledger.isBound("u-a")).isFalse();
        ledger.pod(pod("a", "1").boundTo("n1"));
        assertThat(ledger.isBound("u-a")).isTrue();
        ledger.podGone("u-a");
        assertThat(ledger.find("u-a")).isNull();
    }
}
