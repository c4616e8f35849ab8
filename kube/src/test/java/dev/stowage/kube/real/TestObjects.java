package dev.stowage.kube.real;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Objects that tests put into a cluster. */
final class TestObjects {
    private TestObjects() {}

    /** Everything of deploy/kubernetes/stowage.yaml. */
    static void applyManifests(KubernetesClient client) throws IOException {
        apply(client, "stowage.yaml");
    }

    /** Everything of a file of deploy/kubernetes. */
    static void apply(KubernetesClient client, String file) throws IOException {
        for (HasMetadata one : manifest(client, file, "", "")) {
            client.resource(one).create();
        }
    }

    /** The objects of a manifest, in the versions of an API server 1.20, with some words replaced. */
    static List<HasMetadata> manifest(KubernetesClient client, String file, String words, String by)
            throws IOException {
        String text = Files.readString(Path.of("..", "deploy", "kubernetes", file))
                .replace("apiVersion: policy/v1\n", "apiVersion: policy/v1beta1\n");
        return client.load(new ByteArrayInputStream(
                        (words.isEmpty() ? text : text.replace(words, by)).getBytes(StandardCharsets.UTF_8)))
                .items();
    }

    /** A node that is ready. */
    static void node(KubernetesClient client, String name, String cpu) {
        Node node = Serialization.unmarshal(
                "---\n{apiVersion: v1, kind: Node, metadata: {name: " + name + ", labels: {kubernetes.io/hostname: "
                        + name + "}}, status: {allocatable: {cpu: '" + cpu + "', memory: 32Gi, pods: '110'},"
                        + " conditions: [{type: Ready, status: 'True'}]}}",
                Node.class);
        Node made = client.nodes().resource(node).create();
        made.setStatus(node.getStatus());
        client.nodes().resource(made).updateStatus();
    }

    /** A pod that ends at once when it is deleted. */
    static Pod pod(String name, String scheduler, String cpu, String labels) {
        return Serialization.unmarshal(
                "---\n{apiVersion: v1, kind: Pod, metadata: {name: " + name + ", namespace: default, labels: {" + labels
                        + "}}, spec: {schedulerName: " + scheduler + ", terminationGracePeriodSeconds: 0,"
                        + " containers: [{name: c, image: x, resources: {requests: {cpu: " + cpu + "}}}]}}",
                Pod.class);
    }

    static void priorityClass(KubernetesClient client, String name, int value, String policy) {
        client.resource(Serialization.unmarshal(
                        "---\n{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: " + name
                                + "}, value: " + value + ", preemptionPolicy: " + policy + "}",
                        PriorityClass.class))
                .create();
    }

    /** Labels of a pod of a group. */
    static String group(String name, int least) {
        return "scheduling.x-k8s.io/pod-group: " + name + ", pod-group.scheduling.sigs.k8s.io/min-available: '" + least
                + "'";
    }

    /** Gives the server {@code PodGroup} objects with any fields, in a group of the API that it does not have. */
    static void podGroups(KubernetesClient client, String api) {
        make(
                client,
                "{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: podgroups."
                        + api + ", annotations: {api-approved.kubernetes.io: unapproved}}, spec: {group: " + api
                        + ", names: {kind: PodGroup, plural: podgroups, singular: podgroup}, scope: Namespaced,"
                        + " versions: [{name: v1alpha1, served: true, storage: true, schema:"
                        + " {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}]}}");
    }

    /**
     * The same of Kubernetes itself: a server accepts no further version of an API group that it has, so its objects
     * are in another one, {@code groups.example}, which who asks through the proxy does not see.
     */
    static void podGroups(KubernetesClient client, ApiProxy proxy) {
        podGroups(client, "groups.example");
        make(
                client,
                "{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: groups.example},"
                        + " rules: [{apiGroups: [groups.example], resources: [podgroups], verbs: [list, watch]}]}");
        make(
                client,
                "{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRoleBinding, metadata: {name: groups.example},"
                        + " roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: groups.example},"
                        + " subjects: [{kind: ServiceAccount, name: stowage, namespace: kube-system}]}");
        proxy.rename("/apis/scheduling.k8s.io", "/apis/groups.example");
    }

    /** One of these objects, as soon as the server takes it. */
    static void podGroup(KubernetesClient client, String api, String name, String spec) {
        until("a PodGroup of " + api + " is taken", () -> {
            try {
                make(
                        client,
                        "{apiVersion: " + api + "/v1alpha1, kind: PodGroup, metadata: {name: " + name
                                + ", namespace: default}, spec: {" + spec + "}}");
                return true;
            } catch (KubernetesClientException e) {
                return false;
            }
        });
    }

    /** Creates what is said in YAML on one line. */
    static void make(KubernetesClient client, String yaml) {
        client.resource((HasMetadata) Serialization.unmarshal("---\n" + yaml)).create();
    }

    static void create(KubernetesClient client, Pod pod) {
        client.pods().inNamespace("default").resource(pod).create();
    }

    /** A binding as any scheduler may send it. */
    static void bind(KubernetesClient client, String pod, String node) {
        client.raw(
                "/api/v1/namespaces/default/pods/" + pod + "/binding",
                "POST",
                "{\"apiVersion\":\"v1\",\"kind\":\"Binding\",\"metadata\":{\"name\":\"" + pod
                        + "\"},\"target\":{\"kind\":\"Node\",\"name\":\"" + node + "\"}}");
    }

    /** Marks a bound pod as running, as a kubelet would. */
    static void run(KubernetesClient client, String name) {
        client.pods()
                .inNamespace("default")
                .withName(name)
                .subresource("status")
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"status\":{\"phase\":\"Running\"}}");
    }

    /** Node of a pod, empty if it waits or is not there. */
    static String nodeOf(KubernetesClient client, String name) {
        Pod pod = client.pods().inNamespace("default").withName(name).get();
        return pod == null || pod.getSpec().getNodeName() == null
                ? ""
                : pod.getSpec().getNodeName();
    }

    static void until(String what, BooleanSupplier condition) {
        System.out.println("waiting until " + what);
        while (!condition.getAsBoolean()) {
            RealCluster.sleep();
        }
    }
}
