package dev.stowage.kube.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.kube.Yaml;
import dev.stowage.kube.translate.PodFacts;
import dev.stowage.kube.translate.Volumes;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Bindings, with a mock client. */
final class BinderTest {
    private final CompletableFuture<String> end = new CompletableFuture<>();

    /** A client whose calls have these results, one after the other; later ones succeed. */
    private static KubernetesClient client(List<RuntimeException> failures) {
        Queue<RuntimeException> left = new ArrayDeque<>(failures);
        return (KubernetesClient) Proxy.newProxyInstance(
                BinderTest.class.getClassLoader(),
                new Class<?>[] {KubernetesClient.class},
                (proxy, method, arguments) -> {
                    RuntimeException failure = left.poll();
                    if (failure != null) {
                        throw failure;
                    }
                    return "";
                });
    }

    @Test
    void whatNobodyThoughtOfDoesNotLeaveAPodOnItsNodeForEver() throws Exception {
        ClusterApi api = new ClusterApi(
                client(List.of(new IllegalStateException("unforeseen"), new ArithmeticException("again"))), "stowage");
        try (Binder binder = new Binder(
                api, claims(api), new GpuBinder(api, "stowage"), Fence.NONE, new SchedulerFigures(), 1, new Ends())) {
            binder.bind(Yaml.facts("a", "", "cpu: 1", ""), "n1", "for a test");
            assertThat(end.get()).isEqualTo("a is bound to n1");
            assertThat(binder.underWay()).isZero();
        }
    }

    @Test
    void whatWasLostIsSentAgainToTheSameNode() throws Exception {
        ClusterApi api = new ClusterApi(client(List.of(new KubernetesClientException("the reply is lost"))), "stowage");
        try (Binder binder = new Binder(
                api, claims(api), new GpuBinder(api, "stowage"), Fence.NONE, new SchedulerFigures(), 1, new Ends())) {
            binder.bind(Yaml.facts("a", "", "cpu: 1", ""), "n1", "for a test");
            assertThat(end.get()).isEqualTo("a is bound to n1");
        }
    }

    @Test
    void nothingIsSentWhileTheLeaseDoesNotHold() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        SchedulerFigures figures = new SchedulerFigures();
        ClusterApi api = new ClusterApi(client(List.of()), "stowage");
        try (Binder binder = new Binder(
                api,
                claims(api),
                new GpuBinder(api, "stowage"),
                () -> asked.incrementAndGet() > 2,
                figures,
                1,
                new Ends())) {
            binder.bind(Yaml.facts("a", "", "cpu: 1", ""), "n1", "for a test");
            assertThat(end.get()).isEqualTo("a is bound to n1");
            assertThat(asked).hasValue(3);
            assertThat(figures.fenced.sum()).isEqualTo(2);
        }
    }

    private static ClaimBinder claims(ClusterApi api) {
        return new ClaimBinder(api, new Volumes(), Duration.ofSeconds(1));
    }

    private final class Ends implements Binder.Listener {
        @Override
        public void bound(PodFacts pod, String node, String reason) {
            end.complete(pod.name() + " is bound to " + node);
        }

        @Override
        public void refused(PodFacts pod, String node, String message) {
            end.complete(message);
        }

        @Override
        public void elsewhere(PodFacts now) {
            end.complete("elsewhere");
        }

        @Override
        public void gone(PodFacts pod) {
            end.complete("gone");
        }
    }
}
