package dev.stowage.service.api;

import com.google.protobuf.Descriptors.Descriptor;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.SessionProtocol;
import com.linecorp.armeria.common.TlsKeyPair;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.cors.CorsService;
import com.linecorp.armeria.server.file.FileService;
import com.linecorp.armeria.server.grpc.GrpcService;
import com.linecorp.armeria.server.grpc.HttpJsonTranscodingOptions;
import com.linecorp.armeria.server.grpc.HttpJsonTranscodingQueryParamMatchRule;
import dev.stowage.service.console.ConsoleFiles;
import dev.stowage.service.openapi.OpenApi;
import dev.stowage.service.raft.NodeStatus;
import dev.stowage.service.raft.RaftNode;
import dev.stowage.service.raft.Tls;
import io.grpc.ServerMethodDefinition;
import io.grpc.protobuf.ProtoMethodDescriptorSupplier;
import io.netty.handler.ssl.ClientAuth;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The API of a node on one port: gRPC, JSON over HTTP, {@code /metrics}, {@code /healthz}, {@code /readyz}, {@code
 * /docs}, {@code /openapi.json}, and the console at {@code /}. Without TLS and tokens it listens on loopback addresses
 * only.
 */
public final class ApiServer implements AutoCloseable {
    /** By service. Each is a class for each message: made once for all servers of a process. */
    private static final Map<String, JsonMessages> MARSHALLERS = new ConcurrentHashMap<>();

    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    /** Bytes for a message's header in gRPC, and for the fields of the request line. */
    private static final int MESSAGE_HEAD = 1024;

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
                    + ", which other machines can reach; without TLS and tokens only loopback (127.0.0.1) is allowed");
        }
        ApiLimits limits = settings.limits();
        Counters counters = new Counters();
        Calls calls = new Calls(node, settings, counters);
        CallRefusals refusals = calls.refusals();
        Watchers watchers = new Watchers(calls);
        DryRuns dryRuns = new DryRuns(calls);
        SharedOccupancy occupancy = new SharedOccupancy(calls);
        OccupancyPage occupancyPage = new OccupancyPage(calls, occupancy);
        Connections connections = new Connections(limits, settings.tls() != null);
        Hosts hosts =
                new Hosts(settings.access().guarded(), settings.addresses().values(), settings.tls() != null);
        GrpcService grpc = GrpcService.builder()
                .addService(new PlacementCalls(calls, watchers, dryRuns))
                .addService(new OperationsCalls(calls, settings, dryRuns, occupancy))
                .enableHttpJsonTranscoding(HttpJsonTranscodingOptions.builder()
                        .queryParamMatchRules(
                                HttpJsonTranscodingQueryParamMatchRule.ORIGINAL_FIELD,
                                HttpJsonTranscodingQueryParamMatchRule.LOWER_CAMEL_CASE)
                        .errorHandler(Json::error)
                        .build())
                .jsonMarshallerFactory(
                        service -> MARSHALLERS.computeIfAbsent(service.getName(), name -> JsonMessages.of(service)))
                .maxRequestMessageLength(limits.messageBytes())
                .exceptionHandler(refusals::grpc)
                .build();
        ServerBuilder builder = Server.builder()
                .port(listen, settings.tls() == null ? SessionProtocol.HTTP : SessionProtocol.HTTPS)
                // For requests of HTTP/1.0 without a host.
                .defaultHostname("localhost")
                .decorator(CorsService.builder(hosts::ofGroup)
                        .allowRequestMethods(HttpMethod.GET, HttpMethod.POST, HttpMethod.PUT)
                        .allowRequestHeaders(
                                HttpHeaderNames.AUTHORIZATION,
                                HttpHeaderNames.CONTENT_TYPE,
                                HttpHeaderNames.IF_NONE_MATCH,
                                HttpHeaderNames.CACHE_CONTROL)
                        .exposeHeaders(Failure.HEADERS)
                        .exposeHeaders(HttpHeaderNames.ETAG)
                        .newDecorator())
                .decorator((delegate, context, request) -> {
                    Connections.asked(context);
                    CallLog.identify(context, request);
                    context.setAttr(
                            Caller.KEY,
                            settings.access().caller(request.headers().get(HttpHeaderNames.AUTHORIZATION)));
                    Failure refused = hosts.refusal(request.headers());
                    return refused == null
                            ? delegate.serve(context, request)
                            : refusals.refuse(context, request.headers(), refused);
                })
                .errorHandler(new ErrorPages(refusals))
                // CallRefusals counts and logs the callers' mistakes.
                .unloggedExceptionsReportIntervalMillis(0)
                // A little more than the longest message, so that a too long one is found where a call can answer.
                .maxRequestLength(limits.messageBytes() + MESSAGE_HEAD)
                .maxNumConnections(limits.connections())
                .childChannelPipelineCustomizer(connections::begin)
                .idleTimeout(limits.idle())
                .http2MaxStreamsPerConnection(limits.streams())
                .requestTimeout(TIMEOUT)
                .gracefulShutdownTimeout(Duration.ofMillis(100), Duration.ofSeconds(2))
                // Between the first and the last GOAWAY of an open connection: long enough for what is on its way.
                .connectionDrainDuration(Duration.ofMillis(100))
                .service(
                        grpc,
                        service -> service.decorate((delegate, context, request) -> {
                            // This comes before anything is read, so that unauthorized callers learn nothing else.
                            calls.caller().mustCall(CallRefusals.method(context));
                            checkFrames(context.path(), request.headers());
                            checkQuery(grpc, context);
                            if (occupancyPage.serves(context)) {
                                return occupancyPage.serve(request);
                            }
                            return Json.isBody(request.headers())
                                    ? Json.checked(context, request, input(grpc, context), delegate)
                                    : delegate.serve(context, request);
                        }))
                .route()
                .get(WatchPage.PATH)
                .build(new WatchPage(calls, watchers))
                .service(
                        "/metrics",
                        (context, request) -> metrics(context, request.headers(), calls, watchers, connections))
                .service("/healthz", (context, request) -> health(node, false))
                .service("/readyz", (context, request) -> health(node, true))
                .service(
                        "/openapi.json",
                        (context, request) ->
                                HttpResponse.of(HttpStatus.OK, MediaType.JSON, OpenApi.document(WatchPage.PATH)))
                .serviceUnder(
                        "/docs",
                        FileService.builder(ApiServer.class.getClassLoader(), "/dev/stowage/service/docs")
                                .addHeader(
                                        "content-security-policy",
                                        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'")
                                .build());
        ConsoleFiles.add(builder, hosts.origins());
        if (settings.tls() != null) {
            secure(builder, settings.tls());
        }
        Server server = builder.build();
        try {
            server.start().join();
        } catch (CompletionException e) {
            throw LocalPage.cannotListen(listen, e);
        }
        ApiServer api = new ApiServer(server, watchers);
        calls.listensAt(api.port());
        node.open();
        return api;
    }

    /** Throws what {@link #start} would if it could not listen there, before anything is made; any port 0 is free. */
    public static void mustBeFree(InetSocketAddress listen) throws IOException {
        if (listen.getPort() != 0) {
            try (ServerSocket probe = new ServerSocket()) {
                probe.setReuseAddress(true);
                probe.bind(listen);
            } catch (IOException e) {
                throw LocalPage.cannotListen(listen, e);
            }
        }
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

    /** A gRPC path accepts only its frames; Armeria would refuse others without a reason. */
    private static void checkFrames(String path, RequestHeaders headers) {
        MediaType type = headers.contentType();
        boolean framed = headers.method() == HttpMethod.POST
                && type != null
                && type.subtype().startsWith("grpc");
        if (path.startsWith("/stowage.") && !framed) {
            throw Failure.invalid(
                    "BAD_MESSAGE",
                    "this path is for gRPC; the same call over JSON has another path, see /openapi.json");
        }
    }

    /** Transcoding ignores unknown parameters of a query. */
    private static void checkQuery(GrpcService grpc, ServiceRequestContext context) {
        if (context.queryParams().isEmpty()) {
            return;
        }
        Descriptor type = input(grpc, context);
        if (type != null) {
            MessageFields.check(context.queryParams(), type);
        }
    }

    /** The message that a call takes, or null if there is no such call. */
    private static @Nullable Descriptor input(GrpcService grpc, ServiceRequestContext context) {
        ServerMethodDefinition<?, ?> method = grpc.methodDefinition(context);
        return method != null
                        && method.getMethodDescriptor().getSchemaDescriptor()
                                instanceof ProtoMethodDescriptorSupplier proto
                ? proto.getMethodDescriptor().getInputType()
                : null;
    }

    private static HttpResponse metrics(
            ServiceRequestContext context,
            RequestHeaders headers,
            Calls calls,
            Watchers watchers,
            Connections connections) {
        try {
            calls.caller().mustRead(null);
        } catch (Failure e) {
            return calls.refusals().refuse(context, headers, e);
        }
        return HttpResponse.of(HttpStatus.OK, MediaType.PLAIN_TEXT_UTF_8, Exposition.of(calls, watchers, connections));
    }

    /** The port that it listens on. */
    public int port() {
        // Not activeLocalPort(), which knows loopback and wildcard addresses only.
        return Objects.requireNonNull(server.activePort(), "it listens")
                .localAddress()
                .getPort();
    }

    /** Healthy: the node has not stopped for good. Ready: it would answer a request now. */
    private static HttpResponse health(RaftNode node, boolean ready) {
        NodeStatus status = node.status();
        boolean good = ready ? status.ready() : status.halted() == null;
        String halted = status.halted();
        String text = good ? "ok\n" : (halted == null ? "no leader\n" : Failure.plain(halted) + "\n");
        return HttpResponse.of(good ? HttpStatus.OK : HttpStatus.SERVICE_UNAVAILABLE, MediaType.PLAIN_TEXT_UTF_8, text);
    }

    @Override
    public void close() {
        watchers.close();
        server.stop().join();
    }
}
