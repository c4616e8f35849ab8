package dev.stowage.cli.kube;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.stowage.cli.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Advice for nodes whose GPUs pods share. */
final class KubeAdviseGpusTest {
    private static final String PART = "limits: {nvidia.com/gpu: 1, nvidia.com/gpumem: 6000}";

    @TempDir
    Path directory;

    private final StringBuilder objects = new StringBuilder("apiVersion: v1\nkind: List\nitems:\n");

    private void node(String name, String gpus) {
        objects.append("- {apiVersion: v1, kind: Node, metadata: {name: " + name
                + (gpus.isEmpty() ? "" : ", annotations: {hami.io/node-nvidia-register: '" + gpus + "'}")
                + "}, status: {allocatable: {cpu: 16, memory: 32Gi, pods: 110, nvidia.com/gpu: 10}}}\n");
    }

    private void pod(String name, String node, String allocated, String resources) {
        objects.append("- {apiVersion: v1, kind: Pod, metadata: {name: " + name + ", namespace: default, uid: u-" + name
                + ", ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: r, uid: r, controller: true}]"
                + (allocated.isEmpty() ? "" : ", annotations: {hami.io/vgpu-devices-allocated: '" + allocated + "'}")
                + "}, spec: {" + (node.isEmpty() ? "" : "nodeName: " + node + ", ")
                + "containers: [{name: c, image: x, resources: {requests: {cpu: 1}, " + resources + "}}]}}\n");
    }

    private String file() throws IOException {
        Path file = directory.resolve("cluster.yaml");
        Files.writeString(file, objects.toString());
        return file.toString();
    }

    /** Two GPUs of 10000, of which 5000 and 4000 are free, and a node without HAMi. */
    private String cluster() throws IOException {
        node("h1", "GPU-a,10,10000,100,NVIDIA-T4,0,true:GPU-b,10,10000,100,NVIDIA-T4,0,true:");
        node("p1", "");
        pod("a", "h1", "GPU-a,NVIDIA,5000,0:;", "limits: {nvidia.com/gpu: 1, nvidia.com/gpumem: 5000}");
        pod("b", "h1", "GPU-b,NVIDIA,6000,0:;", PART);
        pod("w", "p1", "", "limits: {nvidia.com/gpu: 1}");
        pod("waits", "", "", PART);
        pod("whole", "", "", "limits: {nvidia.com/gpu: 1}");
        pod("small", "", "", "limits: {nvidia.com/gpu: 1, nvidia.com/gpumem: 5000}");
        return file();
    }

    @Test
    void whoWaitsIsToldWhatIsFreeOfEachGpu() throws IOException {
        String file = cluster();
        assertThat(Program.run("kube", "advise", file, "--why-not", "default/waits on h1")
                        .out()
                        .lines())
                .containsExactly(
                        "default/waits on h1: node has no GPU with 0.6 free",
                        "default/waits on h1: node has at most 0.5 of a GPU free");
        assertThat(Program.run("kube", "advise", file, "--why-not", "default/waits on p1")
                        .out())
                .contains("node cannot give it parts of GPUs through HAMi");
        assertThat(Program.run("kube", "advise", file, "--why-not", "default/whole on h1")
                        .out())
                .contains("no GPU that is entirely free");
        assertThat(Program.run("kube", "advise", file, "--why-not", "default/whole on p1")
                        .out())
                .doesNotContain("GPU");
        assertThat(Program.run("kube", "advise", file, "--why-not", "default/small on h1")
                        .out())
                .doesNotContain("GPU");
    }

    /** Pods with parts stay, and whole GPUs of a node that shares none are not moved to one that does. */
    @Test
    void noPlanGivesSharedGpusAway() throws IOException {
        Program program = Program.run("kube", "advise", cluster(), "--format", "json");
        assertThat(program.code()).as(program.err()).isZero();
        JsonNode advice = new ObjectMapper().readTree(program.out());
        assertThat(advice.at("/plan/freed")).isEmpty();
        assertThat(program.out()).contains("has GPUs of a node that shares them among pods");
        // Without the parts on h1 there is nothing to keep w on p1 but that h1 shares its GPUs.
        objects.setLength("apiVersion: v1\nkind: List\nitems:\n".length());
        node("h1", "GPU-a,10,10000,100,NVIDIA-T4,0,true:");
        node("p1", "");
        pod("w", "p1", "", "limits: {nvidia.com/gpu: 1}");
        pod("c", "h1", "", "limits: {cpu: 1}");
        JsonNode other = new ObjectMapper()
                .readTree(Program.run("kube", "advise", file(), "--format", "json")
                        .out());
        assertThat(other.at("/plan/freed")).hasSize(1);
        assertThat(other.at("/plan/freed").toString()).contains("h1");
    }

    @Test
    void aPodWhoseGpusAreNotKnownClosesItsNode() throws IOException {
        node("h1", "GPU-a,10,10000,100,NVIDIA-T4,0,true:");
        pod("odd", "h1", "GPU-a;", PART);
        Program program = Program.run("kube", "advise", file());
        assertThat(program.out().replaceAll("\\s+", " "))
                .contains("node h1 accepts no more pods, because what pod default/odd uses there is unknown"
                        + " (annotation hami.io/vgpu-devices-allocated: 'GPU-a;')");
    }
}
