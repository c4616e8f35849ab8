package dev.stowage.kube.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.stowage.kube.Yaml;
import dev.stowage.kube.translate.PodFacts;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Outcomes of evictions with a misleading answer, with a mock API server of a few lines. */
final class EvictorTest {
    private static final String POD =
            "{\"apiVersion\": \"v1\", \"kind\": \"Pod\", \"metadata\": {\"namespace\": \"default\","
                    + " \"name\": \"a\", \"uid\": \"%s\"%s}, \"spec\": {\"containers\": [], \"nodeName\": \"n1\"}}";

    private final List<String> asked = Collections.synchronizedList(new ArrayList<>());
    private final BlockingQueue<String> refused = new LinkedBlockingQueue<>();
    private final PodFacts high = Yaml.facts("high", "", "cpu: 2", "");
    private final PodFacts a = Yaml.facts("a", "", "cpu: 1", "").boundTo("n1");
    private final PodFacts b = Yaml.facts("b", "", "cpu: 1", "").boundTo("n1");
    private volatile int evictionOfA = 201;
    private volatile int getOfA = 200;
    private volatile String podA = "";
    private HttpServer server;
    private KubernetesClient client;
    private EventWriter events;
    private Evictor evictor;

    @BeforeEach
    void begin() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
        client = new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder()
                        .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                        .withRequestRetryBackoffLimit(0)
                        .build())
                .build();
        SchedulerFigures figures = new SchedulerFigures();
        ClusterApi api = new ClusterApi(client, "stowage");
        events = new EventWriter(api, figures);
        evictor = new Evictor(
                api,
                () -> true,
                figures,
                events,
                (pod, victim, staying, why) -> refused.add(pod.name() + " " + victim + " " + staying));
    }

    @AfterEach
    void end() {
        evictor.close();
        events.close();
        client.close();
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String what = exchange.getRequestMethod() + " " + path.replaceAll(".*/pods/", "");
        int code = 200;
        String body = "{}";
        if (path.equals("/api/v1")) {
            body =
                    "{\"kind\": \"APIResourceList\", \"resources\": [{\"name\": \"pods/eviction\", \"group\": \"policy\","
                            + " \"version\": \"v1\", \"kind\": \"Eviction\", \"namespaced\": true}]}";
        } else if (what.equals("POST a/eviction")) {
            code = evictionOfA;
        } else if (what.equals("POST b/eviction")) {
            code = 201;
        } else if (what.equals("GET a")) {
            code = getOfA;
            body = podA;
        }
        if (path.contains("/pods/")) {
            asked.add(what);
        }
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("content-type", "application/json");
        exchange.sendResponseHeaders(code, bytes.length);
        try (exchange) {
            exchange.getResponseBody().write(bytes);
        }
    }

    /** Waits until the eviction of b was requested, or something was refused. */
    private String outcome() throws InterruptedException {
        evictor.makeRoom(high.boundTo("n1"), "n1", List.of(a, b), "lowest");
        while (!asked.contains("POST b/eviction")) {
            String why = refused.poll(20, TimeUnit.MILLISECONDS);
            if (why != null) {
                return why;
            }
        }
        return "goes on";
    }

    @Test
    void aConflictIsNoEndOfThePod() throws InterruptedException {
        evictionOfA = 409;
        podA = POD.formatted(a.uid(), "");
        assertThat(outcome()).isEqualTo("high " + a.uid() + " [" + a.uid() + ", " + b.uid() + "]");
        assertThat(asked).contains("GET a").doesNotContain("POST b/eviction");
    }

    @Test
    void anotherPodOfThatNameIsAnotherPod() throws InterruptedException {
        evictionOfA = 409;
        podA = POD.formatted("other", "");
        assertThat(outcome()).isEqualTo("goes on");
    }

    @Test
    void whereTheAnswerIsLostThePodIsAskedFor() throws InterruptedException {
        evictionOfA = 504;
        podA = POD.formatted(a.uid(), ", \"deletionTimestamp\": \"2026-01-01T00:00:00Z\"");
        assertThat(outcome()).isEqualTo("goes on");
    }

    @Test
    void aPodThatIsGoneIsGone() throws InterruptedException {
        evictionOfA = 404;
        getOfA = 404;
        assertThat(outcome()).isEqualTo("goes on");
        assertThat(refused).isEmpty();
    }

    @Test
    void aBudgetRefusesAtOnce() throws InterruptedException {
        evictionOfA = 429;
        assertThat(outcome()).startsWith("high " + a.uid());
        assertThat(asked).doesNotContain("GET a", "POST b/eviction");
    }

    @Test
    void aPromiseThatHasEndedAsksNobodyElse() throws InterruptedException {
        evictionOfA = 504;
        podA = POD.formatted(a.uid(), "");
        evictor.makeRoom(high.boundTo("n1"), "n1", List.of(a, b), "lowest");
        while (!asked.contains("GET a")) {
            Thread.onSpinWait();
        }
        evictor.notNominated(high);
        podA = POD.formatted(a.uid(), ", \"deletionTimestamp\": \"2026-01-01T00:00:00Z\"");
        while (Collections.frequency(List.copyOf(asked), "PATCH high/status") < 2) {
            Thread.onSpinWait();
        }
        assertThat(asked).doesNotContain("POST b/eviction");
    }
}
