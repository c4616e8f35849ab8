package dev.stowage.cli.kube;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.Program;
import dev.stowage.cli.ProgramElsewhere;
import dev.stowage.cli.advise.WallPace;
import dev.stowage.kube.consolidate.LiveNodes;
import dev.stowage.kube.real.RealCluster;
import dev.stowage.kube.snapshot.NodesAndPods;
import dev.stowage.kube.translate.PodFacts;
import dev.stowage.study.advise.Closed;
import dev.stowage.study.advise.ConsolidationListener;
import dev.stowage.study.advise.ConsolidationRun;
import dev.stowage.study.advise.ConsolidationSettings;
import dev.stowage.study.advise.JobEvictions;
import dev.stowage.study.advise.NewlyWaiting;
import dev.stowage.study.advise.Restraint;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.policy.v1beta1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.policy.v1beta1.PodDisruptionBudgetStatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code stowage kube consolidate} on a real API server, with no rights but those of
 * deploy/kubernetes/consolidate.yaml, beside a real kube-scheduler, which spreads. There are no controllers: the test
 * makes pods again that were evicted, and writes what budgets allow.
 */
@EnabledIfEnvironmentVariable(named = "KUBEBUILDER_ASSETS", matches = ".+")
final class KubeConsolidateTest {
    private static final int NODES = 6;
    private static final int APPS = 5;

    @TempDir
    private Path directory;

    private KubernetesClient client;

    /** Two pods of each of five apps, as a replica set keeps them; a budget for each says that one must be up. */
    private final class Controllers implements AutoCloseable {
        private final Thread thread = new Thread(this::run, "controllers");
        private volatile boolean ended;
        private volatile int allowed = 1;
        private volatile int fewest = 2;
        private int made;

        Controllers() {
            thread.start();
        }

        private void run() {
            while (!ended) {
                try {
                    for (int app = 0; app < APPS; app++) {
                        keep("app-" + app);
                    }
                } catch (KubernetesClientException e) {
                    // A conflict: the next round sees what it was.
                }
                RealCluster.sleep();
            }
        }

        private void keep(String app) {
            List<Pod> pods = client.pods()
                    .inNamespace("default")
                    .withLabel("app", app)
                    .list()
                    .getItems();
            int up = (int) pods.stream()
                    .filter(pod -> pod.getSpec().getNodeName() != null
                            && pod.getMetadata().getDeletionTimestamp() == null)
                    .count();
            fewest = Math.min(fewest, up);
            for (Pod pod : pods) {
                // As a kubelet says. The API server looks at no budget for one that has not started or is not ready.
                if (pod.getSpec().getNodeName() != null
                        && "Pending".equals(pod.getStatus().getPhase())) {
                    pod.getStatus().setPhase("Running");
                    pod.getStatus()
                            .getConditions()
                            .removeIf(one -> one.getType().equals("Ready"));
                    pod.getStatus()
                            .getConditions()
                            .add(new PodConditionBuilder()
                                    .withType("Ready")
                                    .withStatus("True")
                                    .build());
                    client.pods().inNamespace("default").resource(pod).updateStatus();
                }
            }
            for (int i = pods.size(); i < 2; i++) {
                create(app, "", made++);
            }
            PodDisruptionBudget budget = client.policy()
                    .v1beta1()
                    .podDisruptionBudget()
                    .inNamespace("default")
                    .withName(app)
                    .get();
            budget.setStatus(new PodDisruptionBudgetStatusBuilder()
                    .withDisruptionsAllowed(Math.min(allowed, Math.max(0, up - 1)))
                    .withObservedGeneration(budget.getMetadata().getGeneration())
                    .withCurrentHealthy(up)
                    .withDesiredHealthy(1)
                    .withExpectedPods(2)
                    .build());
            client.resource(budget).inNamespace("default").updateStatus();
        }

        @Override
        public void close() throws InterruptedException {
            ended = true;
            thread.join();
        }
    }

    private void create(String app, String node, int number) {
        Pod pod = Serialization.unmarshal("""
                ---
                {apiVersion: v1, kind: Pod, metadata: {name: %s-%d, namespace: default, labels: {app: %s},
                 ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: %s, uid: %s, controller: true}]},
                 spec: {terminationGracePeriodSeconds: 0,
                 containers: [{name: c, image: x, resources: {requests: {cpu: '1'}}}]}}
                """.formatted(app, number, app, app, uid(app)), Pod.class);
        if (!node.isEmpty()) {
            pod.getSpec().setNodeName(node);
        }
        client.pods().inNamespace("default").resource(pod).create();
    }

    private String uid(String app) {
        return client.apps()
                .replicaSets()
                .inNamespace("default")
                .withName(app)
                .get()
                .getMetadata()
                .getUid();
    }

    /** How many pods its replica set wants; there is no controller that acts on it. */
    private void scale(String app, int pods) {
        client.apps().replicaSets().inNamespace("default").withName(app).edit(set -> {
            set.getSpec().setReplicas(pods);
            return set;
        });
    }

    private void fill() {
        for (int n = 0; n < NODES; n++) {
            Node node = Serialization.unmarshal(
                    "---\n{apiVersion: v1, kind: Node, metadata: {name: n" + n
                            + "}, status: {allocatable: {cpu: '8', memory: 32Gi, pods: '110'},"
                            + " conditions: [{type: Ready, status: 'True'}]}}",
                    Node.class);
            Node made = client.nodes().resource(node).create();
            made.setStatus(node.getStatus());
            client.nodes().resource(made).updateStatus();
        }
        for (int app = 0; app < APPS; app++) {
            client.resource(Serialization.unmarshal(
                            "---\n{apiVersion: policy/v1beta1, kind: PodDisruptionBudget, metadata: {name: app-" + app
                                    + ", namespace: default}, spec: {minAvailable: 1, selector: {matchLabels: {app: app-"
                                    + app + "}}}}",
                            PodDisruptionBudget.class))
                    .create();
            client.resource(Serialization.unmarshal("""
                            ---
                            {apiVersion: apps/v1, kind: ReplicaSet, metadata: {name: %1$s, namespace: default},
                             spec: {replicas: 2, selector: {matchLabels: {app: %1$s}}, template:
                             {metadata: {labels: {app: %1$s}}, spec: {containers: [{name: c, image: x}]}}}}
                            """.formatted("app-" + app), ReplicaSet.class))
                    .create();
            for (int i = 0; i < 2; i++) {
                create("app-" + app, "n" + (app + i) % APPS, 1000 + i);
            }
        }
    }

    private Map<String, Integer> used() {
        Map<String, Integer> used = new TreeMap<>();
        for (Pod pod : client.pods().inNamespace("default").list().getItems()) {
            String node = pod.getSpec().getNodeName();
            used.merge(node == null ? "" : node, 1, Integer::sum);
        }
        return used;
    }

    private List<String> cordoned() {
        return client.nodes().list().getItems().stream()
                .filter(node -> Boolean.TRUE.equals(node.getSpec().getUnschedulable()))
                .map(node -> node.getMetadata().getName())
                .toList();
    }

    private void budgetsAllow(int disruptions) {
        while (!client.policy().v1beta1().podDisruptionBudget().inNamespace("default").list().getItems().stream()
                .allMatch(budget -> budget.getStatus() != null
                        && Integer.valueOf(disruptions)
                                .equals(budget.getStatus().getDisruptionsAllowed()))) {
            RealCluster.sleep();
        }
    }

    @Test
    void nodesAreEmptiedAsFarAsBudgetsAllow() throws Exception {
        try (RealCluster server = cluster()) {
            fill();
            try (Controllers controllers = new Controllers()) {
                budgetsAllow(1);
                Program plan = run(server);
                assertThat(plan.code()).as(plan.err()).isZero();
                assertThat(plan.out()).contains("6 nodes, 5 in use").contains("empty 3 nodes");
                assertThat(used()).hasSize(5);
                whatTheApiServerSaysOfEvictions(server, controllers);
                itCanBeStopped(server);
                // In use if the scheduler put one there that was moving just now; then it may stay so.
                boolean free = !used().containsKey("n5");
                client.nodes().withName("n5").edit(node -> {
                    node.getSpec().setUnschedulable(true);
                    return node;
                });
                Program done = run(server, "--carry-out", "--move-every", "500 ms", "--give-up-after", "1 d");
                assertThat(done.code()).as(done.err()).isZero();
                assertThat(done.out()).contains("moved default/app-").contains(", 2 now; ");
                assertThat(used()).hasSize(2).doesNotContainKey("");
                assertThat(free && used().containsKey("n5")).isFalse();
                // What somebody else has cordoned stays so.
                assertThat(cordoned()).containsExactly("n5");
                assertThat(controllers.fewest).isPositive();
                whatWasLeftIsOpened(server);
            }
            // Nobody creates pods again from now on.
            String unused = used().containsKey("n0") ? used().containsKey("n1") ? "n2" : "n1" : "n0";
            scale("app-0", 3);
            create("app-0", unused, 7000);
            Program alone = run(server, "--carry-out", "--move-every", "100 ms", "--give-up-after", "2 s");
            assertThat(alone.code()).as(alone.out()).isEqualTo(1);
            assertThat(alone.out()).contains(", and nothing more is moved: ").contains("; 0 moves, 0 emptied");
            assertThat(alone.err().replaceAll("\\s+", " "))
                    .contains(" was evicted, and its controller has not created another pod");
            assertThat(cordoned()).containsExactly("n5");
            assertThat(used().values().stream().mapToInt(pods -> pods).sum()).isEqualTo(2 * APPS);
            // Its replica set wants one less by now.
            create("app-0", unused, 7001);
            scale("app-0", 2);
            Program scaledDown = run(server, "--carry-out", "--move-every", "100 ms", "--give-up-after", "2 s");
            assertThat(scaledDown.code()).as(scaledDown.err()).isZero();
            String gone = "default/app-0-7001 on " + unused + " ended, not replaced: no other is wanted";
            assertThat(scaledDown.out()).contains(gone, ", 2 now; 0 moves, 1 emptied");
        }
    }

    /** With the rights of the manifest, and a kube-scheduler. */
    private RealCluster cluster() throws IOException {
        RealCluster cluster = RealCluster.shared();
        client = cluster.client();
        applyRights();
        cluster.startScheduler("apiVersion: kubescheduler.config.k8s.io/v1beta1\nkind: KubeSchedulerConfiguration\n"
                + "leaderElection: {leaderElect: false}\npodMaxBackoffSeconds: 1\n"
                + "clientConnection: {kubeconfig: \"" + cluster.kubeconfig() + "\"}\n");
        return cluster;
    }

    private void applyRights() throws IOException {
        try (InputStream manifest = Files.newInputStream(Path.of("..", "deploy", "kubernetes", "consolidate.yaml"))) {
            for (HasMetadata one : client.load(manifest).items()) {
                client.resource(one).create();
            }
        }
    }

    private static Program run(RealCluster server, String... more) {
        String[] all = new String[4 + more.length];
        System.arraycopy(
                new String[] {
                    "kube",
                    "consolidate",
                    "--kubeconfig",
                    server.kubeconfigOfConsolidate().toString()
                },
                0,
                all,
                0,
                4);
        System.arraycopy(more, 0, all, 4, more.length);
        return Program.run(all);
    }

    private void whatTheApiServerSaysOfEvictions(RealCluster server, Controllers controllers) {
        controllers.allowed = 0;
        budgetsAllow(0);
        while (client.pods().inNamespace("default").list().getItems().stream()
                .anyMatch(pod -> "Pending".equals(pod.getStatus().getPhase()))) {
            RealCluster.sleep();
        }
        try (LiveNodes nodes = new LiveNodes(server.kubeconfigOfConsolidate())) {
            PodFacts pod = nodes.look().pods().get(0).facts();
            LiveNodes.EvictionReply refused = nodes.evict(pod);
            assertThat(refused.eviction()).isEqualTo(LiveNodes.Eviction.NOT_NOW);
            assertThat(refused.why()).contains("disruption budget");
            controllers.allowed = 1;
            budgetsAllow(1);
            assertThat(nodes.evict(pod).eviction()).isEqualTo(LiveNodes.Eviction.LEAVES);
            // It is gone, or another has its name.
            assertThat(nodes.evict(pod).eviction()).isEqualTo(LiveNodes.Eviction.LEAVES);
            assertThat(nodes.cordon("n0")).isTrue();
            assertThat(nodes.marked()).containsOnlyKeys("n0");
            nodes.uncordon("n0");
            nodes.uncordon("n0");
            assertThat(nodes.cordon("n77")).isFalse();
            assertThat(cordoned()).isEmpty();
            NodesAndPods seen = nodes.look();
            assertThat(seen.nodes()).hasSize(NODES);
        }
        budgetsAllow(1);
    }

    private void itCanBeStopped(RealCluster server) {
        WallPace pace = new WallPace();
        ConsolidationSettings settings =
                new ConsolidationSettings(500_000_000, Long.MAX_VALUE / 4, 10, 100, true, false);
        ConsolidationListener tell = new ConsolidationListener() {
            @Override
            public void moved(String job, String node, String to) {
                pace.stop();
            }
        };
        try (LiveNodes nodes = new LiveNodes(server.kubeconfigOfConsolidate());
                pace) {
            KubeLiveCluster cluster = new KubeLiveCluster(nodes, "", settings, pace);
            Closed closed = new Closed(cluster);
            NewlyWaiting waiting = new NewlyWaiting();
            ConsolidationRun.Summary summary = new ConsolidationRun(
                            cluster,
                            new JobEvictions(cluster, cluster, settings, pace, pace::stop, closed, waiting, tell),
                            settings,
                            Restraint.NONE,
                            pace,
                            closed,
                            waiting,
                            tell)
                    .run();
            assertThat(summary.stopped()).isTrue();
            assertThat(summary.closed()).isEmpty();
        }
        assertThat(cordoned()).isEmpty();
        // The scheduler may put one that was moving just now on any node, for all are open again.
        // One of the apps may have lacked a pod when this began, too.
        Map<String, Integer> used = used();
        while (used.containsKey("")
                || used.values().stream().mapToInt(count -> count).sum() != 2 * APPS) {
            RealCluster.sleep();
            used = used();
        }
    }

    /** As after a run that was killed. */
    private void whatWasLeftIsOpened(RealCluster server) {
        try (LiveNodes nodes = new LiveNodes(server.kubeconfigOfConsolidate())) {
            String one = used().keySet().iterator().next();
            assertThat(nodes.cordon(one)).isTrue();
            Program opened = run(server, "--open");
            assertThat(opened.out()).isEqualTo("opened " + one + "\n");
            assertThat(cordoned()).containsExactly("n5");
        }
    }

    /** A controller in a process of its own, which a test stops, or kills. */
    private Process controller(RealCluster server, String... more) throws IOException {
        List<String> all = new ArrayList<>(List.of("kube", "consolidate", "--watch", "--move-every", "300 ms"));
        all.addAll(List.of("--kubeconfig", server.kubeconfigOfConsolidate().toString(), "--lease-seconds", "5"));
        all.addAll(List.of(more));
        return ProgramElsewhere.process(all.toArray(String[]::new))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        directory.resolve("watch.log").toFile()))
                .start();
    }

    private void untilItSays(String key, String what) throws IOException {
        System.out.println("waiting until " + key + " says " + what);
        while (!said().getOrDefault(key, "").contains(what)) {
            RealCluster.sleep();
        }
    }

    private Map<String, String> said() {
        ConfigMap map = client.configMaps()
                .inNamespace("kube-system")
                .withName("stowage-consolidate")
                .get();
        return map == null ? Map.of() : map.getData();
    }

    @Tag("nightly")
    @Test
    void aControllerEmptiesNodesOneByOneAndHasThemRemoved() throws Exception {
        Path removed = directory.resolve("removed");
        Path script = directory.resolve("remove.sh");
        Files.writeString(script, "echo $1 >> " + removed + "\n");
        String[] options = {
            "--carry-out",
            "--at-once",
            "10 %",
            "--retry-after",
            "2 s",
            "--spare",
            "1",
            "--remove",
            "sh " + script,
            "--listen",
            "127.0.0.1:0"
        };
        try (RealCluster server = cluster()) {
            fill();
            try (Controllers controllers = new Controllers()) {
                budgetsAllow(1);
                Process dry = controller(server, "--listen", "127.0.0.1:0");
                // Of 6 nodes with 10 pods, 1/6 of the price for 3/16 of the disruption.
                untilItSays("plan", ": score 0.89\n  default/app-");
                untilItSays("state", "without --carry-out nothing is changed");
                dry.destroy();
                dry.waitFor();
                assertThat(cordoned()).isEmpty();
                Process first = controller(server, options);
                untilItSays("state", "waits until nodes are removed: 1 emptied nodes still exist");
                String one = Files.readString(removed).strip();
                assertThat(cordoned()).containsExactly(one);
                assertThat(used()).hasSize(4).doesNotContainKey(one);
                assertThat(said().get("decisions"))
                        .contains("5 nodes in use; ")
                        .contains(one + " is empty (1 so far, 2 moves)")
                        .contains("asked for the removal of " + one);
                // Another goes on where a killed one was: it asks for no second removal.
                first.destroyForcibly().waitFor();
                Process second = controller(server, options);
                System.out.println("waiting until the second has the lease");
                while (said().get("decisions").contains(one + " is empty")) {
                    RealCluster.sleep();
                }
                untilItSays("state", "waits until nodes are removed: 1 emptied nodes still exist");
                assertThat(Files.readAllLines(removed)).hasSize(1);
                client.nodes().withName(one).delete();
                untilItSays("decisions", "asked for the removal of n");
                String two = Files.readAllLines(removed).get(1);
                assertThat(used()).hasSize(3).doesNotContainKey(two);
                // Somebody puts a pod there: the node is open again.
                create("app-0", two, 5000);
                untilItSays("decisions", two + " was emptied and is in use again: opened it");
                whileAPodWaits();
                second.destroy();
                second.waitFor();
                assertThat(client.leases()
                                .inNamespace("kube-system")
                                .withName("stowage-consolidate")
                                .get()
                                .getSpec()
                                .getHolderIdentity())
                        .isEmpty();
                assertThat(controllers.fewest).isPositive();
            }
        }
    }

    private void whileAPodWaits() throws IOException {
        client.pods()
                .inNamespace("default")
                .resource(Serialization.unmarshal(
                        "---\n{apiVersion: v1, kind: Pod, metadata: {name: big, namespace: default}, spec: {containers:"
                                + " [{name: c, image: x, resources: {requests: {cpu: '100'}}}]}}",
                        Pod.class))
                .create();
        untilItSays("state", "default/big waits for a place: nothing is emptied");
        assertThat(cordoned()).isEmpty();
        // Nothing that is closed here is to blame, so it goes on after a while.
        untilItSays("state", "waits until nodes are removed: 1 emptied nodes still exist");
    }
}
