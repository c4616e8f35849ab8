package dev.stowage.kube.real;

import static dev.stowage.kube.real.TestObjects.until;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.kube.consolidate.ControllerLease;
import dev.stowage.kube.consolidate.LiveNodes;
import dev.stowage.kube.schedule.CommandLogs;
import dev.stowage.kube.schedule.KubeSettings;
import dev.stowage.kube.schedule.Replica;
import dev.stowage.kube.snapshot.SnapshotPod;
import dev.stowage.kube.translate.PodFacts;
import dev.stowage.policies.Policies;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The rights of the manifests are those that are used: each program does all that it can do, with its service account
 * on a real API server with RBAC, and the server's audit log is compared with the roles. A right that is missing is a
 * call that was forbidden, one too many a right that no call used.
 */
@Tag("once")
final class RightsTest {
    private static final String AUDIT = "apiVersion: audit.k8s.io/v1\nkind: Policy\nomitStages: [RequestReceived]\n"
            + "rules:\n  - {level: Metadata, userGroups: [], users: [\"system:serviceaccount:kube-system:stowage\","
            + " \"system:serviceaccount:kube-system:stowage-consolidate\","
            + " \"system:serviceaccount:stowage-guard:stowage-guard\"]}\n  - {level: None}\n";

    @TempDir
    Path directory;

    private KubernetesClient client;

    @Test
    void eachProgramUsesEachOfItsRightsAndNoOther() throws Exception {
        Path policy = Files.writeString(directory.resolve("audit.yaml"), AUDIT);
        Path log = directory.resolve("audit.log");
        try (RealCluster cluster = new RealCluster(
                        directory, List.of("--audit-policy-file=" + policy, "--audit-log-path=" + log));
                ApiProxy proxy = new ApiProxy(cluster.port())) {
            client = cluster.client();
            TestObjects.node(client, "n1", "4");
            client.nodes().withName("n1").edit(node -> {
                node.getMetadata().getLabels().put("zone", "a");
                return node;
            });
            TestObjects.applyManifests(client);
            TestObjects.podGroups(client, "scheduling.x-k8s.io");
            TestObjects.podGroups(client, proxy);
            TestObjects.podGroup(client, "scheduling.x-k8s.io", "g", "minMember: 1");
            schedule(cluster, proxy);
            compare("stowage.yaml", "kube-system:stowage", log);
            for (HasMetadata one : TestObjects.manifest(client, "consolidate.yaml", "", "")) {
                client.resource(one).create();
            }
            consolidate(cluster, proxy);
            compare("consolidate.yaml", "kube-system:stowage-consolidate", log);
            guard(cluster);
            compare("guard.yaml", "stowage-guard:stowage-guard", log);
        }
    }

    /** A binding whose reply is lost, two kinds of claims, a group, a preemption, an event, a lease. */
    private void schedule(RealCluster cluster, ApiProxy proxy) throws Exception {
        for (String name : new String[] {"made", "local"}) {
            TestObjects.make(
                    client,
                    "{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: " + name + "}, provisioner: "
                            + (name.equals("made") ? SmallProvisioner.DRIVER : "kubernetes.io/no-provisioner")
                            + ", volumeBindingMode: WaitForFirstConsumer}");
            TestObjects.make(
                    client,
                    "{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: " + name + ", namespace: default},"
                            + " spec: {accessModes: [ReadWriteOnce], storageClassName: " + name
                            + ", resources: {requests: {storage: 1Gi}}}}");
        }
        TestObjects.make(
                client,
                "{apiVersion: v1, kind: PersistentVolume, metadata: {name: v}, spec: {capacity: {storage: 1Gi},"
                        + " accessModes: [ReadWriteOnce], storageClassName: local, local: {path: /d}, nodeAffinity: {required:"
                        + " {nodeSelectorTerms: [{matchExpressions: [{key: zone, operator: In, values: [a]}]}]}}}}");
        client.persistentVolumes().withName("v").editStatus(now -> {
            now.getStatus().setPhase("Available");
            return now;
        });
        TestObjects.priorityClass(client, "high", 1000, "PreemptLowerPriority");
        AtomicInteger lost = new AtomicInteger();
        proxy.lose(request -> request.contains("/binding") && lost.getAndIncrement() == 0);
        Replica replica = new Replica(
                proxy.kubeconfig(cluster.kubeconfigOfStowage()),
                KubeSettings.of("stowage", PolicySpec.of("bf-js")),
                new Policies(),
                new Replica.LeaseSettings("kube-system", "stowage", Duration.ofSeconds(10)),
                CommandLogs.NONE);
        Thread running = new Thread(() -> {
            try {
                replica.run();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        running.start();
        try (SmallProvisioner provisioner = new SmallProvisioner(client)) {
            for (String claim : new String[] {"made", "local"}) {
                Pod pod = TestObjects.pod("with-" + claim, "stowage", "1", "");
                pod.getSpec()
                        .setVolumes(Serialization.unmarshal(
                                        "---\n{apiVersion: v1, kind: Pod, spec: {containers: [], volumes: [{name: v,"
                                                + " persistentVolumeClaim: {claimName: " + claim + "}}]}}",
                                        Pod.class)
                                .getSpec()
                                .getVolumes());
                TestObjects.create(client, pod);
            }
            until(
                    "both are bound",
                    () -> !TestObjects.nodeOf(client, "with-made").isEmpty()
                            && !TestObjects.nodeOf(client, "with-local").isEmpty());
            TestObjects.create(
                    client, TestObjects.pod("of-group", "stowage", "100m", "scheduling.x-k8s.io/pod-group: g"));
            until(
                    "a pod of a group is bound",
                    () -> !TestObjects.nodeOf(client, "of-group").isEmpty());
            Pod urgent = TestObjects.pod("urgent", "stowage", "3", "");
            urgent.getSpec().setPriorityClassName("high");
            TestObjects.create(client, urgent);
            until(
                    "it is bound in place of others",
                    () -> !TestObjects.nodeOf(client, "urgent").isEmpty());
        } finally {
            replica.close();
            running.join();
        }
        assertThat(lost.get()).isPositive();
    }

    /** All calls that a controller makes, and an eviction whose reply is lost. */
    private void consolidate(RealCluster cluster, ApiProxy proxy) throws IOException {
        proxy.lose(request -> request.contains("/eviction"));
        try (LiveNodes nodes = new LiveNodes(proxy.kubeconfig(cluster.kubeconfigOfConsolidate()))) {
            try (ControllerLease lease = nodes.lease("kube-system", "stowage-consolidate", Duration.ofSeconds(5))) {
                until("it holds the lease", lease::holds);
                assertThat(lease.other()).isEmpty();
                try (ControllerLease second =
                        nodes.lease("kube-system", "stowage-consolidate", Duration.ofSeconds(5))) {
                    until(
                            "another knows which replica holds the lease",
                            () -> !second.other().isEmpty());
                    assertThat(second.holds()).isFalse();
                }
                lease.say(Map.of("state", "one"));
                lease.say(Map.of("state", "two"));
                assertThat(nodes.cordon("n1")).isTrue();
                nodes.mark("n1", LiveNodes.EMPTIED);
                assertThat(nodes.marked()).containsEntry("n1", LiveNodes.EMPTIED);
                nodes.uncordon("n1");
                PodFacts pod = nodes.look().pods().get(0).facts();
                LiveNodes.EvictionReply reply = nodes.evict(pod);
                assertThat(reply.eviction()).as(pod.path() + reply.why()).isEqualTo(LiveNodes.Eviction.LEAVES);
                for (String kind : List.of("ReplicaSet", "StatefulSet")) {
                    assertThat(nodes.wanted("default", new SnapshotPod.Controller("apps/v1", kind, "none", "u")))
                            .hasValue(0);
                }
                // As long as it takes to renew the lease.
                until(
                        "the lease is renewed",
                        () -> client.leases()
                                .inNamespace("kube-system")
                                .withName("stowage-consolidate")
                                .get()
                                .getSpec()
                                .getRenewTime()
                                .isAfter(client.leases()
                                        .inNamespace("kube-system")
                                        .withName("stowage-consolidate")
                                        .get()
                                        .getSpec()
                                        .getAcquireTime()));
            }
        }
        assertThat(client.configMaps()
                        .inNamespace("kube-system")
                        .withName("stowage-consolidate")
                        .get()
                        .getData())
                .isEqualTo(Map.of("state", "two"));
        proxy.lose(request -> false);
    }

    /** Two bindings without a unique id, for which the pods are read, and a node that is deleted. */
    private void guard(RealCluster cluster) throws IOException {
        try (GuardOnServer guard = new GuardOnServer(cluster, directory, Duration.ofSeconds(1))) {
            TestObjects.node(client, "n2", "1");
            for (String name : new String[] {"g1", "g2"}) {
                TestObjects.create(client, TestObjects.pod(name, "nobody", "100m", ""));
                TestObjects.bind(client, name, "n2");
            }
            assertThat(promises()).isEqualTo(1);
            client.nodes().withName("n2").delete();
            until("nothing is left of the node", () -> promises() == 0);
            System.out.println(guard.metrics());
        }
    }

    private int promises() {
        return client.configMaps()
                .inNamespace("stowage-guard")
                .withLabel("stowage.dev/guard", "promises")
                .list()
                .getItems()
                .size();
    }

    private void compare(String manifest, String account, Path log) throws IOException {
        Set<String> granted = new TreeSet<>();
        for (HasMetadata one : TestObjects.manifest(client, manifest, "CA_BUNDLE", "QUJD")) {
            List<PolicyRule> rules = one instanceof ClusterRole role
                    ? role.getRules()
                    : one instanceof Role role ? role.getRules() : List.of();
            for (PolicyRule rule : rules) {
                for (String verb : rule.getVerbs()) {
                    for (String api : rule.getApiGroups()) {
                        for (String resource : rule.getResources()) {
                            String right = verb + " " + api + "/" + resource;
                            assertThat(granted.add(right)).as(right + " twice").isTrue();
                        }
                    }
                }
            }
        }
        Set<String> used = new TreeSet<>();
        ObjectMapper json = new ObjectMapper();
        for (String line : Files.readAllLines(log)) {
            JsonNode event = json.readTree(line);
            JsonNode object = event.path("objectRef");
            String call =
                    event.path("verb").asText() + " " + object.path("apiGroup").asText() + "/"
                            + object.path("resource").asText()
                            + (object.has("subresource")
                                    ? "/" + object.path("subresource").asText()
                                    : "");
            if (event.at("/user/username").asText().equals("system:serviceaccount:" + account)
                    && object.has("resource")) {
                assertThat(event.at("/annotations/authorization.k8s.io~1decision")
                                .asText())
                        .as(account + " " + call)
                        .isEqualTo("allow");
                used.add(call.replace("groups.example", "scheduling.k8s.io"));
            }
        }
        assertThat(used).as(account).isEqualTo(granted);
    }
}
