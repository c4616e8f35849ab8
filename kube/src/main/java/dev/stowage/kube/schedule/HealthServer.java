package dev.stowage.kube.schedule;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.stowage.kube.watch.Daemons;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Answers {@code /healthz}, {@code /readyz} and {@code /metrics} over plain HTTP. */
public final class HealthServer implements AutoCloseable {
    private static final int OK = 200;
    private static final int UNAVAILABLE = 503;

    private final HttpServer server;
    private final ExecutorService threads = Executors.newFixedThreadPool(2, Daemons.named("stowage-health"));

    /**
     * A server that answers from now on.
     *
     * @param address with port 0 for a free one
     * @param alive whether the process works
     * @param ready whether it decides, or is a standby
     * @throws IOException if it cannot listen there
     */
    public HealthServer(
            InetSocketAddress address, BooleanSupplier alive, BooleanSupplier ready, Supplier<String> metrics)
            throws IOException {
        server = HttpServer.create(address, 0);
        server.setExecutor(threads);
        server.createContext("/healthz", call -> answer(call, alive.getAsBoolean(), "ok\n"));
        server.createContext("/readyz", call -> answer(call, ready.getAsBoolean(), "ok\n"));
        server.createContext("/metrics", call -> answer(call, true, metrics.get()));
        server.start();
    }

    private static void answer(HttpExchange call, boolean good, String text) throws IOException {
        try (call) {
            byte[] body = (good ? text : "no\n").getBytes(StandardCharsets.UTF_8);
            call.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
            call.sendResponseHeaders(good ? OK : UNAVAILABLE, body.length);
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
