package dev.stowage.openstack.place;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.stowage.openstack.api.CloudException;
import dev.stowage.openstack.translate.GroupFacts;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers the plug-in in Nova's scheduler over HTTP: {@code POST /hosts}; and {@code GET /healthz}, {@code /readyz} and
 * {@code /metrics}.
 */
public final class HostServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HostServer.class);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int OK = 200;
    private static final int BAD = 400;
    private static final int UNAUTHORIZED = 401;
    private static final int BROKEN = 500;
    private static final int UNAVAILABLE = 503;
    private static final int LONGEST = 16 << 20;
    private static final int THREADS = 8;
    private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";

    private final HttpServer server;
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS, work -> {
        Thread thread = new Thread(work, "stowage-hosts");
        thread.setDaemon(true);
        return thread;
    });
    private final HostService service;
    private final byte @Nullable [] expected;

    /**
     * Answers from now on.
     *
     * @param address port 0 for a free one
     * @param token that callers must have; null for none
     * @throws IOException if the port is not free
     */
    public HostServer(InetSocketAddress address, @Nullable String token, HostService service) throws IOException {
        this.service = service;
        expected = token == null ? null : ("Bearer " + token).getBytes(StandardCharsets.UTF_8);
        server = HttpServer.create(address, 0);
        server.setExecutor(threads);
        server.createContext("/hosts", this::hosts);
        server.createContext("/healthz", call -> answer(call, OK, TEXT, "ok\n"));
        server.createContext(
                "/readyz",
                call -> answer(
                        call, service.isReady() ? OK : UNAVAILABLE, TEXT, service.isReady() ? "ok\n" : "not yet\n"));
        server.createContext("/metrics", call -> answer(call, OK, TEXT, service.metrics()));
        server.start();
    }

    private void hosts(HttpExchange call) throws IOException {
        String header = call.getRequestHeaders().getFirst("Authorization");
        if (expected != null
                && (header == null || !MessageDigest.isEqual(expected, header.getBytes(StandardCharsets.UTF_8)))) {
            answer(call, UNAUTHORIZED, TEXT, "the token is not the one in --token-file\n");
            return;
        }
        if (!service.isReady()) {
            answer(call, UNAVAILABLE, TEXT, "Placement has not been read, or was read too long ago\n");
            return;
        }
        HostQuestion question;
        try {
            question = question(JSON.readTree(call.getRequestBody().readNBytes(LONGEST)));
        } catch (JsonProcessingException | IllegalArgumentException e) {
            answer(call, BAD, TEXT, "the request is not understood: " + e.getMessage() + "\n");
            return;
        }
        try {
            HostAnswer said = service.ask(question);
            answer(
                    call,
                    OK,
                    "application/json",
                    JSON.writeValueAsString(Map.of("hosts", said.nodes(), "reason", said.reason())));
        } catch (CloudException e) {
            answer(call, UNAVAILABLE, TEXT, e.getMessage() + "\n");
        } catch (RuntimeException e) {
            LOG.error("server {} got no answer", question.server(), e);
            answer(call, BROKEN, TEXT, "answering failed; see the log of Stowage\n");
        }
    }

    /** The question that the plug-in writes. */
    static HostQuestion question(JsonNode asked) {
        SortedMap<String, Long> amounts = new TreeMap<>();
        asked.path("resources").properties().forEach(one -> amounts.put(one.getKey(), amount(one.getValue())));
        List<String> nodes = new ArrayList<>();
        asked.path("hosts").forEach(node -> nodes.add(node.asText()));
        String id = asked.path("server").asText();
        if (id.isEmpty() || nodes.isEmpty() || amounts.isEmpty()) {
            throw new IllegalArgumentException("server, resources or hosts are missing");
        }
        JsonNode group = asked.path("group");
        Map<String, String> members = new TreeMap<>();
        group.path("members")
                .properties()
                .forEach(one -> members.put(one.getKey(), one.getValue().asText()));
        return new HostQuestion(
                id,
                amounts,
                nodes,
                asked.path("forced").asBoolean(),
                !group.isObject()
                        ? null
                        : new GroupFacts(
                                group.path("id").asText(),
                                "",
                                group.path("policy").asText(),
                                group.path("most").asInt(1),
                                List.of()),
                members);
    }

    private static long amount(JsonNode value) {
        if (!value.canConvertToLong() || value.asLong() < 0) {
            throw new IllegalArgumentException("an amount is " + value);
        }
        return value.asLong();
    }

    private static void answer(HttpExchange call, int code, String type, String text) throws IOException {
        try (call) {
            byte[] body = text.getBytes(StandardCharsets.UTF_8);
            call.getResponseHeaders().set("Content-Type", type);
            call.sendResponseHeaders(code, body.length);
            call.getResponseBody().write(body);
        }
    }

    /** Its port. */
    public int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
