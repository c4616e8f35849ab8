package dev.stowage.cli.queues;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.stowage.cli.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code stowage kube queues}, and runs of what it writes. */
final class KubeQueuesTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path directory;

    private final List<String> documents = new ArrayList<>();

    private void add(String text) {
        documents.add(text);
    }

    private void node(String name, int cores) {
        add("apiVersion: v1\nkind: Node\nmetadata: {name: " + name + "}\nstatus: {allocatable: {cpu: '" + cores
                + "', memory: 64Gi, pods: '110'}}\n");
    }

    private void queue(String name, String more, String quota) {
        add("apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {name: " + name + "}\nspec:\n" + more
                + "  resourceGroups: [{coveredResources: [cpu], flavors: [{name: any, resources: [{name: cpu, " + quota
                + "}]}]}]\n");
        add("apiVersion: kueue.x-k8s.io/v1beta2\nkind: LocalQueue\nmetadata: {namespace: work, name: " + name
                + "}\nspec: {clusterQueue: " + name + "}\n");
    }

    private static String time(int second) {
        return String.format(java.util.Locale.ROOT, "2026-03-04T05:%02d:%02dZ", second / 60, second % 60);
    }

    /** A workload of pods with a core each; without an admission or an end if these are negative. */
    private void workload(String name, String queue, int came, int admitted, int ended, int pods) {
        StringBuilder conditions = new StringBuilder();
        if (admitted >= 0) {
            conditions
                    .append("{type: Admitted, status: 'True', lastTransitionTime: ")
                    .append(time(admitted))
                    .append("},");
        }
        if (ended >= 0) {
            conditions
                    .append("{type: Finished, status: 'True', lastTransitionTime: ")
                    .append(time(ended))
                    .append("}");
        }
        add("apiVersion: kueue.x-k8s.io/v1beta2\nkind: Workload\nmetadata: {namespace: work, name: " + name
                + ", creationTimestamp: " + time(came) + "}\nspec:\n  queueName: " + queue
                + "\n  podSets: [{name: main, count: " + pods
                + ", template: {spec: {containers: [{name: c, resources: {requests: {cpu: '1'}}}]}}}]\n"
                + "status: {conditions: [" + conditions + "]}\n");
    }

    private Path written() throws IOException {
        return Files.writeString(directory.resolve("queues.yaml"), String.join("---\n", documents));
    }

    private Path experiment() throws IOException {
        Path out = directory.resolve("what-if");
        Program program = Program.run("kube", "queues", written().toString(), "--out", out.toString());
        assertThat(program.code()).as(program.err()).isZero();
        documents.clear();
        documents.add(program.out());
        return out.resolve("experiment.yaml");
    }

    /** The mean wait of each type of the first policy. */
    private JsonNode run(Path experiment, String... more) throws IOException {
        Path results = Files.createTempDirectory(directory, "results");
        List<String> line = new ArrayList<>(List.of("run", experiment.toString(), "--out", results.toString()));
        line.addAll(List.of("--no-report", "--overwrite", "--policy", "first-fit:when-full=queue"));
        line.addAll(List.of(more));
        Program program = Program.run(line.toArray(String[]::new));
        assertThat(program.code()).as(program.err()).isZero();
        for (String row : Files.readAllLines(results.resolve("results.jsonl"))) {
            JsonNode read = JSON.readTree(row);
            if (read.has("metrics") && read.path("metrics").has("wait_mean_s")) {
                return read.path("metrics");
            }
        }
        throw new AssertionError("no row of a run");
    }

    /**
     * Queue a may borrow 2 of b's 4, so its second workload of 4 waits from 1 s to the end of the first, 99 s; b's two
     * of 2 have room beside a's first. With 4 to borrow it has room in its queue, but not in the cohort of 8 when b's
     * come later: it starts at 1 s, and b's first at 100 s, when 4 of a's have ended.
     */
    @Test
    void whatOtherQuotasWouldDo() throws IOException {
        for (int node = 0; node < 3; node++) {
            node("n" + node, 4);
        }
        queue(
                "a",
                "  cohortName: all\n  preemption: {reclaimWithinCohort: Any}\n",
                "nominalQuota: 4, borrowingLimit: 2");
        queue("b", "  cohortName: all\n", "nominalQuota: 4");
        workload("w1", "a", 0, 0, 100, 4);
        workload("w2", "a", 1, 100, 200, 4);
        workload("w3", "b", 2, 2, 102, 2);
        workload("w4", "b", 3, 3, 103, 2);
        workload("w5", "b", 9, -1, -1, 2);
        Path experiment = experiment();
        assertThat(documents.get(0))
                .containsPattern("a +all +4 cores +2 +0 +0 +50 s")
                .containsPattern("b +all +4 cores +2 +0 +1 +0 s")
                .contains("borrowed quota comes back only when")
                .contains("workloads left out because they wait");
        assertThat(documents.get(0).lines()).allMatch(line -> line.length() <= 100);
        assertThat(Files.readString(experiment))
                .contains("queue_a_cpu_milli: 6000\n", "cohort_all_cpu_milli: 8000\n")
                .doesNotContain("queue_b_");
        JsonNode as = run(experiment);
        assertThat(as.get("wait_mean_s{type=a}").asDouble()).isCloseTo(49.5, Offset.offset(1e-6));
        assertThat(as.get("wait_mean_s{type=b}").asDouble()).isZero();
        JsonNode more = run(experiment, "--set", "cluster.sites.pooled.queue_a_cpu_milli=8000");
        assertThat(more.get("wait_mean_s{type=a}").asDouble()).isZero();
        // From 2 s and from 3 s to 100 s.
        assertThat(more.get("wait_mean_s{type=b}").asDouble()).isCloseTo(97.5, Offset.offset(1e-6));
    }

    /** Two cohorts below one: the left may borrow 1 of the right's 4, though its queue alone might take 8. */
    @Test
    void nodesThatDoNotSayWhatIsAllocatable() throws IOException {
        for (int n = 0; n < 4; n++) {
            node("n" + n, 4);
        }
        documents.replaceAll(node -> node.replace("allocatable", "capacity"));
        queue("a", "", "nominalQuota: 4");
        workload("w", "a", 0, 0, 10, 1);
        assertThat(Files.readString(experiment()))
                .contains("4 nodes do not say what is allocatable (status.allocatable); all of the capacity is counted:"
                        + " n0, n1, n2, ...");
    }

    @Test
    void cohortsBelowCohorts() throws IOException {
        node("n", 64);
        queue("l", "  cohortName: left\n", "nominalQuota: 3");
        queue("r", "  cohortName: right\n", "nominalQuota: 4, lendingLimit: 3");
        for (String side : List.of("left", "right")) {
            add("apiVersion: kueue.x-k8s.io/v1beta2\nkind: Cohort\nmetadata: {name: " + side
                    + "}\nspec: {parentName: top, resourceGroups: [{coveredResources: [cpu], flavors: [{name: any,"
                    + " resources: [{name: cpu, nominalQuota: '1', borrowingLimit: '1'}]}]}]}\n");
        }
        workload("w", "l", 0, 0, 10, 5);
        workload("v", "r", 0, 0, 10, 1);
        String text = Files.readString(experiment());
        assertThat(text)
                .contains(
                        "cohort_left_cpu_milli: 5000\n",
                        "cohort_right_cpu_milli: 6000\n",
                        "cohort_top_cpu_milli: 9000\n")
                .contains("lendingLimit: what a queue keeps for itself is lent here, too (queue r)");
        assertThat(Files.readString(directory.resolve("what-if/workloads.csv")))
                .startsWith("id,type,arrival_s,duration_s,gang,priority,cpu_milli,cohort_left_cpu_milli,"
                        + "cohort_right_cpu_milli,cohort_top_cpu_milli\n")
                .contains("work/w,l,0,10,5,0,1000,1000,0,1000\n")
                .contains("work/v,r,0,10,1,0,1000,0,1000,1000\n");
    }

    private String refused() throws IOException {
        Path out = directory.resolve("none");
        Program program = Program.run("kube", "queues", written().toString(), "--out", out.toString());
        assertThat(program.code()).isEqualTo(2);
        assertThat(out).doesNotExist();
        return program.err();
    }

    @Test
    void whatCannotBeReadIsNamed() throws IOException {
        node("n", 4);
        assertThat(refused()).contains("there is no ClusterQueue", "kubectl get");
        queue("a", "  cohortName: one\n", "nominalQuota: much");
        assertThat(refused()).contains("queue a: quota of cpu");
        documents.remove(1);
        queue("b", "  cohortName: one\n", "nominalQuota: 4");
        assertThat(refused()).contains("no workload of these queues has been admitted");
        workload("w", "b", 0, 0, 10, 1);
        add("kind: Cohort\nmetadata: {name: one}\nspec: {parentName: two}\n");
        add("kind: Cohort\nmetadata: {name: two}\nspec: {parentName: one}\n");
        assertThat(refused()).contains("is its own parent");
    }
}
