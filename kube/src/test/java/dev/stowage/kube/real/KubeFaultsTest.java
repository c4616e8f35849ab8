package dev.stowage.kube.real;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two replicas beside a real kube-scheduler on the same nodes, under load and faults: a replica is killed or stopped
 * for longer than its lease, the API server is killed, replies are lost after bindings took effect, bindings are
 * refused, history is compacted while a replica is stopped. A program that shares nothing with ours judges etcd's
 * history. Not part of {@code mvn verify}: {@code .ci/faults kube} runs it.
 */
@EnabledIfSystemProperty(named = "stowage.kube-fault-seconds", matches = "[0-9]+")
@Timeout(value = 3, unit = TimeUnit.HOURS)
final class KubeFaultsTest {
    private static final int NODES = 6;
    private static final long LOAD_MILLIS = 150;
    /** What a dead leader has been let through by the guard holds room for so long: short of 30 s. */
    private static final Duration LONGEST_REQUEST = Duration.ofSeconds(15);

    @TempDir
    Path directory;

    private final long seconds = Long.getLong("stowage.kube-fault-seconds", 60);
    private final boolean guarded = Boolean.getBoolean("stowage.kube-guard");
    private final String[] kinds = System.getProperty(
                    "stowage.kube-faults", "killed,stopped,API server killed,replies lost,refused,compacted")
            .split(",");
    private final Random random = new Random(Long.getLong("stowage.seed", System.nanoTime()));
    private final TreeMap<String, Integer> faults = new TreeMap<>();
    private final ReplicaProcess[] replicas = new ReplicaProcess[2];
    private final HttpClient http = HttpClient.newHttpClient();
    private RealCluster cluster;
    private ApiProxy proxy;
    private JudgeProcess judge;
    private Path kubeconfig;
    private volatile Throwable failure;
    private volatile boolean over;
    private volatile boolean settled;
    private Thread leaving;

    @Test
    void noRuleIsBrokenAndNothingIsLeftToDo() throws Exception {
        try (RealCluster running = new RealCluster(
                        directory,
                        List.of(
                                "--storage-media-type=application/json",
                                "--etcd-compaction-interval=0",
                                "--request-timeout=" + LONGEST_REQUEST.toSeconds() + "s"));
                ApiProxy between = new ApiProxy(running.port());
                JudgeProcess judging = new JudgeProcess(running.etcdPort(), directory, guarded)) {
            cluster = running;
            proxy = between;
            judge = judging;
            TestObjects.applyManifests(cluster.client());
            Crowd.prepare(cluster.client(), NODES);
            try (SmallProvisioner provisioner = new SmallProvisioner(cluster.client());
                    AutoCloseable guard = guarded ? new GuardOnServer(cluster, directory, LONGEST_REQUEST) : () -> {}) {
                cluster.startScheduler("apiVersion: kubescheduler.config.k8s.io/v1beta1\n"
                        + "kind: KubeSchedulerConfiguration\nleaderElection: {leaderElect: false}\n"
                        + "podMaxBackoffSeconds: 1\nclientConnection: {kubeconfig: \"" + cluster.kubeconfig()
                        + "\"}\n");
                underFaults();
            }
        }
    }

    private void underFaults() throws Exception {
        kubeconfig = proxy.kubeconfig(cluster.kubeconfigOfStowage());
        startReplica(0);
        startReplica(1);
        Thread load = new Thread(this::load, "load");
        load.start();
        try {
            long end = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
            while (System.nanoTime() - end < 0 && failure == null) {
                fault();
                Thread.sleep(1000 + random.nextInt(2000));
            }
            over = true;
            load.join();
            assertThat(failure).isNull();
            whatLeavesIsGone();
            settle();
        } finally {
            over = true;
            settled = true;
            if (leaving != null) {
                leaving.join();
            }
            for (ReplicaProcess replica : replicas) {
                replica.close();
            }
        }
    }

    private void startReplica(int which) throws Exception {
        replicas[which] = new ReplicaProcess(kubeconfig, directory.resolve("replica-" + which + ".log"));
    }

    /** Removes terminating pods at once, from now on, because there is no kubelet. */
    private void whatLeavesIsGone() {
        leaving = new Thread(
                () -> {
                    while (!settled) {
                        try {
                            Crowd.endThoseThatLeave(cluster.client());
                        } catch (KubernetesClientException e) {
                            // It is called again.
                        }
                        pause(LOAD_MILLIS);
                    }
                },
                "leaving");
        leaving.start();
    }

    private void settle() throws Exception {
        long ended = System.nanoTime();
        JudgeProcess.Sentence sentence = judge.check();
        while (!sentence.isGuilty() && !sentence.isDone()) {
            Thread.sleep(500);
            sentence = judge.check();
        }
        System.out.println("faults " + faults + ", all done " + (System.nanoTime() - ended) / 1_000_000
                + " ms after the last one");
        System.out.println(sentence.text());
        assertThat(sentence.isGuilty()).as(sentence.text()).isFalse();
    }

    // ---- load

    private void load() {
        Crowd crowd = new Crowd(cluster.client(), new Random(random.nextLong()));
        while (!over) {
            try {
                crowd.turn();
            } catch (KubernetesClientException e) {
                // The API server is down.
            } catch (RuntimeException | Error e) {
                failure = e;
                return;
            }
            pause(LOAD_MILLIS);
        }
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    // ---- faults

    private void fault() throws Exception {
        int which = random.nextInt(2);
        String kind = kinds[random.nextInt(kinds.length)];
        faults.merge(kind, 1, Integer::sum);
        switch (kind) {
            case "killed" -> {
                replicas[which].close();
                startReplica(which);
            }
            case "stopped" -> {
                replicas[which].pause();
                pause(1000 + random.nextInt(14_000));
                replicas[which].goOn();
            }
            case "API server killed" -> restartApiServer();
            case "replies lost" -> {
                proxy.lose(request -> request.contains("/binding") && random.nextInt(3) > 0);
                pause(3000);
                proxy.lose(request -> false);
            }
            case "refused" -> {
                proxy.refuse(request -> request.contains("/binding") && random.nextInt(3) == 0);
                pause(3000);
                proxy.refuse(request -> false);
            }
            default -> compact(which);
        }
    }

    private void restartApiServer() throws Exception {
        cluster.endApiServer();
        pause(random.nextInt(3000));
        cluster.startApiServer();
        cluster.awaitReady();
    }

    /** Compacts history that a stopped replica has not seen. */
    private void compact(int which) throws Exception {
        replicas[which].pause();
        pause(4000);
        HttpResponse<String> answer = http.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + cluster.etcdPort() + "/v3/kv/compaction"))
                        .POST(HttpRequest.BodyPublishers.ofString("{\"revision\": \"" + judge.revision() + "\"}"))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isIn(200, 400);
        restartApiServer();
        replicas[which].goOn();
    }
}
