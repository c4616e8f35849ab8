package dev.stowage.kube;

import dev.stowage.kube.translate.NodeFacts;
import dev.stowage.kube.translate.PodFacts;
import dev.stowage.kube.translate.PodReader;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;

/** Nodes and pods of tests, written as a user writes them. */
public final class Yaml {
    private Yaml() {}

    /** A node with 4 cores, 8 GiB and room for 110 pods, and the given {@code labels}. */
    public static NodeFacts node(String name, String labels) {
        return node(name, labels, "", "{cpu: 4, memory: 8Gi, pods: 110}");
    }

    /** A node of flow-style YAML. */
    public static NodeFacts node(String name, String labels, String spec, String allocatable) {
        return NodeFacts.of(Serialization.unmarshal(
                "---\n{apiVersion: v1, kind: Node, metadata: {name: " + name + ", labels: {" + labels + "}}, spec: {"
                        + spec + "}, status: {allocatable: " + allocatable + "}}",
                Node.class));
    }

    /** A node of 64 cores with these GPUs by HAMi, each {@code id:memory}, of 10 containers and 100 cores each. */
    public static NodeFacts nodeOfHami(String name, String... gpus) {
        StringBuilder register = new StringBuilder();
        for (int g = 0; g < gpus.length; g++) {
            String[] parts = gpus[g].split(":", -1);
            register.append(g == 0 ? "[" : ",")
                    .append("{\"id\":\"" + parts[0] + "\",\"index\":" + g + ",\"count\":10,\"devmem\":" + parts[1]
                            + ",\"devcore\":100,\"type\":\"NVIDIA-A100\",\"mode\":\"hami-core\",\"health\":true}");
        }
        return NodeFacts.of(Serialization.unmarshal(
                "---\n{apiVersion: v1, kind: Node, metadata: {name: " + name
                        + ", annotations: {hami.io/node-nvidia-register: '"
                        + register + "]'}}, spec: {}, status: {allocatable: {cpu: 64, memory: 256Gi, pods: 110,"
                        + " nvidia.com/gpu: " + 10 * gpus.length + "}}}",
                Node.class));
    }

    /** A pod of this scheduler that asks for amounts; {@code spec} is the rest of its spec. */
    public static Pod pod(String name, String labels, String requests, String spec) {
        return Serialization.unmarshal(
                "---\n{apiVersion: v1, kind: Pod, metadata: {name: " + name + ", uid: u-" + name
                        + ", namespace: default, labels: {" + labels + "}}, spec: {schedulerName: stowage"
                        + (spec.isEmpty() ? "" : ", " + spec)
                        + ", containers: [{name: c, image: x, resources: {requests: {" + requests + "}}}]}}",
                Pod.class);
    }

    /** Its facts. */
    public static PodFacts facts(String name, String labels, String requests, String spec) {
        return PodReader.read(pod(name, labels, requests, spec));
    }
}
