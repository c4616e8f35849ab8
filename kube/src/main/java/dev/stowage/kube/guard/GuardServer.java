package dev.stowage.kube.guard;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.stowage.kube.guard.BindingGuard.Judged;
import dev.stowage.kube.guard.BindingGuard.Judgement;
import dev.stowage.kube.watch.Daemons;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.api.model.admission.v1.AdmissionRequest;
import io.fabric8.kubernetes.api.model.admission.v1.AdmissionReview;
import io.fabric8.kubernetes.api.model.admission.v1.AdmissionReviewBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Answers the API server's reviews of bindings over HTTPS, and {@code /healthz}, {@code /readyz}, {@code /metrics}. */
final class GuardServer implements AutoCloseable {
    private static final int OK = 200;
    private static final int BAD = 400;
    private static final int UNAVAILABLE = 503;
    private static final int FORBIDDEN = 403;
    private static final int LONGEST = 1 << 20;
    private static final int THREADS = 16;
    /** Properties of the JDK's server: seconds for reading a request and for answering it, unlimited by default. */
    private static final List<String> LIMITS =
            List.of("sun.net.httpserver.maxReqTime", "sun.net.httpserver.maxRspTime");

    private static final String LIMIT_SECONDS = "30";
    /** Another: an answer waits for no acknowledgement, which takes 40 ms. */
    private static final String NO_DELAY = "sun.net.httpserver.nodelay";

    private final ServerCertificate certificate;
    private final HttpsServer server;
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS, Daemons.named("stowage-guard"));
    private final KubernetesSerialization json;
    private final BindingGuard guard;

    GuardServer(GuardSettings settings, KubernetesSerialization json, BindingGuard guard) throws IOException {
        this.json = json;
        this.guard = guard;
        certificate = new ServerCertificate(settings.certificate(), settings.key());
        for (String limit : LIMITS) {
            if (System.getProperty(limit) == null) {
                System.setProperty(limit, LIMIT_SECONDS);
            }
        }
        if (System.getProperty(NO_DELAY) == null) {
            System.setProperty(NO_DELAY, "true");
        }
        server = HttpsServer.create(new InetSocketAddress(settings.port()), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(certificate.context()));
        server.setExecutor(threads);
        server.createContext("/binding", this::review);
        server.createContext("/healthz", call -> answer(call, OK, "text/plain", "ok\n"));
        server.createContext(
                "/readyz",
                call -> answer(call, guard.isReady() ? OK : UNAVAILABLE, "text/plain", guard.isReady() + "\n"));
        server.createContext("/metrics", call -> answer(call, OK, "text/plain; version=0.0.4", guard.metrics()));
        server.start();
    }

    private void review(HttpExchange call) throws IOException {
        AdmissionReview review;
        try {
            review = json.unmarshal(
                    new String(call.getRequestBody().readNBytes(LONGEST), StandardCharsets.UTF_8),
                    AdmissionReview.class);
        } catch (RuntimeException e) {
            answer(call, BAD, "text/plain", "no AdmissionReview\n");
            return;
        }
        AdmissionRequest request = review.getRequest();
        if (request == null) {
            answer(call, BAD, "text/plain", "an AdmissionReview without a request\n");
            return;
        }
        Judgement verdict = guard.review(request);
        var reply = new AdmissionReviewBuilder()
                .withNewResponse()
                .withUid(request.getUid())
                .withAllowed(verdict.answer() == Judged.ALLOWED);
        if (verdict.answer() != Judged.ALLOWED) {
            reply.withStatus(new StatusBuilder()
                    .withCode(verdict.answer() == Judged.UNSURE ? UNAVAILABLE : FORBIDDEN)
                    .withReason(verdict.answer() == Judged.UNSURE ? "ServiceUnavailable" : "Forbidden")
                    .withMessage(verdict.message())
                    .build());
        }
        answer(call, OK, "application/json", json.asJson(reply.endResponse().build()));
    }

    private void answer(HttpExchange call, int code, String type, String text) throws IOException {
        try (call) {
            if (guard.drains()) {
                // The next request finds another guard.
                call.getResponseHeaders().set("Connection", "close");
            }
            byte[] body = text.getBytes(StandardCharsets.UTF_8);
            call.getResponseHeaders().set("Content-Type", type);
            call.sendResponseHeaders(code, body.length);
            call.getResponseBody().write(body);
        }
    }

    /** The certificate, so that it can be reloaded. */
    ServerCertificate certificate() {
        return certificate;
    }

    int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
