package dev.stowage.cli.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.stowage.cli.Program;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.kube.preempt.DisruptionBudgets;
import dev.stowage.kube.schedule.ClusterEngine;
import dev.stowage.kube.schedule.Decisions;
import dev.stowage.kube.translate.NodeFacts;
import dev.stowage.kube.translate.PodFacts;
import dev.stowage.kube.translate.PodReader;
import dev.stowage.policies.Policies;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A recording of a scheduler of pods can be replayed, with the same decisions, and under other policies. */
final class KubeRecorderTest {
    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-03-04T05:06:07Z"), ZoneOffset.UTC);
    private static final String GROUP =
            "scheduling.x-k8s.io/pod-group: g," + " pod-group.scheduling.sigs.k8s.io/min-available: '2'";
    private static final String APART = ", affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution:"
            + " [{topologyKey: host, labelSelector: {matchLabels: {app: db}}}]}}";

    @TempDir
    Path directory;

    @TempDir
    Path results;

    private final List<PodFacts> bound = new ArrayList<>();
    private final List<String> evicted = new ArrayList<>();
    private long now = 5_000_000_000L;

    @Test
    void whatPodsDidIsReplayed() throws IOException {
        KubeRecorder recorder = new KubeRecorder(directory, CLOCK);
        ClusterEngine engine = new ClusterEngine(
                "stowage",
                PolicySpec.of("bf-js"),
                new Policies(),
                10,
                () -> now += 1_000_000_000,
                new Noting(),
                recorder);
        node(engine, "a", 4);
        node(engine, "b", 8);
        engine.start();
        for (int i = 0; i < 6; i++) {
            pod(engine, "w" + i, "app: w", 1 + i % 3, "");
        }
        pod(engine, "db1", "app: db", 1, APART);
        pod(engine, "db2", "app: db", 1, APART);
        pod(engine, "g1", GROUP, 2, "");
        pod(engine, "g2", GROUP, 2, "");
        for (int i = 0; i < bound.size() && i < 6; i++) {
            engine.podGone(bound.get(i).uid());
        }
        node(engine, "c", 8);
        engine.offerAgain();
        makeRoom(engine);
        long digest = engine.digest();
        // Quiet time at the end counts too.
        now += 100_000_000_000L;
        engine.endLog();
        assertThat(bound).hasSize(11);
        Path log = directory.resolve("pods-20260304T050607Z.log.gz");
        assertThat(log).isRegularFile();

        Program same = Program.run("replay", log.toString());
        assertThat(same.code()).as(same.err() + same.out()).isZero();
        assertThat(same.out() + same.err()).contains(String.format("%016x", digest));
        Program other = Program.run(
                "replay",
                log.toString(),
                "--policy",
                "fifo-ff,bf-j",
                "--out",
                results.resolve("out").toString());
        assertThat(other.code()).as(other.err()).isZero();
        assertThat(other.out()).contains("fifo-ff").contains("bf-j");
        rates(log);
        // A second engine gets a file of its own.
        engine.start();
        engine.endLog();
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files).hasSize(2);
        }
    }

    /** Twelve pods came, of which two found their place without the engine; seven are gone. */
    private void rates(Path log) throws IOException {
        Path forecast = results.resolve("forecast.yaml");
        Program advice = Program.run(
                "kube",
                "advise",
                "--recording",
                log.toString(),
                "--format",
                "json",
                "--experiment",
                forecast.toString());
        assertThat(advice.code()).as(advice.err()).isZero();
        JsonNode kinds = new ObjectMapper().readTree(advice.out()).path("kinds");
        int came = 0;
        for (JsonNode kind : kinds) {
            assertThat(kind.path("before").asInt()).isZero();
            came += kind.path("came").asInt();
        }
        assertThat(came).isEqualTo(12);
        Path page = results.resolve("turnover.html");
        Program text = Program.run("kube", "advise", "--recording", log.toString(), "--report", page.toString());
        assertThat(text.out())
                .startsWith("In the long run, pods")
                .contains("The recording covers 2.1 min. Before", "2 cores", "arrivals per hour", " s (");
        assertThat(Files.readString(page).replace('\u00a0', ' '))
                .contains("<title>How pods come and go", "In the long run, pods", "2 cores");
        Program run = Program.run(
                "run",
                forecast.toString(),
                "--replications",
                "1",
                "--out",
                results.resolve("forecast").toString());
        assertThat(run.code()).as(run.err() + Files.readString(forecast)).isZero();
        Program wrong = Program.run("kube", "advise", "--recording", log.toString(), "x.json");
        assertThat(wrong.code()).isEqualTo(2);
        assertThat(wrong.err()).contains("--recording is used alone; leave x.json out");
        Program none = Program.run("kube", "advise", "--recording", forecast.toString());
        assertThat(none.code()).isEqualTo(2);
        assertThat(none.err()).contains("is not a recording");
    }

    /** Others are evicted for a pod. */
    private void makeRoom(ClusterEngine engine) {
        node(engine, "d", 6);
        engine.budgets(new DisruptionBudgets(List.of()));
        engine.pod(PodReader.read(pod("low", "", 6, ", priority: 1, nodeName: d")));
        engine.pod(PodReader.read(pod("high", "", 4, ", priority: 9, nodeSelector: {host: d}")));
        engine.preempt(now, Long.MAX_VALUE / 4);
        assertThat(evicted).containsExactly("low");
        engine.bindNominated();
        assertThat(bound).hasSize(10);
        engine.podGone("u-low");
        engine.bindNominated();
    }

    /** If ending a recording fails, as on a full disk, the file is closed, and another one may begin. */
    @Test
    void aRecordingThatCannotBeEndedIsGivenUp() throws IOException {
        KubeRecorder recorder = new KubeRecorder(directory, CLOCK);
        Cluster cluster = Cluster.single(1, 4);
        // Without an engine there is no digest to end it with.
        recorder.begin(null, cluster, PolicySpec.of("bf-js"), 1);
        assertThatThrownBy(() -> recorder.end(1)).isInstanceOf(NullPointerException.class);
        try (GZIPInputStream file =
                new GZIPInputStream(Files.newInputStream(directory.resolve("pods-20260304T050607Z.log.gz")))) {
            assertThat(new String(file.readAllBytes(), StandardCharsets.UTF_8))
                    .startsWith("stowage-log 2")
                    .doesNotContain("end digest");
        }
        recorder.end(1);
    }

    private static void node(ClusterEngine engine, String name, int cores) {
        engine.node(NodeFacts.of(Serialization.unmarshal(
                "---\n{apiVersion: v1, kind: Node, metadata: {name: " + name + ", labels: {host: " + name
                        + "}}, status: {allocatable: {cpu: '" + cores + "', memory: 8Gi, pods: '110'}}}",
                Node.class)));
    }

    private static void pod(ClusterEngine engine, String name, String labels, int cores, String spec) {
        engine.pod(PodReader.read(pod(name, labels, cores, spec)));
    }

    private static Pod pod(String name, String labels, int cores, String spec) {
        return Serialization.unmarshal(
                "---\n{apiVersion: v1, kind: Pod, metadata: {name: " + name + ", uid: u-" + name
                        + ", namespace: default, labels: {" + labels + "}}, spec: {schedulerName: stowage, containers:"
                        + " [{name: c, image: x, resources: {requests: {cpu: '" + cores + "'}}}]" + spec + "}}",
                Pod.class);
    }

    private final class Noting implements Decisions {
        @Override
        public void bind(PodFacts pod, String node, String reason) {
            bound.add(pod);
        }

        @Override
        public void evict(PodFacts pod, String reason) {
            throw new AssertionError(pod.path() + " was evicted");
        }

        @Override
        public void nominate(PodFacts pod, String node, List<PodFacts> victims, String reason) {
            victims.forEach(victim -> evicted.add(victim.name()));
        }

        @Override
        public void waits(PodFacts pod) {}
    }
}
