package dev.stowage.cli.kube;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code kube advise} says of pods that wait, and keeps for them. */
final class KubeAdviseWaitingTest {
    @TempDir
    private Path directory;

    /** What waits has room on n1 only when the plan has emptied it; what is read of n1 is its capacity. */
    @Test
    void aNodeThatAWaitingPodNeedsIsNotSwitchedOff() throws IOException {
        String node = """
                {"kind": "Node", "apiVersion": "v1", "metadata": {"name": "%s"},
                 "status": {"%s": {"cpu": "4", "memory": "8Gi", "pods": "10"}}}""";
        String items = node.formatted("n0", "allocatable") + "," + node.formatted("n1", "capacity") + ","
                + node.formatted("n2", "allocatable");
        items += KubeAdviseTest.grouped("a", "3", "a", "", "n0")
                + KubeAdviseTest.grouped("b", "1", "b", "", "n1")
                + KubeAdviseTest.grouped("c", "3", "c", "", "n2")
                + KubeAdviseTest.grouped("w", "4", "w", "1", "");
        items = items.replace(
                "\"labels\"",
                "\"ownerReferences\": [{\"kind\": \"ReplicaSet\", \"name\": \"r\", \"controller\": true}],"
                        + " \"labels\"");
        Path file = Files.writeString(
                directory.resolve("waits.json"),
                "{\"kind\": \"List\", \"apiVersion\": \"v1\", \"items\": [" + items + "]}");
        String text = Program.run("kube", "advise", file.toString()).out();
        assertThat(text.replaceAll("\\s+", " "))
                .contains("With n1 kept for what waits, 3 of 3 nodes stay on.")
                .contains("after the plan it has room on n1 (stays on for it)")
                .contains(
                        "1 node does not say what is allocatable (status.allocatable); all of the capacity is counted");
        assertThat(text)
                .contains("To switch off\n", "\nNone: n1 stays on for d/w.\n")
                .contains("1 move empties n1, so that d/w can run there; no other node can be switched off.")
                .contains("Loss of a node after the plan\n");
    }

    /**
     * A pod with an affinity fits beside db alone, one with a volume claim where it has room: no room is given away.
     */
    @Test
    void roomIsKeptForWhatCannotBeChecked() throws IOException {
        String affinity = "\"affinity\": {\"podAffinity\": {\"requiredDuringSchedulingIgnoredDuringExecution\":"
                + " [{\"topologyKey\": \"kubernetes.io/hostname\", \"labelSelector\": {\"matchLabels\":"
                + " {\"scheduling.x-k8s.io/pod-group\": \"db\"}}}]}},";
        assertThat(waiting("2", "2", affinity))
                .contains("d/w: 1 of 2 nodes is not near a pod that its affinity asks for, 1 node has room for it now")
                .contains("is what the affinity of a pod that waits asks for (d/db)")
                .doesNotContain("it waits", "1 move");
        String claim = "\"volumes\": [{\"name\": \"v\", \"persistentVolumeClaim\": {\"claimName\": \"data\"}}],";
        assertThat(waiting("1", "3", claim))
                .contains("d/w: asks for something that Stowage does not plan with (a volume claim")
                .contains("by all else 2 nodes have room for it now")
                .doesNotContain("it waits", "1 move");
        assertThat(waiting("2", "2", "\"schedulingGates\": [{\"name\": \"quota\"}],"))
                .contains("d/w: 2 of 2 nodes do not get it before its scheduling gates are removed")
                .contains("1 move empties 1 node");
        assertThat(waiting("2", "4", "\"priority\": 100,"))
                .contains("1 pod that waits has a higher priority than some that run");
    }

    private String waiting(String db, String asks, String rule) throws IOException {
        String node = """
                {"kind": "Node", "apiVersion": "v1",
                 "metadata": {"name": "%1$s", "labels": {"kubernetes.io/hostname": "%1$s"}},
                 "status": {"allocatable": {"cpu": "4", "memory": "8Gi", "pods": "10"}}}""";
        String items = node.formatted("n0") + "," + node.formatted("n1")
                + KubeAdviseTest.grouped("db", db, "db", "", "n0") + KubeAdviseTest.grouped("o", "1", "o", "", "n1");
        items = items.replace(
                "\"labels\": {\"scheduling",
                "\"ownerReferences\": [{\"kind\": \"ReplicaSet\", \"name\": \"r\", \"controller\": true}],"
                        + " \"labels\": {\"scheduling");
        items += KubeAdviseTest.grouped("w", asks, "", "", "")
                .replace("\"labels\": {\"scheduling.x-k8s.io/pod-group\": \"\"}", "\"labels\": {}")
                .replace("\"spec\": {", "\"spec\": {" + rule);
        Path file = Files.writeString(
                directory.resolve("kept.json"),
                "{\"kind\": \"List\", \"apiVersion\": \"v1\", \"items\": [" + items + "]}");
        return Program.run("kube", "advise", file.toString()).out().replaceAll("\\s+", " ");
    }

    /** By the plan n0 is empty, as n2 is: room for two of the group of three; the daemon's node is switched off. */
    @Test
    void whatWaitsAlsoAfterThePlan() throws IOException {
        String node = """
                {"kind": "Node", "apiVersion": "v1", "metadata": {"name": "%s"},
                 "status": {"allocatable": {"cpu": "%s", "memory": "8Gi", "pods": "10"}}}""";
        String items = node.formatted("n0", "4") + "," + node.formatted("n1", "2") + "," + node.formatted("n2", "4")
                + KubeAdviseTest.grouped("a", "1", "a", "", "n0")
                + KubeAdviseTest.grouped("b", "1", "b", "", "n1");
        for (int w = 0; w < 3; w++) {
            items += KubeAdviseTest.grouped("w" + w, "3500m", "w", "3", "");
        }
        items = items.replace(
                "\"labels\"",
                "\"ownerReferences\": [{\"kind\": \"ReplicaSet\", \"name\": \"r\", \"controller\": true}],"
                        + " \"labels\"");
        items += """
                , {"kind": "Pod", "apiVersion": "v1", "metadata": {"name": "ds", "namespace": "d", "uid": "ds",
                    "ownerReferences": [{"kind": "DaemonSet", "name": "s", "controller": true}]},
                  "status": {"phase": "Pending"}, "spec": {
                  "containers": [{"name": "c", "resources": {"requests": {"cpu": "100m"}}}],
                  "affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {
                  "nodeSelectorTerms": [{"matchFields": [
                  {"key": "metadata.name", "operator": "In", "values": ["n0"]}]}]}}}}}""";
        Path file = Files.writeString(
                directory.resolve("group.json"),
                "{\"kind\": \"List\", \"apiVersion\": \"v1\", \"items\": [" + items + "]}");
        assertThat(Program.run("kube", "advise", file.toString()).out().replaceAll("\\s+", " "))
                .contains("3 wait, with all nodes on: 1 of 3 nodes has too little cpu even when empty")
                .contains("2 nodes have room for it then; room for 2 of the group")
                .contains("after the plan it has room on n0 (and needs no place once this node is off)")
                .doesNotContain("no node that may take it is large enough");
    }
}
