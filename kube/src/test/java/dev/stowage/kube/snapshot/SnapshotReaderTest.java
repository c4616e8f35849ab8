package dev.stowage.kube.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files as kubectl writes them, and invalid ones. */
final class SnapshotReaderTest {
    private static final String NODE = """
            {"apiVersion":"v1","kind":"Node","metadata":{"name":"n1","labels":{"a":"b"},"managedFields":[{"x":1}]},
             "spec":{"podCIDR":"10.0.0.0/24","neverSeen":{"a":[1]}},
             "status":{"allocatable":{"cpu":"1500m","memory":"1.5Gi","pods":"1e2","example.com/x":"2k"}}}""";

    private static String pod(String name, String meta, String spec, String status) {
        return "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"" + name
                + "\",\"namespace\":\"d\",\"uid\":\"" + name + "\",\"newField\":7" + meta + "},\"spec\":{" + spec
                + "\"containers\":[{\"name\":\"c\",\"resources\":{\"requests\":{\"cpu\":\"0.1\"}}}]},"
                + "\"status\":{" + status + "}}";
    }

    private static String owned(String kind) {
        return ",\"ownerReferences\":[{\"apiVersion\":\"apps/v1\",\"kind\":\"" + kind
                + "\",\"name\":\"o\",\"uid\":\"o\",\"controller\":true}]";
    }

    private static String list(String meta, String... items) {
        return "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"metadata\":{" + meta + "},\"items\":["
                + String.join(",", items) + "]}";
    }

    @TempDir
    private Path directory;

    private NodesAndPods read(String text) {
        return SnapshotReader.read(List.of(write("cluster.json", text)));
    }

    private Path write(String name, String text) {
        try {
            Path file = directory.resolve(name);
            Files.createDirectories(file.getParent());
            return Files.writeString(file, text);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void quantitiesAndUnknownFields() {
        NodesAndPods cluster = read(list("", NODE, pod("p", owned("ReplicaSet"), "\"nodeName\":\"n1\",", "")));
        assertThat(cluster.nodes())
                .singleElement()
                .satisfies(node -> assertThat(node.allocatable())
                        .containsEntry("cpu", 1500L)
                        .containsEntry("memory", 3L << 29)
                        .containsEntry("pods", 100L)
                        .containsEntry("example.com/x", 2000L));
        assertThat(cluster.pods()).singleElement().satisfies(pod -> {
            assertThat(pod.bond()).isEqualTo(SnapshotPod.Bond.FREE);
            assertThat(pod.facts().requests()).containsEntry("cpu", 100L);
        });
        assertThat(cluster.notes()).isEmpty();
    }

    @Test
    void whatHoldsAPodToItsNode() {
        String on = "\"nodeName\":\"n1\",";
        String later = "\"fieldOfALaterKubernetes\":{\"zone\":\"x\"},";
        String path = "\"volumes\":[{\"name\":\"v\",\"hostPath\":{\"path\":\"/x\"}}],";
        String unsafe = ",\"annotations\":{\"cluster-autoscaler.kubernetes.io/safe-to-evict\":\"false\"}";
        NodesAndPods cluster = read(list(
                "",
                NODE,
                pod("daemon", owned("DaemonSet"), on, ""),
                pod("static", ",\"annotations\":{\"kubernetes.io/config.mirror\":\"x\"}", on, ""),
                pod("leaving", ",\"deletionTimestamp\":\"2026-01-01T00:00:00Z\"", on, ""),
                pod("bare", "", on, ""),
                pod("later", owned("ReplicaSet"), on + later, ""),
                pod("path", owned("ReplicaSet"), on + path, ""),
                pod("unsafe", owned("ReplicaSet") + unsafe, on, "")));
        assertThat(cluster.pods())
                .extracting(pod -> pod.facts().name() + " " + pod.bond() + " "
                        + pod.reason().replaceFirst(":.*", ""))
                .containsExactly(
                        "daemon WITH_NODE belongs to a daemon set",
                        "static WITH_NODE is a static pod of its node",
                        "leaving WITH_NODE is being deleted",
                        "bare FIXED has no controller that would recreate it",
                        "later FIXED asks for something that Stowage does not plan with",
                        "path FIXED uses a path of its node",
                        "unsafe KEPT is annotated cluster-autoscaler.kubernetes.io/safe-to-evict=false");
        assertThat(cluster.pods().get(4).reason()).contains("fieldOfALaterKubernetes");
    }

    @Test
    void budgets() {
        String budget = "{\"apiVersion\":\"%s\",\"kind\":\"PodDisruptionBudget\",\"metadata\":{\"name\":\"b\","
                + "\"namespace\":\"d\"},\"spec\":{\"selector\":{}}%s}";
        String status = ",\"status\":{\"disruptionsAllowed\":2}";
        NodesAndPods cluster = read(list(
                "",
                NODE,
                pod("p", "", "", ""),
                budget.formatted("policy/v1", status),
                budget.formatted("policy/v1beta1", status),
                budget.formatted("policy/v1", "")));
        // An empty selector selects every pod in policy/v1, and none in v1beta1.
        assertThat(cluster.budgets())
                .extracting(one -> one.covers(cluster.pods().get(0).facts()) + " " + one.allowed() + " " + one.known())
                .containsExactly("true 2 true", "false 2 true", "true 0 false");
    }

    @Test
    void podsThatAreElsewhereOrDoneAreNamed() {
        NodesAndPods cluster = read(list(
                "",
                NODE,
                pod("lost", "", "\"nodeName\":\"n9\",", ""),
                pod("done", "", "\"nodeName\":\"n1\",", "\"phase\":\"Succeeded\""),
                "{\"apiVersion\":\"v1\",\"kind\":\"Service\",\"metadata\":{\"name\":\"s\"}}"));
        assertThat(cluster.pods()).isEmpty();
        assertThat(cluster.notes())
                .containsExactly(
                        "1 objects of kind Service are not looked at",
                        "1 pod has finished and holds no resources",
                        "1 pod is on a node that is not there, and is left out: d/lost on n9");
    }

    /** The API server sets what is allocatable to the capacity where nobody says it. */
    @Test
    void capacityOfANodeThatDoesNotSayWhatIsAllocatable() {
        String node = "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"%s\"}%s}";
        NodesAndPods cluster = read(
                list("", node.formatted("n8", ",\"status\":{\"capacity\":{\"cpu\":\"4\"}}"), node.formatted("n9", "")));
        assertThat(cluster.nodes()).extracting(one -> one.amount("cpu")).containsExactly(4000L, 0L);
        assertThat(cluster.notes())
                .containsExactly(
                        "1 node does not say what is allocatable (status.allocatable); all of the capacity is counted, also"
                                + " what the system needs there: n8",
                        "1 node has neither status.allocatable nor status.capacity, so no pod has room there: n9",
                        "1 node does not say how much memory is allocatable, so no pod that asks for it has room there:"
                                + " n8");
    }

    /** As {@code kubectl cluster-info dump --output-directory} lays them out: lists without the kind of their items. */
    @Test
    void yamlAndDirectories() {
        write(
                "dump/nodes.json",
                "{\"kind\":\"NodeList\",\"apiVersion\":\"v1\",\"items\":["
                        + NODE.replace("\"apiVersion\":\"v1\",\"kind\":\"Node\",", "") + "]}");
        write("dump/d/pods.yaml", """
                apiVersion: v1
                kind: Pod
                metadata: {name: one, namespace: d, uid: one}
                spec: {containers: [{name: c, resources: {requests: {cpu: 2, memory: 1e3}}}]}
                ---
                apiVersion: v1
                kind: Pod
                metadata: {name: two, namespace: d, uid: two}
                spec: {containers: [{name: c}]}
                """);
        write("dump/d/logs.txt", "not looked at");
        NodesAndPods cluster = SnapshotReader.read(List.of(directory.resolve("dump")));
        assertThat(cluster.nodes()).hasSize(1);
        assertThat(cluster.pods()).extracting(pod -> pod.facts().path()).containsExactly("d/one", "d/two");
        assertThat(cluster.pods().get(0).facts().requests())
                .containsEntry("cpu", 2000L)
                .containsEntry("memory", 1000L);
    }

    /** A last line of --- was refused, and kubectl takes it. */
    @Test
    void emptyDocumentsAreNothing() throws IOException {
        Path file = Files.writeString(
                directory.resolve("many.yaml"), "---\n---\n# none\n---\n" + list("", NODE) + "\n---\n");
        assertThat(SnapshotReader.read(List.of(file)).nodes()).hasSize(1);
    }

    @Test
    void badInputIsRefused() {
        refused(list("", NODE).substring(0, 150), "is truncated");
        refused(list("\"continue\":\"abc\",\"remainingItemCount\":17", NODE), "17 more items");
        refused(list("", NODE.replace("\"v1\"", "\"v2\"")), "of version 'v2', must be v1");
        refused(list("", NODE, NODE), "node n1 is listed twice");
        refused(list("", NODE.replace("1500m", "1500q")), "node n1: cpu: '1500q' is not a quantity");
        refused(list("", pod("p", "", "", "")), "there is no node");
        refused(list("", NODE, "[]"), "item 2 of the list is array where an object");
        refused("{\"items\": 3}", "document 1 has no kind");
        refused("---\n---\nkind: List\nitems: []\n---\nword\n", "document 3 is string where an object");
        refused("---\n# nothing\n---\n", "is empty");
        refused("", "is empty");
        refused("{\"kind\": }", "is not JSON or YAML");
        assertThatThrownBy(() -> SnapshotReader.read(List.of(directory.resolve("missing"))))
                .isInstanceOf(SnapshotException.class)
                .hasMessageContaining("there is no such file");
    }

    private void refused(String text, String message) {
        assertThatThrownBy(() -> read(text))
                .as(text)
                .isInstanceOf(SnapshotException.class)
                .hasMessageContaining(message);
    }
}
