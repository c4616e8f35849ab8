package dev.stowage.kube.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.policy.PolicySpec;
import dev.stowage.kube.Yaml;
import dev.stowage.kube.translate.NodeFacts;
import dev.stowage.kube.translate.PodFacts;
import dev.stowage.kube.translate.PodGpus;
import dev.stowage.kube.translate.PodReader;
import dev.stowage.policies.Policies;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pods that share GPUs, in the cluster's engine without a cluster. */
final class SharedGpusTest {
    private final Map<String, PodFacts> bound = new LinkedHashMap<>();
    private final Map<String, String> reasons = new LinkedHashMap<>();
    private long clock = 1000;

    private ClusterEngine engine(String policy, Map<String, PodFacts> into) {
        return new ClusterEngine(
                "stowage",
                PolicySpec.of(policy),
                new Policies(),
                10,
                () -> clock++,
                new Decisions() {
                    @Override
                    public void bind(PodFacts pod, String node, String reason) {
                        assertThat(into.put(pod.name(), pod)).as(pod.name()).isNull();
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
    }

    private static PodFacts pod(String name, String requests) {
        return Yaml.facts(name, "", requests, "");
    }

    private static PodFacts part(String name, long memory) {
        return pod(name, "cpu: 1, nvidia.com/gpu: 1, nvidia.com/gpumem: " + memory);
    }

    private String gpus(String pod) {
        PodFacts known = bound.get(pod);
        return known == null
                ? ""
                : known.node() + " "
                        + known.gpus()
                                .notes()
                                .getOrDefault(PodGpus.ALLOCATED, "")
                                .replace(",NVIDIA,", " ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bf-js", "bf-j", "bf-s", "best-fit", "first-fit", "fifo-ff"})
    void partsAndWholeGpusDoNotOverlap(String policy) {
        ClusterEngine engine = engine(policy, bound);
        engine.node(Yaml.nodeOfHami("n1", "GPU-a:10000", "GPU-b:10000"));
        engine.start();
        engine.pod(part("p1", 4000));
        engine.pod(part("p2", 5000));
        engine.pod(pod("w1", "cpu: 1, nvidia.com/gpu: 1"));
        engine.pod(part("p3", 2000));
        assertThat(gpus("p1")).isEqualTo("n1 GPU-a 4000,0:;");
        assertThat(gpus("p2")).isEqualTo("n1 GPU-a 5000,0:;");
        assertThat(gpus("w1")).isEqualTo("n1 GPU-b 10000,0:;");
        assertThat(reasons.get("w1")).endsWith("; with GPU 1");
        assertThat(engine.explain("u-p3"))
                .isEqualTo("waits: 1 of 1 nodes have no GPU with 0.2 free (nearest: 0.1 GPU short on n1)");
        engine.pod(bound.get("p2"));
        engine.podGone("u-p2");
        engine.offerAgain();
        assertThat(gpus("p3")).isEqualTo("n1 GPU-a 2000,0:;");
        engine.pod(pod("w2", "cpu: 1, nvidia.com/gpu: 2"));
        assertThat(engine.explain("u-w2"))
                .isEqualTo("waits: 1 of 1 nodes have fewer than 2 GPUs that are entirely free (nearest: 2 GPU short on"
                        + " n1)");
    }

    /** A node that shares no GPUs, then one that does: each pod goes where it can get what it asks for. */
    @Test
    void schemesAreNotMixed() {
        ClusterEngine engine = engine("best-fit", bound);
        engine.node(Yaml.node("plain", "", "", "{cpu: 64, memory: 8Gi, pods: 110, nvidia.com/gpu: 2}"));
        engine.start();
        long before = engine.digest();
        engine.pod(pod("w1", "cpu: 1, nvidia.com/gpu: 1"));
        assertThat(bound.get("w1").node()).isEqualTo("plain");
        engine.pod(part("p1", 4000));
        assertThat(engine.explain("u-p1")).isEqualTo("waits: 1 of 1 nodes cannot give it parts of GPUs through HAMi");
        engine.node(Yaml.nodeOfHami("hami", "GPU-a:10000"));
        assertThat(engine.digest()).isNotEqualTo(before);
        assertThat(gpus("p1")).isEqualTo("hami GPU-a 4000,0:;");
        engine.pod(pod("w2", "cpu: 1, nvidia.com/gpu: 1"));
        assertThat(bound.get("w2").node()).isEqualTo("plain");
        assertThat(bound.get("w2").gpus().notes()).isEmpty();
        engine.pod(pod("w3", "cpu: 1, nvidia.com/gpu: 1"));
        assertThat(bound).doesNotContainKey("w3");
        engine.pod(bound.get("p1"));
        engine.podGone("u-p1");
        engine.offerAgain();
        assertThat(gpus("w3")).isEqualTo("hami GPU-a 10000,0:;");
    }

    @Test
    void aRefusedBindingHoldsNoGpu() {
        ClusterEngine engine = engine("bf-js", bound);
        engine.node(Yaml.nodeOfHami("n1", "GPU-a:10000"));
        engine.start();
        engine.pod(part("p1", 6000));
        engine.pod(part("p2", 6000));
        assertThat(bound).containsOnlyKeys("p1");
        engine.refused("u-p1", "no");
        assertThat(gpus("p2")).isEqualTo("n1 GPU-a 6000,0:;");
        engine.again("u-p1");
        assertThat(engine.explain("u-p1")).contains("no GPU with 0.6 free");
        assertThat(engine.known("u-p1").gpus().notes()).isEmpty();
    }

    /** The annotation of its own binding is told by the watch before the binding itself. */
    @Test
    void whatIsToldOfAPodBeforeItsBindingDoesNotChangeItsGpus() {
        ClusterEngine engine = engine("bf-js", bound);
        engine.node(Yaml.nodeOfHami("n1", "GPU-a:10000"));
        engine.start();
        engine.pod(part("p1", 6000));
        engine.pod(part("p1", 6000));
        engine.pod(part("p2", 6000));
        assertThat(bound).containsOnlyKeys("p1");
        engine.pod(bound.get("p1"));
        assertThat(engine.state("u-p1")).isEqualTo(PodState.BOUND);
        assertThat(engine.free("n1")).containsEntry(PodGpus.RESOURCE, 400L);
    }

    @Test
    void aPodWhoseGpusAreNotKnownClosesItsNode() {
        ClusterEngine engine = engine("bf-js", bound);
        engine.node(Yaml.nodeOfHami("n1", "GPU-a:10000"));
        engine.pod(part("p1", 1000).boundTo("n1"));
        engine.start();
        engine.pod(pod("c", "cpu: 1"));
        assertThat(bound).isEmpty();
        assertThat(engine.occupancy().closed("n1")).contains("default/p1").contains(PodGpus.ALLOCATED);
        engine.podGone("u-p1");
        engine.offerAgain();
        // A whole one without annotations, perhaps bound before HAMi was installed: no GPU is given away.
        engine.pod(pod("w", "cpu: 1, nvidia.com/gpu: 1").boundTo("n1"));
        engine.pod(part("p2", 1000));
        assertThat(bound).containsOnlyKeys("c");
        assertThat(engine.explain("u-p2")).contains("whose GPUs are not known");
        engine.podGone("u-w");
        engine.offerAgain();
        assertThat(gpus("p2")).isEqualTo("n1 GPU-a 1000,0:;");
    }

    /** GPU 0 breaks while a pod has it; what comes later gets the other, and nothing when it also has a pod. */
    @Test
    void aGpuThatBreaksIsGivenToNobody() {
        ClusterEngine engine = engine("first-fit", bound);
        NodeFacts whole = Yaml.nodeOfHami("n1", "GPU-a:10000", "GPU-b:10000");
        engine.node(whole);
        engine.start();
        engine.pod(part("p1", 2000));
        engine.pod(bound.get("p1"));
        engine.node(Yaml.nodeOfHami("n1", "GPU-a:0", "GPU-b:10000"));
        engine.pod(part("p2", 2000));
        assertThat(gpus("p2")).isEqualTo("n1 GPU-b 2000,0:;");
        engine.pod(part("p3", 9000));
        assertThat(bound).doesNotContainKey("p3");
        engine.node(whole);
        engine.offerAgain();
        assertThat(engine.explain("u-p3")).contains("nearest: 0.1 GPU short on n1");
        engine.podGone("u-p1");
        engine.offerAgain();
        assertThat(gpus("p3")).isEqualTo("n1 GPU-a 9000,0:;");
    }

    /** A part of a small GPU is more than that of a large one. */
    @Test
    void wherePartsDifferTheLargestIsLookedFor() {
        ClusterEngine engine = engine("first-fit", bound);
        engine.node(Yaml.nodeOfHami("n1", "GPU-a:40000"));
        engine.start();
        engine.pod(part("p1", 20000));
        engine.pod(part("p2", 12000));
        assertThat(gpus("p2")).isEqualTo("n1 GPU-a 12000,0:;");
        // Its quarter counts as a half wherever it goes, because it may go to n2.
        engine.node(Yaml.nodeOfHami("n2", "GPU-b:20000"));
        engine.pod(part("p3", 8000));
        assertThat(gpus("p3")).isEqualTo("n2 GPU-b 8000,0:;");
        engine.pod(part("p4", 30000));
        assertThat(engine.explain("u-p4"))
                .isEqualTo("waits: 1 of 2 nodes have no GPU with 0.75 free (nearest: 0.55 GPU short on n1), 1 cannot"
                        + " give it a GPU that is large enough");
    }

    /** A pod waits, and a node comes whose GPUs are smaller than all before. */
    @Test
    void aPodThatWaitsIsCountedAnewForANodeWithSmallerGpus() {
        ClusterEngine engine = engine("bf-js", bound);
        engine.node(Yaml.nodeOfHami("n1", "GPU-a:40000"));
        engine.start();
        engine.pod(part("p1", 36000));
        engine.pod(part("p2", 12000));
        engine.pod(part("p3", 12000));
        assertThat(bound).containsOnlyKeys("p1");
        engine.node(Yaml.nodeOfHami("n2", "GPU-b:20000"));
        engine.offerAgain();
        assertThat(bound).hasSize(2);
        assertThat(engine.occupancy().isOverfull(engine.occupancy().node("n2"))).isFalse();
    }

    private record Slow(String name, int[] gpus) {}

    /** First fit by scanning all nodes and GPUs, of GPUs of one size. */
    private static final class Twin {
        private static final int MEMORY = 10000;
        private final List<Slow> nodes = new ArrayList<>();
        private final Map<String, int[]> held = new TreeMap<>();

        String place(String pod, int gpus, int memory) {
            for (int n = 0; n < nodes.size(); n++) {
                int[] free = nodes.get(n).gpus();
                List<Integer> chosen = new ArrayList<>();
                if (memory == MEMORY || gpus > 1) {
                    for (int g = 0; g < free.length && chosen.size() < gpus; g++) {
                        if (free[g] == MEMORY) {
                            chosen.add(g);
                        }
                    }
                } else {
                    int fullest = -1;
                    for (int g = 0; g < free.length; g++) {
                        if (free[g] >= memory && (fullest < 0 || free[g] < free[fullest])) {
                            fullest = g;
                        }
                    }
                    if (fullest >= 0) {
                        chosen.add(fullest);
                    }
                }
                if (chosen.size() == gpus) {
                    int each = gpus > 1 ? MEMORY : memory;
                    int[] record = new int[2 + gpus];
                    record[0] = n;
                    record[1] = each;
                    for (int k = 0; k < gpus; k++) {
                        free[chosen.get(k)] -= each;
                        record[2 + k] = chosen.get(k);
                    }
                    held.put(pod, record);
                    return nodes.get(n).name() + " " + chosen;
                }
            }
            return "";
        }

        void leave(String pod) {
            int[] record = held.remove(pod);
            for (int k = 2; k < record.length; k++) {
                nodes.get(record[0]).gpus()[record[k]] += record[1];
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void theSameNodesAndGpusAsByScanningAll(long seed) {
        Random random = new Random(seed);
        ClusterEngine engine = engine("first-fit", bound);
        Twin twin = new Twin();
        for (int n = 0; n < 1 + random.nextInt(4); n++) {
            String[] gpus = new String[1 + random.nextInt(4)];
            Arrays.setAll(gpus, g -> "GPU-" + g + ":" + Twin.MEMORY);
            engine.node(Yaml.nodeOfHami("n" + n, gpus));
            int[] free = new int[gpus.length];
            Arrays.fill(free, Twin.MEMORY);
            twin.nodes.add(new Slow("n" + n, free));
        }
        engine.start();
        int placed = 0;
        for (int i = 0; i < 200; i++) {
            if (random.nextInt(3) == 0 && !bound.isEmpty()) {
                String gone = new ArrayList<>(bound.keySet()).get(random.nextInt(bound.size()));
                twin.leave(gone);
                engine.podGone("u-" + gone);
                bound.remove(gone);
                continue;
            }
            String name = "p" + i;
            int gpus = random.nextInt(6) == 0 ? 2 : 1;
            int memory = random.nextInt(5) == 0 ? Twin.MEMORY : 10 * (100 + random.nextInt(700));
            String asks = memory == Twin.MEMORY ? "" : ", nvidia.com/gpumem: " + memory;
            engine.pod(pod(name, "cpu: 10m, nvidia.com/gpu: " + gpus + asks));
            String expected = twin.place(name, gpus, memory);
            assertThat(where(name)).as(name).isEqualTo(expected);
            if (expected.isEmpty()) {
                engine.podGone("u-" + name);
            } else {
                placed++;
                engine.pod(bound.get(name));
            }
        }
        assertThat(placed).isGreaterThan(20);
        // Another replica knows the same of each node.
        ClusterEngine second = engine("first-fit", new LinkedHashMap<>());
        engine.occupancy().nodes().forEach(second::node);
        bound.values().forEach(second::pod);
        second.start();
        engine.occupancy()
                .nodes()
                .forEach(node -> assertThat(second.free(node.name()).get(PodGpus.RESOURCE))
                        .as(node.name())
                        .isEqualTo(engine.free(node.name()).get(PodGpus.RESOURCE)));
    }

    private String where(String name) {
        PodFacts pod = bound.get(name);
        if (pod == null) {
            return "";
        }
        List<Integer> gpus = new ArrayList<>();
        for (String one : pod.gpus().notes().getOrDefault(PodGpus.ALLOCATED, "").split("[:;]", -1)) {
            if (!one.isEmpty()) {
                gpus.add(Integer.parseInt(one.split(",", -1)[0].substring("GPU-".length())));
            }
        }
        return pod.node() + " " + gpus;
    }

    /** Pods come, are bound or refused, and leave, GPUs break and return: nothing of a GPU is ever short. */
    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13, 14, 15, 16, 17, 18})
    void noGpuIsEverOverfilled(long seed) {
        Random random = new Random(seed);
        ClusterEngine engine =
                engine(List.of("bf-js", "bf-s", "best-fit", "fifo-ff").get((int) seed % 4), bound);
        int[] sizes = {8000, 16000, 40000};
        List<String[]> nodes = new ArrayList<>();
        for (int n = 0; n < 3; n++) {
            String[] gpus = new String[1 + random.nextInt(3)];
            Arrays.setAll(gpus, g -> "GPU-" + g + ":" + sizes[random.nextInt(3)]);
            nodes.add(gpus);
            engine.node(Yaml.nodeOfHami("n" + n, gpus));
        }
        engine.start();
        int placed = 0;
        for (int i = 0; i < 150; i++) {
            int before = bound.size();
            int what = random.nextInt(10);
            if (what < 2 && !bound.isEmpty()) {
                String gone = new ArrayList<>(bound.keySet()).get(random.nextInt(bound.size()));
                bound.remove(gone);
                engine.podGone("u-" + gone);
            } else if (what == 2 && !bound.isEmpty()) {
                String other = new ArrayList<>(bound.keySet()).get(random.nextInt(bound.size()));
                if (engine.state("u-" + other) == PodState.ASSUMED) {
                    bound.remove(other);
                    engine.refused("u-" + other, "no");
                    engine.again("u-" + other);
                }
            } else if (what == 3) {
                int n = random.nextInt(nodes.size());
                String[] now = nodes.get(n).clone();
                if (random.nextBoolean()) {
                    now[random.nextInt(now.length)] = "GPU-" + 9 + ":0";
                }
                engine.node(Yaml.nodeOfHami("n" + n, now));
                engine.offerAgain();
            } else {
                String name = "q" + i;
                String spec = "cpu: 10m, nvidia.com/gpu: " + (random.nextInt(5) == 0 ? 2 : 1)
                        + (random.nextInt(4) == 0
                                ? ""
                                : ", nvidia.com/gpumem: " + (10 + random.nextInt(random.nextBoolean() ? 9000 : 100)))
                        + (random.nextInt(2) == 0 ? "" : ", nvidia.com/gpucores: " + random.nextInt(60));
                engine.pod(several(name, spec, 1 + random.nextInt(2)));
            }
            for (PodFacts one : List.copyOf(bound.values())) {
                if (random.nextBoolean() && engine.state(one.uid()) == PodState.ASSUMED) {
                    engine.pod(one);
                }
            }
            placed += Math.max(0, bound.size() - before);
            checkAll(nodes);
        }
        assertThat(placed).isGreaterThan(5);
    }

    private static PodFacts several(String name, String requests, int containers) {
        Pod pod = Yaml.pod(name, "", requests, "");
        for (int c = 1; c < containers; c++) {
            pod.getSpec().getContainers().add(pod.getSpec().getContainers().get(0));
        }
        return PodReader.read(pod);
    }

    private void checkAll(List<String[]> nodes) {
        Map<String, long[]> used = new TreeMap<>();
        for (PodFacts pod : bound.values()) {
            for (String one :
                    pod.gpus().notes().getOrDefault(PodGpus.ALLOCATED, "").split("[:;]", -1)) {
                if (one.isEmpty()) {
                    continue;
                }
                String[] fields = one.split(",", -1);
                long[] its = used.computeIfAbsent(pod.node() + " " + fields[0], first -> new long[3]);
                its[0] += Long.parseLong(fields[2]);
                its[1] += Long.parseLong(fields[3]);
                its[2]++;
            }
        }
        for (int n = 0; n < nodes.size(); n++) {
            for (String gpu : nodes.get(n)) {
                String[] parts = gpu.split(":", -1);
                long[] its = used.getOrDefault("n" + n + " " + parts[0], new long[3]);
                assertThat(its[0]).as("memory").isLessThanOrEqualTo(Long.parseLong(parts[1]));
                assertThat(its[1]).as("cores").isLessThanOrEqualTo(100);
                assertThat(its[2]).as("containers").isLessThanOrEqualTo(10);
            }
        }
    }
}
