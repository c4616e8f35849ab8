package dev.stowage.service.client;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.ClientFactoryBuilder;
import com.linecorp.armeria.client.grpc.GrpcClientBuilder;
import com.linecorp.armeria.client.grpc.GrpcClients;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.TlsKeyPair;
import dev.stowage.service.v1.Empty;
import dev.stowage.service.v1.OperationsGrpc;
import dev.stowage.service.v1.PlacementGrpc;
import dev.stowage.service.v1.Status;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.MethodDescriptor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The nodes by address, and which of them is called: the one that led last. Safe for many threads. */
final class Targets implements AutoCloseable {
    /** Of one attempt; a node that died without a word is left after it. */
    private static final Duration ATTEMPT = Duration.ofSeconds(3);

    /** Of one attempt at what a node has a separate process work out: that process's limit, and some more. */
    private static final Duration LONG_ATTEMPT = Duration.ofSeconds(75);

    private static final Set<MethodDescriptor<?, ?>> LONG =
            Set.of(OperationsGrpc.getPlanConsolidationMethod(), OperationsGrpc.getDryRunPolicyMethod());

    /** Of a question who leads. */
    private static final Duration QUESTION = Duration.ofSeconds(1);

    private static final Duration CONNECT = Duration.ofSeconds(2);

    /** Bytes that one call may have unread, and all of a connection: some that are not read leave room for others. */
    private static final int UNREAD = 1 << 20;

    private static final int UNREAD_OF_ALL = 64 * UNREAD;

    private final ClientSettings settings;
    private final ClientFactory factory;
    private final Map<String, Target> targets = new ConcurrentHashMap<>();
    /** Those that were given, and leaders that nodes spoke of. */
    private final Set<String> known = new CopyOnWriteArraySet<>();

    /** Why nodes did not answer when they were asked last, by address. */
    private final Map<String, Throwable> failed = new ConcurrentHashMap<>();

    /** Nodes that know of no leader, as they said when they were asked last. */
    private final Set<String> leaderless = new CopyOnWriteArraySet<>();

    private volatile String current;
    private volatile boolean closed;
    private @Nullable LeaderSearch search;

    Targets(ClientSettings settings) {
        this.settings = settings;
        factory = factory(settings);
        known.addAll(settings.addresses());
        current = settings.addresses().get(0);
    }

    private static ClientFactory factory(ClientSettings settings) {
        ClientFactoryBuilder builder = ClientFactory.builder()
                .connectTimeout(CONNECT)
                .http2InitialStreamWindowSize(UNREAD)
                .http2InitialConnectionWindowSize(UNREAD_OF_ALL);
        if (settings.tls()) {
            Path authority = settings.authority();
            if (authority != null) {
                trust(builder, authority);
            }
            Path certificate = settings.certificate();
            Path key = settings.key();
            if (certificate != null && key != null) {
                try {
                    builder.tls(TlsKeyPair.of(key.toFile(), certificate.toFile()));
                } catch (IllegalArgumentException e) {
                    throw new IllegalArgumentException(
                            certificate + " and " + key
                                    + " are not files with a certificate and its key (PEM, PKCS #8)",
                            e);
                }
            }
        }
        return builder.build();
    }

    /** Reads the file once, though several connections need it: it may be a pipe. */
    private static void trust(ClientFactoryBuilder builder, Path authority) {
        String wrong = authority + " is not a file with the authority's certificate (PEM)";
        byte[] read;
        try {
            read = Files.readAllBytes(authority);
        } catch (IOException e) {
            throw new IllegalArgumentException(wrong, e);
        }
        builder.tlsCustomizer(tls -> {
            try {
                tls.trustManager(new ByteArrayInputStream(read));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(wrong, e);
            }
        });
    }

    Target current() {
        return target(current);
    }

    /** The node that led last, or if that is one of some, another. */
    Target but(Set<String> some) {
        String other = some.contains(current)
                ? known.stream()
                        .filter(address -> !some.contains(address))
                        .findFirst()
                        .orElse(current)
                : current;
        return target(other);
    }

    /** Whether there is a node that is none of some. */
    boolean hasBut(Set<String> some) {
        return !some.containsAll(known);
    }

    Target target(String address) {
        return targets.computeIfAbsent(address, this::connect);
    }

    private Target connect(String address) {
        return new Target(
                address,
                builder(address).build(PlacementGrpc.PlacementStub.class),
                builder(address).responseTimeout(Duration.ZERO).build(PlacementGrpc.PlacementStub.class),
                builder(address).intercept(new LongAttempts()).build(OperationsGrpc.OperationsStub.class),
                builder(address).responseTimeout(QUESTION).build(OperationsGrpc.OperationsStub.class));
    }

    private GrpcClientBuilder builder(String address) {
        GrpcClientBuilder builder = GrpcClients.builder(
                        "gproto+" + (settings.tls() ? "https" : "http") + "://" + address)
                .factory(factory)
                .responseTimeout(ATTEMPT)
                .maxResponseLength(0);
        String token = settings.token();
        if (token != null) {
            builder.addHeader(HttpHeaderNames.AUTHORIZATION, "Bearer " + token);
        }
        return builder;
    }

    /** Gives calls that take long the time that they need. */
    private static final class LongAttempts implements ClientInterceptor {
        @Override
        public <Q, R> ClientCall<Q, R> interceptCall(MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
            return next.newCall(
                    method,
                    LONG.contains(method)
                            ? options.withDeadlineAfter(LONG_ATTEMPT.toSeconds(), TimeUnit.SECONDS)
                            : options);
        }
    }

    /** Notes what a node answered that was asked who leads, or why it did not. */
    void told(String address, @Nullable Status status, @Nullable Throwable thrown) {
        told(address, thrown);
        if (status != null && status.getLeader().isEmpty()) {
            leaderless.add(address);
        }
    }

    /** Notes that a node answered, or why it did not. */
    void told(String address, @Nullable Throwable thrown) {
        leaderless.remove(address);
        if (thrown == null || Reasons.isOfService(thrown)) {
            failed.remove(address);
        } else {
            failed.put(address, thrown);
        }
    }

    /** The failure of a call; if none of several nodes answered it, with why, and which of them know of no leader. */
    Throwable ofAll(Throwable thrown) {
        Map<String, Throwable> asked = new LinkedHashMap<>();
        known.forEach(address -> {
            Throwable why = failed.get(address);
            if (why != null) {
                asked.put(address, why);
            }
        });
        return !Reasons.passing(thrown) || Reasons.isOfService(thrown) || asked.size() + leaderless.size() < 2
                ? thrown
                : new UnansweredException(asked, leaderless, thrown);
    }

    /** Whether no service is to be expected at any known address, if not at {@code refused}. Asks the others once. */
    CompletableFuture<Boolean> allRefuse(String refused) {
        CompletableFuture<Boolean> all = CompletableFuture.completedFuture(true);
        for (String address : known) {
            if (!address.equals(refused)) {
                Answer<Status> answer = new Answer<>();
                all = all.thenCombine(
                        answer.handle((status, thrown) -> {
                            told(address, status, thrown);
                            return thrown != null && Reasons.refused(thrown);
                        }),
                        Boolean::logicalAnd);
                target(address).asking().getStatus(Empty.getDefaultInstance(), answer);
            }
        }
        return all;
    }

    Set<String> known() {
        return known;
    }

    void add(String address) {
        known.add(address);
    }

    void found(String leader) {
        current = leader;
    }

    boolean isClosed() {
        return closed;
    }

    /**
     * After a failure of a call to {@code failed}: complete when the leader is known, which may be that node still.
     *
     * @param leader who leads as {@code failed} told, or null
     */
    synchronized CompletableFuture<Void> search(String failed, @Nullable String leader) {
        if (leader != null) {
            known.add(leader);
        }
        if (!failed.equals(current)) {
            return CompletableFuture.completedFuture(null);
        }
        LeaderSearch under = search;
        if (under == null || under.isDone()) {
            under = new LeaderSearch(this, settings.patience());
            search = under;
            under.round();
        }
        return under.copy();
    }

    @Override
    public void close() {
        closed = true;
        factory.close();
    }
}
