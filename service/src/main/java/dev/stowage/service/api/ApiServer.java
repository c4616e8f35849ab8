package dev.stowage.service.api;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.SessionProtocol;
import com.linecorp.armeria.common.TlsKeyPair;
import com.linecorp.armeria.common.grpc.GrpcJsonMarshaller;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.docs.DocService;
import com.linecorp.armeria.server.grpc.GrpcService;
import dev.stowage.service.raft.NodeStatus;
import dev.stowage.service.raft.RaftNode;
import dev.stowage.service.raft.Tls;
import io.grpc.Status;
import io.netty.handler.ssl.ClientAuth;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletionException;

/**
 * The API of a node on one port: gRPC, JSON over HTTP, {@code /metrics}, {@code /healthz}, {@code /readyz}, {@code /docs}
 * and {@code /openapi.json}.
 * Without TLS and tokens it listens on loopback addresses only.
 */
public final class ApiServer implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final Server server;
    private final Watchers watchers;

    private ApiServer(Server server, Watchers watchers) {
        this.server = server;
        this.watchers = watchers;
    }

    /**
     * Starts to listen.
     *
     * @param node the node that serves
     * @param settings where, and how much
     * @throws IOException if the address is taken, or is not a loopback address
     */
    public static ApiServer start(RaftNode node, ApiSettings settings) throws IOException {
        InetSocketAddress listen = settings.listen();
        boolean secure = settings.access().guarded() && settings.tls() != null;
        if (!secure && (listen.getAddress() == null || !listen.getAddress().isLoopbackAddress())) {
            throw new IOException("the API would listen on " + listen
                    + ", where others reach it; without TLS and tokens only loopback (127.0.0.1) is allowed");
        }
        ApiLimits limits = settings.limits();
        Counters counters = new Counters();
        Calls calls = new Calls(node, settings, counters);
        Watchers watchers = new Watchers(calls, limits.connections());
        GrpcService grpc = GrpcService.builder()
                .addService(new PlacementCalls(calls, watchers))
                .addService(new OperationsCalls(calls))
                .enableHttpJsonTranscoding(true)
                // So that server 0 and the like are there in JSON.
                .jsonMarshallerFactory(service -> GrpcJsonMarshaller.builder()
                        .jsonMarshallerCustomizer(json -> json.includingDefaultValueFields(true))
                        .build(service))
                .maxRequestMessageLength(limits.messageBytes())
                .exceptionHandler((context, status, cause, metadata) -> unreadable(status, cause))
                .build();
        ServerBuilder builder = Server.builder()
                .port(listen, settings.tls() == null ? SessionProtocol.HTTP : SessionProtocol.HTTPS)
                .decorator((delegate, context, request) -> {
                    CallLog.identify(context, request);
                    context.setAttr(
                            Caller.KEY,
                            settings.access().caller(request.headers().get(HttpHeaderNames.AUTHORIZATION)));
                    return delegate.serve(context, request);
                })
                .errorHandler(new ErrorPages())
                .maxRequestLength(limits.messageBytes())
                .maxNumConnections(limits.connections())
                .http2MaxStreamsPerConnection(limits.streams())
                .requestTimeout(TIMEOUT)
                .gracefulShutdownTimeout(Duration.ofMillis(100), Duration.ofSeconds(2))
                .service(grpc)
                .route()
                .get(WatchPage.PATH)
                .build(new WatchPage(calls, watchers))
                .service("/metrics", (context, request) -> metrics(calls, watchers))
                .service("/healthz", (context, request) -> health(node, false))
                .service("/readyz", (context, request) -> health(node, true))
                .service(
                        "/openapi.json",
                        (context, request) -> HttpResponse.of(HttpStatus.OK, MediaType.JSON, OpenApi.document()))
                .serviceUnder("/docs", new DocService());
        if (settings.tls() != null) {
            secure(builder, settings.tls());
        }
        Server server = builder.build();
        try {
            server.start().join();
        } catch (CompletionException e) {
            throw new IOException("cannot listen on " + listen + ": " + e.getCause(), e);
        }
        return new ApiServer(server, watchers);
    }

    private static void secure(ServerBuilder builder, Tls tls) throws IOException {
        try {
            builder.tls(TlsKeyPair.of(tls.key().toFile(), tls.certificate().toFile()));
        } catch (IllegalArgumentException e) {
            throw new IOException(
                    "certificate " + tls.certificate() + " or key " + tls.key() + ": " + e.getMessage(), e);
        }
        if (tls.clients()) {
            builder.tlsCustomizer(
                    ssl -> ssl.trustManager(tls.authority().toFile()).clientAuth(ClientAuth.REQUIRE));
        }
    }

    private static HttpResponse metrics(Calls calls, Watchers watchers) {
        try {
            calls.caller().mustRead(null);
        } catch (Failure e) {
            boolean known = e.code() == Status.Code.PERMISSION_DENIED;
            return HttpResponse.of(
                    known ? HttpStatus.FORBIDDEN : HttpStatus.UNAUTHORIZED,
                    MediaType.PLAIN_TEXT_UTF_8,
                    e.reason() + ": " + e.getMessage() + "\n");
        }
        return HttpResponse.of(
                HttpStatus.OK, MediaType.PLAIN_TEXT_UTF_8, Exposition.of(calls.node(), calls.counters(), watchers));
    }

    /** A message that cannot be read is the caller's mistake, not an unknown error. */
    private static Status unreadable(Status status, Throwable cause) {
        boolean vague = status.getCode() == Status.Code.UNKNOWN || status.getCode() == Status.Code.INTERNAL;
        for (Throwable at = cause; at != null && vague; at = at.getCause()) {
            if (at instanceof IOException || at instanceof IllegalArgumentException) {
                return Status.INVALID_ARGUMENT.withDescription("BAD_MESSAGE: " + at.getMessage());
            }
            if (at instanceof IndexOutOfBoundsException) {
                // So the parser says that a number is an empty text.
                return Status.INVALID_ARGUMENT.withDescription("BAD_MESSAGE: a number is empty");
            }
        }
        return status;
    }

    /** The port that it listens on. */
    public int port() {
        return server.activeLocalPort();
    }

    /** Healthy: has not stopped for good. Ready: would answer a request now. */
    private static HttpResponse health(RaftNode node, boolean ready) {
        NodeStatus status = node.status();
        boolean good = ready ? status.ready() : status.halted() == null;
        String text = good ? "ok\n" : (status.halted() == null ? "no leader\n" : status.halted() + "\n");
        return HttpResponse.of(good ? HttpStatus.OK : HttpStatus.SERVICE_UNAVAILABLE, MediaType.PLAIN_TEXT_UTF_8, text);
    }

    @Override
    public void close() {
        watchers.close();
        server.stop().join();
    }
}
