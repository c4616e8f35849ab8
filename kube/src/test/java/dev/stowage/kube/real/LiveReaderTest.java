package dev.stowage.kube.real;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.kube.Yaml;
import dev.stowage.kube.snapshot.LiveReader;
import dev.stowage.kube.snapshot.NodesAndPods;
import dev.stowage.kube.snapshot.SnapshotException;
import dev.stowage.kube.snapshot.SnapshotReader;
import dev.stowage.kube.translate.PodBudget;
import dev.stowage.testkit.FreePorts;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.policy.v1beta1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.policy.v1beta1.PodDisruptionBudgetBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/** Reads a real API server once; of a version whose budgets are {@code policy/v1beta1}. */
@EnabledIfEnvironmentVariable(named = "KUBEBUILDER_ASSETS", matches = ".+")
final class LiveReaderTest {
    @TempDir
    private Path directory;

    @Test
    void whatIsThereIsRead() throws IOException {
        try (RealCluster cluster = RealCluster.shared()) {
            KubernetesClient client = cluster.client();
            Node node = client.nodes()
                    .resource(new NodeBuilder()
                            .withNewMetadata()
                            .withName("n1")
                            .endMetadata()
                            .withNewStatus()
                            .withAllocatable(Map.of("cpu", new Quantity("1500m"), "pods", new Quantity("10")))
                            .endStatus()
                            .build())
                    .create();
            client.pods()
                    .inNamespace("default")
                    .resource(Yaml.pod("web", "app: web", "cpu: 500m", ""))
                    .create();
            PodDisruptionBudget budget = new PodDisruptionBudgetBuilder()
                    .withNewMetadata()
                    .withName("b")
                    .endMetadata()
                    .withNewSpec()
                    .withMaxUnavailable(new IntOrString(1))
                    .withNewSelector()
                    .addToMatchLabels("app", "web")
                    .endSelector()
                    .endSpec()
                    .build();
            client.policy()
                    .v1beta1()
                    .podDisruptionBudget()
                    .inNamespace("default")
                    .resource(budget)
                    .create();
            NodesAndPods live = LiveReader.read(client);
            assertThat(live.nodes()).singleElement().satisfies(one -> {
                assertThat(one.name()).isEqualTo(node.getMetadata().getName());
                assertThat(one.allocatable()).containsEntry("cpu", 1500L);
            });
            assertThat(live.pods()).singleElement().satisfies(pod -> {
                assertThat(pod.facts().path()).isEqualTo("default/web");
                assertThat(pod.facts().requests()).containsEntry("cpu", 500L);
            });
            PodBudget read = live.budgets().get(0);
            assertThat(read.covers(live.pods().get(0).facts())).isTrue();
            // No controller runs here that would set how many disruptions are allowed.
            assertThat(read.allowed()).isZero();
            Path file = directory.resolve("cluster.yaml");
            Files.writeString(
                    file,
                    client.getKubernetesSerialization().asYaml(client.nodes().list())
                            + client.getKubernetesSerialization()
                                    .asYaml(client.pods().inAnyNamespace().list()));
            NodesAndPods written = SnapshotReader.read(List.of(file));
            assertThat(written.nodes()).isEqualTo(live.nodes());
            assertThat(written.pods()).isEqualTo(live.pods());
            // Where nobody listens.
            Config nowhere = new ConfigBuilder(client.getConfiguration())
                    .withMasterUrl("https://127.0.0.1:" + FreePorts.one())
                    .withRequestRetryBackoffLimit(0)
                    .build();
            try (KubernetesClient alone =
                    new KubernetesClientBuilder().withConfig(nowhere).build()) {
                assertThatThrownBy(() -> LiveReader.read(alone))
                        .isInstanceOf(SnapshotException.class)
                        .hasMessageContaining("the cluster cannot be read");
            }
        }
    }
}
