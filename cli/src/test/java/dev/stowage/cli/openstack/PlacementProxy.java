package dev.stowage.cli.openstack;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Between Nova and Placement: it can refuse every second claim, as if somebody else had been faster. */
final class PlacementProxy implements AutoCloseable {
    private static final String REFUSAL =
            "{\"errors\": [{\"status\": 409, \"title\": \"Conflict\", \"detail\": \"Unable to allocate inventory\","
                    + " \"code\": \"placement.undefined_code\"}]}";

    private final HttpServer server;
    private final HttpClient client = HttpClient.newHttpClient();
    private final Path cloud;
    private final AtomicInteger claims = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();

    /** Whether every second claim is refused. */
    volatile boolean refuses;

    /** For the cloud that has its data there, or will have. */
    PlacementProxy(Path cloud) throws IOException {
        this.cloud = cloud;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/", this::pass);
        server.start();
    }

    /** Lines of nova.conf. */
    String configuration() {
        return "[placement]\\nendpoint_override = http://127.0.0.1:"
                + server.getAddress().getPort() + "\\n";
    }

    /** How many claims were refused. */
    int refused() {
        return refused.get();
    }

    private void pass(HttpExchange call) throws IOException {
        byte[] body = call.getRequestBody().readAllBytes();
        String method = call.getRequestMethod();
        boolean claim = method.equals("PUT")
                && call.getRequestURI().getPath().startsWith("/allocations/")
                && new String(body, StandardCharsets.UTF_8).contains("\"resources\"");
        if (claim && refuses && claims.incrementAndGet() % 2 == 0) {
            refused.incrementAndGet();
            call.getResponseHeaders().add("Content-Type", "application/json");
            reply(call, 409, REFUSAL.getBytes(StandardCharsets.UTF_8));
            return;
        }
        int port = new ObjectMapper()
                .readTree(cloud.resolve("ports.json").toFile())
                .path("placement")
                .asInt();
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + port + call.getRequestURI()))
                .method(method, HttpRequest.BodyPublishers.ofByteArray(body));
        call.getRequestHeaders().forEach((name, values) -> {
            if (!name.matches("(?i)host|connection|content-length|accept-encoding|expect")) {
                values.forEach(value -> request.header(name, value));
            }
        });
        try {
            HttpResponse<byte[]> response = client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
            response.headers().map().forEach((name, values) -> {
                if (!name.matches("(?i)connection|content-length|transfer-encoding|date|:status")) {
                    values.forEach(value -> call.getResponseHeaders().add(name, value));
                }
            });
            reply(call, response.statusCode(), response.body());
        } catch (IOException e) {
            reply(call, 503, new byte[0]);
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    private static void reply(HttpExchange call, int status, byte[] body) throws IOException {
        call.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        if (body.length > 0) {
            call.getResponseBody().write(body);
        }
        call.close();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
