package dev.stowage.kube.real;

import static dev.stowage.kube.real.TestObjects.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.kube.schedule.KubeClients;
import dev.stowage.kube.translate.NodeFacts;
import dev.stowage.kube.translate.PodFacts;
import dev.stowage.kube.watch.ClusterWatch;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The events of a real API server that is killed and started again, and whose history is compacted meanwhile. */
@Tag("once")
final class ClusterWatchTest {
    private static final int TIMES = Integer.getInteger("stowage.times", 1);

    private RealCluster cluster;
    private final Set<String> there = ConcurrentHashMap.newKeySet();
    private final Map<String, String> uids = new ConcurrentHashMap<>();

    @BeforeEach
    void start() throws IOException {
        cluster = RealCluster.shared();
    }

    @Test
    void whatCameAndWentIsHeardOfAfterEachRestart() throws Exception {
        try (KubernetesClient own = KubeClients.open(cluster.kubeconfig());
                ClusterWatch watch = new ClusterWatch(own, new Heard())) {
            watch.start();
            for (int time = 0; time < TIMES; time++) {
                String before = "before" + time;
                TestObjects.create(cluster.client(), TestObjects.pod(before, "stowage", "1", ""));
                until(before + " is heard of", () -> there.contains(before));
                cluster.endApiServer();
                compact();
                cluster.startApiServer();
                cluster.awaitReady();
                cluster.client().pods().inNamespace("default").withName(before).delete();
                until(before + " is gone", () -> !there.contains(before));
            }
        }
    }

    /** Waits for most of a minute; {@code WatchedKindTest} has the same without a server. */
    @Test
    @Tag("nightly")
    void aWatchThatGoesSilentIsFoundAndBegunAnew() throws Exception {
        try (ApiProxy proxy = new ApiProxy(cluster.port());
                KubernetesClient own = KubeClients.open(proxy.kubeconfig(cluster.kubeconfig()));
                ClusterWatch watch = new ClusterWatch(own, new Heard())) {
            watch.start();
            TestObjects.create(cluster.client(), TestObjects.pod("before", "stowage", "1", ""));
            until("a pod is heard of", () -> there.contains("before"));
            proxy.muteWatches();
            TestObjects.create(cluster.client(), TestObjects.pod("unheard", "stowage", "1", ""));
            until("one that came in silence is heard of", () -> there.contains("unheard"));
            proxy.muteWatches();
            cluster.client().pods().inNamespace("default").withName("before").delete();
            until("that one went in silence is heard of", () -> !there.contains("before"));
            assertThat(there).isEqualTo(Set.of("unheard"));
        }
    }

    /** Compacts everything that the watch has seen. */
    private void compact() throws IOException {
        String status = cluster.etcd("maintenance/status", "{}");
        String revision = status.replaceAll("(?s).*\"revision\":\"([0-9]+)\".*", "$1");
        cluster.etcd("kv/compaction", "{\"revision\": \"" + revision + "\"}");
    }

    private final class Heard implements ClusterWatch.Listener {
        @Override
        public void node(NodeFacts node) {}

        @Override
        public void nodeGone(String name) {}

        @Override
        public void pod(PodFacts pod) {
            uids.put(pod.name(), pod.uid());
            there.add(pod.name());
        }

        @Override
        public void podGone(String uid) {
            there.removeIf(name -> uids.getOrDefault(name, "").equals(uid));
        }

        @Override
        public void listed(String what) {}
    }
}
