package dev.stowage.service.api;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.SessionProtocol;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.encoding.EncodingService;
import dev.stowage.service.console.ConsoleFiles;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * A page for browsers of this machine, of a program that is not a service: the components of the console, and answers
 * of the program to what they ask. It listens on a loopback address only, is called by this machine's own names for
 * itself, and by no page of others ({@link Hosts}); nothing can be changed through it.
 */
public final class LocalPage implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** What a program answers. */
    @FunctionalInterface
    public interface JsonAnswers {
        /**
         * JSON for a call.
         *
         * @param path of the address, below {@code /v1/}
         * @param query its parameters
         * @throws IllegalArgumentException if a parameter is wrong
         * @throws NoSuchElementException if there is nothing there
         */
        String answer(String path, Map<String, String> query);
    }

    private final Server server;

    private LocalPage(Server server) {
        this.server = server;
    }

    /**
     * Starts to listen on 127.0.0.1.
     *
     * @param port 0 for any that is free
     * @param page name of the page's file
     * @throws IOException if the port is taken
     */
    public static LocalPage start(int port, String page, JsonAnswers answers) throws IOException {
        InetSocketAddress listen = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        Hosts hosts = new Hosts(false, List.of(), false);
        HttpService calls = (context, request) -> {
            if (request.method() != HttpMethod.GET) {
                return refused(HttpStatus.METHOD_NOT_ALLOWED, "METHOD", "only GET is answered");
            }
            return HttpResponse.of(
                    CompletableFuture.supplyAsync(() -> answer(answers, context), context.blockingTaskExecutor()));
        };
        var builder = Server.builder()
                .port(listen, SessionProtocol.HTTP)
                .defaultHostname("localhost")
                .requestTimeout(PATIENCE)
                .gracefulShutdownTimeout(Duration.ZERO, Duration.ofSeconds(2))
                .unloggedExceptionsReportIntervalMillis(0)
                .decorator((delegate, context, request) -> {
                    Failure failure = hosts.refusal(request.headers());
                    return failure == null
                            ? delegate.serve(context, request)
                            : Json.response(Json.status(failure.code()), failure)
                                    .toHttpResponse();
                })
                .serviceUnder("/v1", calls.decorate(EncodingService.newDecorator()));
        ConsoleFiles.add(builder, List.of(), page);
        Server server = builder.build();
        try {
            server.start().join();
        } catch (CompletionException e) {
            throw cannotListen(listen, e);
        }
        return new LocalPage(server);
    }

    /** Why a server could not start; a {@link BindException} if its port is in use. */
    static IOException cannotListen(InetSocketAddress address, Throwable failure) {
        for (Throwable at = failure; at != null; at = at.getCause()) {
            if (String.valueOf(at.getMessage()).contains("Address already in use")) {
                BindException taken = new BindException(
                        "port " + address.getPort() + " is in use, perhaps by another 'stowage serve'");
                taken.initCause(failure);
                return taken;
            }
        }
        Throwable cause = failure.getCause() == null ? failure : failure.getCause();
        return new IOException("cannot listen on " + address + ": " + cause.getMessage(), failure);
    }

    private static HttpResponse answer(JsonAnswers answers, ServiceRequestContext context) {
        Map<String, String> query = new TreeMap<>();
        context.queryParams().forEach(query::put);
        try {
            return HttpResponse.of(HttpStatus.OK, MediaType.JSON, answers.answer(context.decodedPath(), query));
        } catch (IllegalArgumentException e) {
            return refused(HttpStatus.BAD_REQUEST, "BAD_ARGUMENT", String.valueOf(e.getMessage()));
        } catch (NoSuchElementException e) {
            return refused(HttpStatus.NOT_FOUND, "NOT_FOUND", String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            return refused(HttpStatus.INTERNAL_SERVER_ERROR, "INTERNAL", String.valueOf(e.getMessage()));
        }
    }

    private static HttpResponse refused(HttpStatus status, String reason, String message) {
        return Json.response(status, Failure.invalid(reason, message)).toHttpResponse();
    }

    /** The port that it listens on. */
    public int port() {
        return server.activeLocalPort();
    }

    @Override
    public void close() {
        server.stop().join();
    }
}
