package dev.stowage.kube.translate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.kube.Yaml;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The annotations of schemes that share GPUs, as their own programs write them. */
final class SharedGpusFormatTest {
    private static NodeFacts node(String annotations, String capacity) {
        return NodeFacts.of(Serialization.unmarshal(
                "---\n{apiVersion: v1, kind: Node, metadata: {name: n, annotations: {" + annotations
                        + "}}, status: {capacity: {" + capacity + "}, allocatable: {cpu: 4}}}",
                Node.class));
    }

    private static NodeGpus hami(String register) {
        return node("hami.io/node-nvidia-register: '" + register + "'", "").gpus();
    }

    private static PodFacts pod(String annotations, String... limits) {
        StringBuilder containers = new StringBuilder();
        for (int c = 0; c < limits.length; c++) {
            containers.append("{name: c" + c + ", image: x, resources: {limits: {" + limits[c] + "}, requests: {"
                    + limits[c] + "}}},");
        }
        return PodReader.read(Serialization.unmarshal(
                "---\n{apiVersion: v1, kind: Pod, metadata: {name: p, uid: u, namespace: default, annotations: {"
                        + annotations + "}}, spec: {containers: [" + containers + "]}}",
                Pod.class));
    }

    /** What version 2.10 writes: fields that are 0 or false are left out, so the second is not healthy. */
    @Test
    void hamiRegistersGpusAsJson() {
        NodeGpus read = hami(
                "[{\"id\":\"GPU-b\",\"index\":1,\"count\":10,\"devmem\":32768,\"devcore\":100,"
                        + "\"type\":\"NVIDIA-Tesla V100-PCIE-32GB\",\"mode\":\"hami-core\",\"health\":true},"
                        + "{\"id\":\"GPU-x\",\"index\":2,\"count\":10,\"devmem\":32768,\"devcore\":100,\"type\":\"NVIDIA-A\"},"
                        + "{\"id\":\"GPU-m\",\"index\":3,\"count\":7,\"devmem\":40960,\"devcore\":100,\"mode\":\"mig\",\"health\":true},"
                        + "{\"id\":\"GPU-a\",\"count\":10,\"devmem\":16384,\"devcore\":100,\"type\":\"NVIDIA-T4\",\"health\":true}]");
        assertThat(read.scheme()).isEqualTo(NodeGpus.Scheme.HAMI);
        assertThat(read.gpus())
                .containsExactly(
                        new NodeGpus.Gpu(0, "GPU-a", "NVIDIA-T4", 16384, 100, 10),
                        new NodeGpus.Gpu(1, "GPU-b", "NVIDIA-TESLA V100-PCIE-32GB", 32768, 100, 10));
    }

    /** Without indices GPUs are numbered by id, whatever the order in which they are written. */
    @Test
    void olderVersionsRegisterThemAsText() {
        NodeGpus read = hami("GPU-b,10,32768,100,NVIDIA-Tesla V100,0,true:GPU-a,5,16384,100,NVIDIA-T4,1,true:"
                + "GPU-c,5,16384,100,NVIDIA-T4,1,false:");
        assertThat(read.gpus())
                .containsExactly(
                        new NodeGpus.Gpu(0, "GPU-a", "NVIDIA-T4", 16384, 100, 5),
                        new NodeGpus.Gpu(1, "GPU-b", "NVIDIA-TESLA V100", 32768, 100, 10));
        assertThat(hami("GPU-b,10,32768,100,NVIDIA-T4,0,true,1,hami-core:GPU-a,10,32768,100,NVIDIA-T4,0,true,0,mig:")
                        .gpus())
                .extracting(NodeGpus.Gpu::id)
                .containsExactly("GPU-b");
        assertThat(hami("GPU-b,ten").problem()).contains("'GPU-b,ten' is not a GPU");
        assertThat(hami("[{").problem()).isNotEmpty();
        assertThat(node(
                                "hami.io/device-cordon: 'GPU-a, GPU-z', hami.io/node-nvidia-register:"
                                        + " 'GPU-a,1,10,100,A,0,true:GPU-b,1,10,100,A,0,true:'",
                                "")
                        .gpus()
                        .gpus())
                .extracting(NodeGpus.Gpu::id)
                .containsExactly("GPU-b");
    }

    @Test
    void gpushareDividesTheMemoryOfANode() {
        NodeGpus read =
                node("", "aliyun.com/gpu-mem: '63', aliyun.com/gpu-count: '4'").gpus();
        assertThat(read.scheme()).isEqualTo(NodeGpus.Scheme.GPUSHARE);
        assertThat(read.gpus()).hasSize(4).allMatch(gpu -> gpu.memory() == 15 && gpu.most() == 0);
        assertThat(node("", "nvidia.com/gpu: '8'").gpus()).isEqualTo(NodeGpus.NONE);
    }

    @Test
    void aPartIsTheLargestOfItsShares() {
        NodeGpus node = hami("GPU-a,10,16384,100,T4,0,true:GPU-b,10,32768,100,V100,0,true:");
        // 3000 of 16384 is 183.1; a tenth of the containers; 30 of 100 cores.
        assertThat(pod("", "nvidia.com/gpu: 1, nvidia.com/gpumem: 3000").gpus().milli(node))
                .isEqualTo(184);
        assertThat(pod("", "nvidia.com/gpu: 1, nvidia.com/gpumem: 100").gpus().milli(node))
                .isEqualTo(100);
        assertThat(pod("", "nvidia.com/gpu: 1, nvidia.com/gpumem: 100, nvidia.com/gpucores: 30")
                        .gpus()
                        .milli(node))
                .isEqualTo(300);
        assertThat(pod("", "nvidia.com/gpu: 1, nvidia.com/gpumem-percentage: 25")
                        .gpus()
                        .milli(node))
                .isEqualTo(250);
        assertThat(pod("", "nvidia.com/gpu: 1").gpus().milli(node)).isEqualTo(1000);
        assertThat(pod("", "nvidia.com/gpu: 2, nvidia.com/gpumem: 100").gpus().milli(node))
                .as("parts of several GPUs count as whole ones")
                .isEqualTo(2000);
        String half = "nvidia.com/gpu: 1, nvidia.com/gpumem-percentage: 50";
        assertThat(pod("", half, "", half).gpus().milli(node)).isEqualTo(1000);
        assertThat(pod("", half, half, half).gpus().milli(node)).isEqualTo(3000);
        assertThat(pod("", "nvidia.com/gpu: 1, nvidia.com/gpumem: 20000").gpus().obstacle(node))
                .get()
                .extracting(Obstacle::text)
                .isEqualTo("cannot give it a GPU that is large enough");
    }

    @Test
    void whatNoNodeHasAnAmountOfIsNotCountedAsOne() {
        assertThat(pod("", "nvidia.com/gpu: 1, nvidia.com/gpumem: 3000, nvidia.com/gpucores: 30")
                        .requests())
                .containsOnlyKeys("nvidia.com/gpu", "pods");
    }

    @Test
    void theAnnotationsOfAPodAreReadAsTheyAreWritten() {
        NodeGpus node = hami("GPU-a,10,16384,100,T4,0,true:GPU-b,10,16384,100,T4,0,true:GPU-c,10,16384,100,T4,0,true:");
        PodFacts two = pod(
                "",
                "nvidia.com/gpu: 1, nvidia.com/gpumem: 3000, nvidia.com/gpucores: 30",
                "",
                "nvidia.com/gpu: 1, nvidia.com/gpumem: 5000");
        PodGpus given = two.gpus().given("n", node, 0b010);
        assertThat(given.notes())
                .containsEntry(PodGpus.FOR_NODE, "n")
                .containsEntry(PodGpus.ALLOCATED, "GPU-b,NVIDIA,3000,30:;;GPU-b,NVIDIA,5000,0:;");
        assertThat(given.held(NodeGpus.Scheme.HAMI)).containsExactly(new PodGpus.Held("GPU-b", 8000, 30, 2));
        PodFacts whole = pod("", "nvidia.com/gpu: 2", "nvidia.com/gpu: 1");
        assertThat(whole.gpus().given("n", node, 0b111).notes())
                .containsEntry(PodGpus.ALLOCATED, "GPU-a,NVIDIA,16384,0:GPU-b,NVIDIA,16384,0:;GPU-c,NVIDIA,16384,0:;");
        NodeGpus share =
                node("", "aliyun.com/gpu-mem: '60', aliyun.com/gpu-count: '4'").gpus();
        PodFacts part = pod("", "aliyun.com/gpu-mem: 3", "aliyun.com/gpu-mem: 4");
        assertThat(part.gpus().milli(share)).isEqualTo(467);
        assertThat(part.gpus().given("n", share, 0b100).notes())
                .containsOnly(
                        java.util.Map.entry(PodGpus.INDEX, "2"),
                        java.util.Map.entry(PodGpus.OF_POD, "7"),
                        java.util.Map.entry(PodGpus.OF_GPU, "15"));
    }

    /** Init containers run one after the other, before the others: the larger of both counts. */
    @Test
    void whatInitContainersHaveCountsWhereItIsMore() {
        PodGpus gpus = PodReader.read(Serialization.unmarshal(
                        "---\n{apiVersion: v1, kind: Pod, metadata: {name: p, uid: u, namespace: default, annotations: {"
                                + PodGpus.ALLOCATED
                                + ": 'GPU-a,NVIDIA,9000,10:;GPU-a,NVIDIA,3000,20:;GPU-a,NVIDIA,3000,20:;'}},"
                                + " spec: {initContainers: [{name: i, image: x}], containers: [{name: c, image: x, resources:"
                                + " {limits: {nvidia.com/gpu: 1, nvidia.com/gpumem: 3000}}}]}}",
                        Pod.class))
                .gpus();
        assertThat(gpus.held(NodeGpus.Scheme.HAMI)).containsExactly(new PodGpus.Held("GPU-a", 9000, 40, 2));
    }

    @Test
    void annotationsThatAreNotUnderstoodCloseTheNode() {
        String part = "nvidia.com/gpu: 1, nvidia.com/gpumem: 3000";
        assertThat(pod("", part).boundTo("n1").closesItsNode())
                .isEqualTo("accepts no more pods, because what pod default/p uses there is unknown (annotation "
                        + PodGpus.ALLOCATED + " names no GPU)");
        assertThat(pod("", part).closesItsNode()).isEmpty();
        for (String broken : List.of("GPU-a,NVIDIA,3000:;", "GPU-a,NVIDIA,much,0:;", "GPU-a;")) {
            assertThat(pod(PodGpus.ALLOCATED + ": '" + broken + "'", part)
                            .boundTo("n1")
                            .closesItsNode())
                    .as(broken)
                    .contains(broken);
        }
        assertThat(pod(PodGpus.ALLOCATED + ": 'GPU-a,NVIDIA,3000,0:;', " + PodGpus.FOR_NODE + ": n2", part)
                        .boundTo("n1")
                        .closesItsNode())
                .contains("n2");
        assertThat(pod(PodGpus.INDEX + ": '-1'", "aliyun.com/gpu-mem: 3")
                        .boundTo("n1")
                        .closesItsNode())
                .contains(PodGpus.INDEX);
        assertThat(pod("", "nvidia.com/gpu: 1").boundTo("n1").closesItsNode())
                .as("whole GPUs of a node that shares none need no annotation")
                .isEmpty();
    }

    @Test
    void whatIsNotSupportedIsNamed() {
        NodeGpus node = hami("GPU-a,10,16384,100,NVIDIA-T4,0,true:");
        String part = "nvidia.com/gpu: 1, nvidia.com/gpumem: 3000";
        assertThat(pod("nvidia.com/use-gputype: 'a100, t4'", part).gpus().obstacle(node))
                .isEmpty();
        assertThat(pod("nvidia.com/use-gputype: A100", part).gpus().obstacle(node))
                .isPresent();
        assertThat(pod("nvidia.com/nouse-gputype: T4", part).gpus().obstacle(node))
                .isPresent();
        for (String asked : List.of(
                "nvidia.com/use-gpuuuid: GPU-a",
                "nvidia.com/numa-bind: 'true'",
                "nvidia.com/vgpu-mode: mig",
                "hami.io/gpu-scheduler-policy: mutex")) {
            assertThat(pod(asked, part).gpus().obstacle(node))
                    .as(asked)
                    .get()
                    .extracting(Obstacle::text)
                    .asString()
                    .contains(asked.substring(0, asked.indexOf(':')));
        }
        assertThat(pod("", "nvidia.com/gpumem: 3000").gpus().obstacle(node)).isPresent();
        assertThat(pod("hami.io/gpu-scheduler-policy: spread", part).ignored())
                .containsExactly("hami.io/gpu-scheduler-policy");
        assertThatThrownBy(() -> pod("", "nvidia.com/gpu: 1, nvidia.com/gpumem: much"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aNodeOfTestsIsOneOfHami() {
        assertThat(Yaml.nodeOfHami("n", "GPU-0:100", "GPU-1:200").gpus().gpus())
                .extracting(NodeGpus.Gpu::memory)
                .containsExactly(100L, 200L);
    }
}
