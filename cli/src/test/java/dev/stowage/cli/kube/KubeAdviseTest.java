package dev.stowage.cli.kube;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.stowage.cli.Program;
import dev.stowage.cli.ProgramElsewhere;
import dev.stowage.kube.snapshot.NodesAndPods;
import dev.stowage.kube.snapshot.SnapshotPod;
import dev.stowage.kube.snapshot.SnapshotReader;
import dev.stowage.kube.translate.NodeFacts;
import dev.stowage.kube.translate.NodeOccupancy;
import dev.stowage.kube.translate.NodeVerdict;
import dev.stowage.study.advise.ClusterState;
import dev.stowage.study.advise.WaitingReasons;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code stowage kube advise}, and that it judges pods and nodes in the same way as this project's scheduler. */
final class KubeAdviseTest {
    private static final String ZONE = "topology.kubernetes.io/zone";

    @TempDir
    private Path directory;

    private String example() {
        Path file = directory.resolve("cluster.json");
        if (!Files.exists(file)) {
            Program written = Program.run("kube", "advise", "--example", file.toString());
            assertThat(written.code()).isZero();
            assertThat(written.err()).contains("Advice: stowage kube advise " + file);
        }
        return file.toString();
    }

    @Test
    void theExampleReplacesNoDirectoryAndNoLink() throws IOException {
        Path empty = Files.createDirectory(directory.resolve("empty"));
        Program refused = Program.run("kube", "advise", "--example", empty.toString());
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err()).contains("cannot be written: it is a directory");
        assertThat(empty).isDirectory();
        Path link = Files.createSymbolicLink(directory.resolve("link.json"), directory.resolve("behind.json"));
        assertThat(Program.run("kube", "advise", "--example", link.toString()).code())
                .isZero();
        assertThat(link).isSymbolicLink();
        assertThat(directory.resolve("behind.json")).hasSameTextualContentAs(Path.of(example()));
    }

    @Test
    void withoutAClusterItSaysWhereOneWasSought() throws IOException {
        Path config = directory.resolve("kubeconfig");
        Files.writeString(config, """
                {"apiVersion": "v1", "kind": "Config", "current-context": "c",
                 "clusters": [{"name": "c", "cluster": {"server": "http://127.0.0.1:1"}}],
                 "contexts": [{"name": "c", "context": {"cluster": "c", "user": "u"}}],
                 "users": [{"name": "u", "user": {}}]}
                """);
        Program live = Program.run("kube", "advise", "live", "--kubeconfig", config.toString());
        assertThat(live.code()).isEqualTo(1);
        assertThat(live.err().replaceAll("\\s+", " "))
                .contains("no API server answers at http://127.0.0.1:1/ (")
                .contains("those of --kubeconfig FILE, else of KUBECONFIG, ~/.kube/config")
                .doesNotContain("[null]");
    }

    /** One command called it a bug, and KUBECONFIG was left out without a word. */
    @Test
    void allCommandsSayWhyAKubeconfigCannotBeUsed() throws Exception {
        Path none = directory.resolve("none");
        Path empty = Files.writeString(directory.resolve("empty"), "");
        Path bare = Files.writeString(directory.resolve("bare"), "apiVersion: v1\nkind: Config\n");
        Path other = Files.writeString(
                directory.resolve("other"),
                "kind: Config\ncurrent-context: nope\ncontexts: [{name: c, context: {cluster: c, user: u}}]\n");
        Path text = Files.writeString(directory.resolve("text"), "a: [b\n");
        for (List<String> command : List.of(
                List.of("kube", "advise", "live"),
                List.of("kube", "consolidate"),
                List.of("kube", "consolidate", "--watch", "--listen", "127.0.0.1:0"),
                List.of("kube", "schedule", "--listen", "127.0.0.1:0"),
                List.of("kube", "guard", "--tls-cert", empty.toString(), "--tls-key", empty.toString()))) {
            assertThat(with(command, none)).contains(none + ": there is no such file, or it cannot be read");
            assertThat(with(command, empty)).contains(empty + ": it is not a kubeconfig");
            for (Path without : List.of(bare, other)) {
                assertThat(with(command, without))
                        .contains(without + ": its current-context is missing or is not one of its contexts");
            }
            assertThat(with(command, text)).contains(text + ": it is not a kubeconfig");
        }
        Path out = directory.resolve("out.txt");
        ProcessBuilder live = ProgramElsewhere.process("kube", "advise", "live")
                .redirectErrorStream(true)
                .redirectOutput(out.toFile());
        live.environment().put("KUBECONFIG", none.toString());
        assertThat(live.start().waitFor()).isEqualTo(2);
        assertThat(Files.readString(out).replaceAll("\\s+", " "))
                .contains("KUBECONFIG " + none + ": there is no such file");
    }

    private static String with(List<String> command, Path kubeconfig) {
        List<String> words = new java.util.ArrayList<>(command);
        words.addAll(List.of("--kubeconfig", kubeconfig.toString()));
        Program run = Program.run(words.toArray(String[]::new));
        assertThat(run.code()).as(run.err()).isEqualTo(2);
        return run.err().replaceAll("\\s+", " ");
    }

    /** Its internal error came only after it had become the leader. */
    @Test
    void aPolicyThatCannotSchedulePodsIsRefusedAtOnce() throws IOException {
        Path config = directory.resolve("config");
        Files.writeString(config, """
                {"apiVersion": "v1", "kind": "Config", "current-context": "c",
                 "clusters": [{"name": "c", "cluster": {"server": "http://127.0.0.1:1"}}],
                 "contexts": [{"name": "c", "context": {"cluster": "c", "user": "u"}}],
                 "users": [{"name": "u", "user": {}}]}
                """);
        for (String policy : List.of("vqs", "randomized-central", "vqs-bf:levels=3")) {
            Program refused = Program.run(
                    "kube",
                    "schedule",
                    "--listen",
                    "127.0.0.1:0",
                    "--policy",
                    policy,
                    "--kubeconfig",
                    config.toString());
            assertThat(refused.code()).as(refused.err()).isEqualTo(2);
            assertThat(refused.err().replaceAll("\\s+", " ")).contains("does not respect node selectors");
        }
    }

    /** Hole: such a node was said to break the spread. */
    @Test
    void aNodeWithoutTheLabelOfASpreadIsSaidToHaveNone() throws IOException {
        String node = """
                {"kind": "Node", "apiVersion": "v1", "metadata": {"name": "NAME", "labels": {LABELS}},
                 "status": {"allocatable": {"cpu": "4", "memory": "8Gi", "pods": "10"}}},
                """;
        Path file = directory.resolve("spread.json");
        Files.writeString(
                file,
                "{\"kind\": \"List\", \"apiVersion\": \"v1\", \"items\": ["
                        + node.replace("NAME", "n1").replace("LABELS", "\"" + ZONE + "\": \"a\"")
                        + node.replace("NAME", "n2").replace("LABELS", "")
                        + """
                        {"kind": "Pod", "apiVersion": "v1",
                         "metadata": {"name": "p", "namespace": "d", "uid": "1", "labels": {"app": "a"}},
                         "status": {"phase": "Pending"}, "spec": {
                         "topologySpreadConstraints": [{"maxSkew": 1, "topologyKey": "ZONE",
                           "whenUnsatisfiable": "DoNotSchedule", "labelSelector": {"matchLabels": {"app": "a"}}}],
                         "containers": [{"name": "c", "resources": {"requests": {"cpu": "1"}}}]}}]}
                        """.replace("ZONE", ZONE));
        assertThat(Program.run("kube", "advise", file.toString(), "--why-not", "d/p on n2")
                        .out())
                .contains("has no label " + ZONE + ", over which it is spread");
    }

    /**
     * Two nodes of 4 cores, one of which is full: of four pods of 3 cores one has room. Each was said to wait alone,
     * and for one node.
     */
    @Test
    void aGroupWaitsAsOne() throws IOException {
        String items = IntStream.range(0, 2).mapToObj(n -> """
                        {"kind": "Node", "apiVersion": "v1", "metadata": {"name": "n%d"},
                         "status": {"allocatable": {"cpu": "4", "memory": "8Gi", "pods": "10"}}}""".formatted(n)).collect(Collectors.joining(","));
        items += grouped("old", "4", "g", "4", "n0");
        for (int i = 0; i < 4; i++) {
            items += grouped("train-" + i, "3", "train", "4", "");
        }
        items += grouped("few-0", "1", "few", "3", "") + grouped("few-1", "1", "few", "3", "");
        items += grouped("part-0", "0", "part", "2", "n0") + grouped("part-1", "1", "part", "2", "");
        items += grouped("unsaid-0", "3", "unsaid", "", "") + grouped("unsaid-1", "3", "unsaid", "", "");
        Path file = Files.writeString(
                directory.resolve("group.json"),
                "{\"kind\": \"List\", \"apiVersion\": \"v1\", \"items\": [" + items + "]}");
        String text = Program.run("kube", "advise", file.toString()).out().replaceAll("\\s+", " ");
        assertThat(text)
                .contains("d/train-0 and 3 alike: 1 of 2 nodes lacks cpu (nearest: 3 cores short on n0), 1 node has"
                        + " room for it now; its group d/train waits as one: room was found for 1 of the 4 pods that must be"
                        + " placed together")
                .contains(
                        "1 node has room for it now; its group d/few waits as one: 3 pods must be placed together, and"
                                + " there are only 2")
                .contains("its group d/unsaid waits as one: how many pods of it must be placed together is not known"
                        + " here; room was found for 1 of the 2 that wait")
                .doesNotContain("group d/part");
    }

    static String grouped(String name, String cpu, String group, String least, String node) {
        return """
                , {"kind": "Pod", "apiVersion": "v1",
                  "metadata": {"name": "%1$s", "namespace": "d", "uid": "%1$s",
                    "labels": {%3$s"scheduling.x-k8s.io/pod-group": "%2$s"}},
                  "status": {"phase": "%5$s"}, "spec": {%6$s
                  "containers": [{"name": "c", "resources": {"requests": {"cpu": "%4$s"}}}]}}""".formatted(
                name,
                group,
                least.isEmpty() ? "" : "\"pod-group.scheduling.sigs.k8s.io/min-available\": \"" + least + "\", ",
                cpu,
                node.isEmpty() ? "Pending" : "Running",
                node.isEmpty() ? "" : "\"nodeName\": \"" + node + "\",");
    }

    @Test
    void theExampleAsText() {
        Program program = Program.run("kube", "advise", example(), "--add", "40 x 2 cores, 4 GiB", "--steps", "2");
        assertThat(program.code()).as(program.err()).isZero();
        assertThat(program.out())
                .contains("200 nodes, 189 in use")
                .contains("No plan uses fewer than 96, so a better one would")
                .contains("at least, by any method     96 ")
                .contains(
                        "Not moved:",
                        "- 40 pods, each: its budget allows no disruption (default/app-0-0, ",
                        " and 30 more)")
                .contains("Loss of a zone now\n- topology.kubernetes.io/zone=zone-a: ")
                .contains("default/big-0 and 3 alike: 128 of 200 nodes have too little cpu even when empty (nearest:")
                .containsPattern(
                        "default/far: 189 of 200 nodes do not match its node selector"
                                + "\\s+\\(topology\\.kubernetes\\.io/zone=zone-d\\),\\s+8\\s+have\\s+the\\s+taint dedicated=batch:NoSchedule")
                .contains(
                        "Of 40 pods, 40 fit now",
                        "After the plan, 40 fit if all nodes stay on, and 1 if those to switch off");
    }

    @Test
    void aNameThatIsNearlyRightIsRecognized() {
        assertThat(Program.run("kube", "advise", example(), "--why-not", "app-1-0 on node-001")
                        .err())
                .contains("there is no pod 'app-1-0'; did you mean default/app-1-0?");
        assertThat(Program.run("kube", "advise", example(), "--why-not", "default/app-1-0 on nod-001")
                        .err())
                .contains("there is no node 'nod-001'; did you mean node-001?");
    }

    @Test
    void theExampleAsJsonAndPage() throws IOException {
        Path page = directory.resolve("advice.html");
        Program program = Program.run("kube", "advise", example(), "--format", "json", "--report", page.toString());
        assertThat(program.code()).as(program.err()).isZero();
        JsonNode advice = new ObjectMapper().readTree(program.out());
        int freed = advice.at("/plan/freed").size();
        assertThat(freed).isGreaterThan(60);
        assertThat(advice.at("/fewest/planEnd").asInt())
                .isEqualTo(advice.path("serversInUse").asInt() - freed)
                .isGreaterThanOrEqualTo(advice.at("/fewest/bound").asInt());
        String html = Files.readString(page);
        assertThat(html.split("class=\"node", -1)).hasSize(200 + 1 + 1);
        assertThat(html.split("class=\"node freed", -1)).hasSize(freed + 11 + 1);
        assertThat(html).doesNotContain("http://").doesNotContain("https://");
        assertThat(html.substring(0, html.indexOf("<script"))).doesNotContain("()");
        assertThat(advice.path("off")).hasSize(freed + 11);
        // What is empty already is 11 of 200.
        assertThat(html).contains("11 nodes empty already:");
    }

    @Test
    void namesCanBeHidden() throws IOException {
        Path page = directory.resolve("hidden.html");
        Program program = Program.run(
                "kube", "advise", example(), "--anonymous", "--format", "json", "--report", page.toString());
        assertThat(program.code()).as(program.err()).isZero();
        for (String text : List.of(program.out(), Files.readString(page))) {
            assertThat(text)
                    .contains("pod-1")
                    .contains("node-1")
                    .doesNotContain("app-")
                    .doesNotContain("default/")
                    .doesNotContain("node-001")
                    .doesNotContain("zone-a")
                    .doesNotContain("dedicated")
                    .doesNotContain("volume data");
        }
    }

    @Test
    void aRecordingBadlyUsed() throws IOException {
        String example = example();
        refused("--experiment is for a recording", example, "--experiment", "x.yaml");
        refused("--recording is used alone", example, "--recording", "x.log.gz");
        refused("leave --recording out", "--recording", "x.log.gz", "--add", "1 x 1 core");
        refused("x.log.gz", "--recording", "x.log.gz");
    }

    @Test
    void whyNot() {
        Program program = Program.run("kube", "advise", example(), "--why-not", "default/trainer on node-005");
        assertThat(program.out().lines())
                .containsExactly(
                        "default/trainer on node-005: node is cordoned",
                        "default/trainer on node-005: node does not match its node selector (gpu=true)");
        Program unknown = Program.run("kube", "advise", example(), "--why-not", "default/trainer on node-05");
        assertThat(unknown.code()).isEqualTo(2);
        assertThat(unknown.err()).contains("there is no node 'node-05'").contains("node-005");
    }

    @Test
    void badUse() throws IOException {
        refused("needs a FILE or DIR");
        refused("there is no such file", "missing.json");
        refused("live takes no files", "live", example());
        refused("--kubeconfig is only for live", example(), "--kubeconfig", "x");
        refused("one shape at a time", example(), "--add", "1 x 1 core + 2 x 2 cores");
        refused("the cluster has no resource 'nvidia.com/gpu'", example(), "--add", "1 x 1 gpu");
        refused("must be \"JOB on SERVER\"", example(), "--why-not", "x");
        refused("--steps -1", example(), "--steps", "-1");
        Path cut = directory.resolve("cut.json");
        Files.writeString(cut, Files.readString(Path.of(example())).substring(0, 5000));
        refused("is truncated", cut.toString());
    }

    private static void refused(String message, String... arguments) {
        String[] all = new String[arguments.length + 2];
        all[0] = "kube";
        all[1] = "advise";
        System.arraycopy(arguments, 0, all, 2, arguments.length);
        Program program = Program.run(all);
        assertThat(program.err()).contains(message);
        assertThat(program.code()).isEqualTo(2);
    }

    /** Every pair of a pod that waits and a node, against the verdict that was compared with kube-scheduler. */
    @Test
    void agreesWithTheSchedulersVerdict() throws IOException {
        int taken = 0;
        int pairs = 0;
        for (int seed = 0; seed < 60; seed++) {
            Path file = directory.resolve("random-" + seed + ".json");
            Files.writeString(file, random(new Random(seed)));
            NodesAndPods source = SnapshotReader.read(List.of(file));
            ClusterState state = new KubeState(source, new KubeNames(false, ZONE)).state();
            NodeOccupancy occupancy = new NodeOccupancy();
            source.nodes().forEach(occupancy::put);
            source.pods().stream()
                    .map(SnapshotPod::facts)
                    .filter(pod -> pod.isBound())
                    .forEach(occupancy::put);
            for (int j = 0; j < source.pods().size(); j++) {
                SnapshotPod pod = source.pods().get(j);
                for (int n = 0; n < source.nodes().size() && !pod.facts().isBound(); n++) {
                    NodeFacts node = source.nodes().get(n);
                    boolean takes = new NodeVerdict(pod.facts(), occupancy)
                            .obstacle(node)
                            .isEmpty();
                    assertThat(WaitingReasons.whyNot(state, j, n).isEmpty())
                            .as("seed " + seed + ", " + pod.facts().name() + " on " + node.name())
                            .isEqualTo(takes);
                    pairs++;
                    taken += takes ? 1 : 0;
                }
            }
        }
        assertThat(taken).isBetween(pairs / 20, pairs * 3 / 4);
    }

    private static String random(Random random) {
        StringBuilder items = new StringBuilder();
        int nodes = 2 + random.nextInt(5);
        for (int n = 0; n < nodes; n++) {
            String zone = random.nextInt(5) == 0 ? "" : ",\"" + ZONE + "\":\"z" + random.nextInt(3) + "\"";
            String taint = random.nextInt(4) > 0
                    ? ""
                    : "\"taints\":[{\"key\":\"t\",\"value\":\"v\",\"effect\":\"NoSchedule\"}]";
            items.append(String.format(
                    Locale.ROOT,
                    "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"n%d\",\"labels\":{\"host\":\"n%d\"%s}},"
                            + "\"spec\":{%s},\"status\":{\"allocatable\":{\"cpu\":\"4\",\"memory\":\"8Gi\",\"pods\":\"9\"}}},",
                    n,
                    n,
                    zone,
                    taint));
        }
        int pods = 4 + random.nextInt(12);
        for (int p = 0; p < pods; p++) {
            boolean runs = random.nextInt(3) > 0;
            String spec = (runs ? "\"nodeName\":\"n" + random.nextInt(nodes) + "\"," : "") + rule(random);
            items.append(p == 0 ? "" : ",")
                    .append(String.format(
                            Locale.ROOT,
                            "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"p%d\",\"namespace\":\"s%d\",\"uid\":\"p%d\","
                                    + "\"labels\":{\"app\":\"a%d\"}},\"spec\":{%s\"containers\":[{\"name\":\"c\","
                                    + "\"ports\":[%s],\"resources\":{\"requests\":{\"cpu\":\"%dm\"}}}]}}",
                            p,
                            random.nextInt(2),
                            p,
                            random.nextInt(2),
                            spec,
                            port(random),
                            200 * random.nextInt(10)));
        }
        return "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[" + items + "]}";
    }

    private static String port(Random random) {
        String[] addresses = {"", ",\"hostIP\":\"10.0.0.1\"", ",\"hostIP\":\"10.0.0.2\""};
        return random.nextInt(4) > 0
                ? ""
                : "{\"containerPort\":80,\"hostPort\":80" + addresses[random.nextInt(3)] + "}";
    }

    private static String rule(Random random) {
        String selector = "\"labelSelector\":{\"matchLabels\":{\"app\":\"a" + random.nextInt(2) + "\"}}";
        String key = random.nextBoolean() ? "host" : ZONE;
        return switch (random.nextInt(6)) {
            case 0 ->
                "\"affinity\":{\"podAntiAffinity\":{\"requiredDuringSchedulingIgnoredDuringExecution\":[{" + selector
                        + ",\"topologyKey\":\"" + key + "\"}]}},";
            case 1 ->
                "\"topologySpreadConstraints\":[{\"maxSkew\":" + (1 + random.nextInt(2)) + ",\"topologyKey\":\"" + key
                        + "\",\"whenUnsatisfiable\":\"DoNotSchedule\"," + selector + "}],";
            case 2 -> "\"nodeSelector\":{\"" + ZONE + "\":\"z0\"},";
            case 3 -> "\"tolerations\":[{\"key\":\"t\",\"operator\":\"Exists\"}],";
            default -> "";
        };
    }
}
