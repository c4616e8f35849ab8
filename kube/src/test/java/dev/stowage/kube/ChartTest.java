package dev.stowage.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import com.marcnuri.helm.TemplateCommand;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The chart and the kustomization make the objects of the manifests, by Helm and kubectl themselves. */
final class ChartTest {
    private static final Path DEPLOY = Path.of("..", "deploy", "kubernetes");
    private static final String BUNDLE = "QUJD";

    private static String chart(String... values) {
        TemplateCommand template = new Helm(DEPLOY).template().withName("stowage");
        for (String value : values) {
            String[] parts = value.split("=", 2);
            template.set(parts[0], parts[1]);
        }
        return template.call();
    }

    /** By kind, namespace and name. */
    private static Map<String, JsonNode> objects(String... texts) {
        Map<String, JsonNode> objects = new TreeMap<>();
        for (String text : texts) {
            for (String document : text.split("(^|\n)---\n", -1)) {
                if (!document.isBlank()) {
                    JsonNode one =
                            new ObjectMapper().valueToTree(Serialization.unmarshal("---\n" + document, Map.class));
                    String name = one.path("kind").asText() + " "
                            + one.at("/metadata/namespace").asText() + "/"
                            + one.at("/metadata/name").asText();
                    assertThat(objects.put(name, one)).as(name).isNull();
                }
            }
        }
        return objects;
    }

    private static String manifest(String name) throws IOException {
        return Files.readString(DEPLOY.resolve(name)).replace("CA_BUNDLE", BUNDLE);
    }

    @Test
    void theChartMakesTheObjectsOfTheManifests() throws IOException {
        Map<String, JsonNode> made = objects(chart(
                "gpus.enabled=true", "guard.enabled=true", "guard.caBundle=" + BUNDLE, "consolidate.enabled=true"));
        for (JsonNode one : made.values()) {
            JsonNode container = one.at("/spec/template/spec/containers/0");
            if (container instanceof ObjectNode fields) {
                assertThat(fields.remove("imagePullPolicy").asText()).isEqualTo("IfNotPresent");
            }
        }
        same(
                made,
                objects(
                        manifest("stowage.yaml"),
                        manifest("gpus.yaml"),
                        manifest("guard.yaml"),
                        manifest("consolidate.yaml")));
    }

    private static void same(Map<String, JsonNode> made, Map<String, JsonNode> written) {
        assertThat(made.keySet()).isEqualTo(written.keySet());
        made.forEach((name, one) -> assertThat(one).as(name).isEqualTo(written.get(name)));
    }

    @Test
    void valuesAreSet() throws IOException {
        Map<String, JsonNode> made = objects(chart(
                "schedule.enabled=false",
                "guard.enabled=true",
                "guard.caBundle=" + BUNDLE,
                "guard.failurePolicy=Ignore",
                "guard.replicas=3",
                "guard.nodeSelector.disk=fast",
                "guard.tolerations[0].operator=Exists",
                "guard.priorityClassName=important",
                "guard.resources.requests.cpu=2",
                "guard.args[0]=--tls-cert",
                "guard.args[1]=/a",
                "image.repository=registry.example/stowage",
                "image.tag=1.2",
                "image.pullPolicy=Always"));
        assertThat(made.keySet()).isEqualTo(objects(manifest("guard.yaml")).keySet());
        JsonNode deployment = made.get("Deployment stowage-guard/stowage-guard");
        assertThat(deployment.at("/spec/replicas").asInt()).isEqualTo(3);
        JsonNode pod = deployment.at("/spec/template/spec");
        assertThat(pod.at("/nodeSelector/disk").asText()).isEqualTo("fast");
        assertThat(pod.at("/tolerations/0/operator").asText()).isEqualTo("Exists");
        assertThat(pod.at("/priorityClassName").asText()).isEqualTo("important");
        JsonNode container = pod.at("/containers/0");
        assertThat(container.at("/image").asText()).isEqualTo("registry.example/stowage:1.2");
        assertThat(container.at("/imagePullPolicy").asText()).isEqualTo("Always");
        assertThat(container.at("/args").toString()).isEqualTo("[\"kube\",\"guard\",\"--tls-cert\",\"/a\"]");
        assertThat(container.at("/resources/requests/cpu").asText()).isEqualTo("2");
        JsonNode webhook =
                made.get("ValidatingWebhookConfiguration /stowage-guard").at("/webhooks/0");
        assertThat(webhook.at("/failurePolicy").asText()).isEqualTo("Ignore");
        assertThat(webhook.at("/clientConfig/caBundle").asText()).isEqualTo(BUNDLE);
    }

    /** Without it the kubelet would never find the pod ready. */
    @Test
    void theArgumentsThatAreSetLeaveWhereItListens() {
        Map<String, JsonNode> made =
                objects(chart("consolidate.enabled=true", "schedule.args[0]=-v", "consolidate.args[0]=--watch"));
        assertThat(arguments(made, "stowage"))
                .isEqualTo("[\"kube\",\"schedule\",\"--listen\",\"0.0.0.0:7480\",\"-v\"]");
        assertThat(arguments(made, "stowage-consolidate"))
                .isEqualTo("[\"kube\",\"consolidate\",\"--listen\",\"0.0.0.0:7481\",\"--watch\"]");
    }

    private static String arguments(Map<String, JsonNode> made, String name) {
        return made.get("Deployment kube-system/" + name)
                .at("/spec/template/spec/containers/0/args")
                .toString();
    }

    @Test
    void whatIsNoValueIsRefusedByName() {
        assertThatThrownBy(() -> chart("schedule.replica=3")).hasMessageContaining("\"replica\"");
        assertThatThrownBy(() -> chart("schedule.replicas=-1")).hasMessageContaining("schedule.replicas");
        assertThatThrownBy(() -> chart("scheduler.enabled=true")).hasMessageContaining("scheduler");
        assertThatThrownBy(() -> chart("guard.enabled=true")).hasMessageContaining("guard.caBundle");
        assertThatThrownBy(() -> chart("guard.failurePolicy=Maybe")).hasMessageContaining("guard.failurePolicy");
    }

    @Test
    void helmFindsNothingToComplainOf() {
        LintResult lint = new Helm(DEPLOY).lint().strict().call();
        assertThat(lint.getMessages()).allMatch(message -> message.contains("icon is recommended"));
        assertThat(lint.isFailed()).isFalse();
    }

    @Test
    void theKustomizationMakesTheObjectsOfTheManifests() throws Exception {
        Process kustomize;
        try {
            kustomize = new ProcessBuilder("kubectl", "kustomize", DEPLOY.toString())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
        } catch (IOException e) {
            System.out.println("skipped: there is no kubectl");
            return;
        }
        String made = new String(kustomize.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(kustomize.waitFor()).isZero();
        same(objects(made), objects(manifest("stowage.yaml"), manifest("consolidate.yaml")));
    }
}
