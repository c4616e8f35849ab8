package dev.stowage.service.api;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.stowage.core.engine.Refusal;
import dev.stowage.service.raft.RaftNode;
import dev.stowage.service.state.Operation;
import dev.stowage.service.state.Outcome;
import dev.stowage.service.state.ServerNames;
import dev.stowage.service.state.ServiceState;
import dev.stowage.service.state.World;
import dev.stowage.service.v1.Request;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The common parts of all calls: the node, answers, failures. */
final class Calls {
    private final RaftNode node;
    private final ApiSettings settings;
    private volatile Map<String, String> addresses;
    private final Counters counters;
    private final RateLimits submits;
    private final RateLimits releases;
    private final RateLimits reads;
    /** Operations on their way into the log. */
    private final Shares changing;

    private final Shares reading;
    private final CallLog log;
    private final CallRefusals refusals;
    private volatile @Nullable FixedNames names;
    private final KnownServers servers;
    private final long certificateUntil;

    /**
     * Names that never change.
     *
     * @param resources of a server
     * @param pooled of a site
     */
    record FixedNames(java.util.List<String> resources, java.util.List<String> pooled) {}

    Calls(RaftNode node, ApiSettings settings, Counters counters) {
        this.node = node;
        this.settings = settings;
        addresses = settings.addresses();
        certificateUntil = TlsFiles.endNanos(settings.tls());
        this.counters = counters;
        servers = new KnownServers(node);
        submits = RateLimits.of("submit", settings.rates(), Rates::submits);
        releases = RateLimits.of("release", settings.rates(), Rates::releases);
        reads = RateLimits.of("read", settings.rates(), Rates::reads);
        ApiLimits limits = settings.limits();
        changing = new Shares(
                "TOO_MANY_CHANGES",
                "changes under way",
                Integer.MAX_VALUE / 2,
                limits.changes(),
                limits.changes() * ApiLimits.CALLERS_OF_ADDRESS);
        reading = new Shares(
                "TOO_MANY_READS",
                "reads under way",
                Integer.MAX_VALUE / 2,
                limits.reads(),
                limits.reads() * ApiLimits.CALLERS_OF_ADDRESS);
        log = new CallLog();
        refusals = new CallRefusals(counters, log);
    }

    /** The refusals outside of calls. */
    CallRefusals refusals() {
        return refusals;
    }

    RaftNode node() {
        return node;
    }

    Counters counters() {
        return counters;
    }

    /** Who makes the call that this thread is serving. */
    Caller caller() {
        Caller caller = ServiceRequestContext.current().attr(Caller.KEY);
        return caller == null ? Caller.WITHOUT_TOKEN : caller;
    }

    /** Who that is. */
    boolean stillKnows(Caller caller) {
        return settings.access().stillKnows(caller);
    }

    RateLimits submits() {
        return submits;
    }

    RateLimits releases() {
        return releases;
    }

    /**
     * Checks that the caller may read a tenant's requests now, also by the tenant's rate; null: those of all tenants.
     */
    void mayRead(@Nullable String tenant) {
        caller().mustRead(tenant);
        if (tenant != null) {
            reads.admit(tenant);
        }
    }

    Shares changing() {
        return changing;
    }

    Shares reading() {
        return reading;
    }

    /** The address whose limits count for this call. */
    static String address() {
        return Connections.address(ServiceRequestContext.current().remoteAddress());
    }

    LeaseTimes leases() {
        return settings.leases();
    }

    ApiLimits limits() {
        return settings.limits();
    }

    @Nullable
    String address(@Nullable String id) {
        return id == null ? null : addresses().get(id);
    }

    /** By the nodes' ids, in their order. */
    Map<String, String> addresses() {
        return addresses;
    }

    /** The port that this node took; it may have been told to take any. */
    void listensAt(int port) {
        Map<String, String> known = new TreeMap<>(settings.addresses());
        known.computeIfPresent(
                node.status().id(),
                (id, address) -> address.endsWith(":0") ? address.substring(0, address.length() - 1) + port : address);
        addresses = Collections.unmodifiableMap(known);
    }

    /** When the certificate that the API uses ends, nanoseconds since 1970; 0 if it has none. */
    long certificateUntil() {
        return certificateUntil;
    }

    /** Name of a server; empty for no server, or if it has no name. */
    String serverName(int server) {
        return servers.name(server);
    }

    FixedNames names() {
        FixedNames known = names;
        if (known == null) {
            known = node.look(state -> {
                World world = begun(state);
                return new FixedNames(world.resources(), world.pooledResources());
            });
            names = known;
        }
        return known;
    }

    /** A request as a message, without waiting for an entry being applied. */
    Request message(dev.stowage.service.state.Request request) {
        return Messages.request(request, names().resources(), servers::site, servers::name);
    }

    /** The world, if there is one; a node of another version that never began says why. */
    static World begun(ServiceState state) {
        World world = state.world();
        if (world == null) {
            String halted = state.halted();
            throw Failure.of(
                    Status.Code.UNAVAILABLE,
                    "NOT_STARTED",
                    halted == null
                            ? "this node has heard of no leader since its start; try again"
                            : "this node has stopped serving: " + halted);
        }
        return world;
    }

    /** Number of a server given by its name or number. */
    static int server(World world, String name) {
        int number = ServerNames.find(world.engine(), name);
        if (number < 0) {
            throw Failure.of(
                    Status.Code.NOT_FOUND,
                    Refusal.UNKNOWN_SERVER.name(),
                    ServerNames.unknown(world.engine().view(), name));
        }
        return number;
    }

    /** Number of a site given by its name. */
    static int site(World world, String name) {
        int number = world.sites().indexOf(name);
        if (number < 0) {
            throw Failure.of(
                    Status.Code.NOT_FOUND,
                    Refusal.UNKNOWN_SITE.name(),
                    "site '" + name + "' is not one of " + world.sites());
        }
        return number;
    }

    /** A linearizable read. */
    <T> CompletableFuture<T> read(Function<World, T> reader) {
        return node.read(state -> reader.apply(begun(state)));
    }

    /**
     * A linearizable read that takes long: the lock is held for a short time, again and again.
     *
     * @param begin the first step
     * @param more a further one; returns whether there is another
     * @param end makes the answer, without the lock
     */
    <S, T> CompletableFuture<T> read(Function<World, S> begin, BiPredicate<S, World> more, Function<S, T> end) {
        return read(begin)
                .thenApplyAsync(
                        work -> {
                            while (node.look(state -> more.test(work, begun(state)))) {}
                            return end.apply(work);
                        },
                        ServiceRequestContext.current().blockingTaskExecutor());
    }

    /** An operation that must succeed, now or earlier. */
    CompletableFuture<Outcome> done(Operation operation) {
        return node.submit(operation).thenApply(Calls::done);
    }

    /** The same for an outcome. */
    static Outcome done(Outcome outcome) {
        if (outcome.kind() != Outcome.Kind.DONE && outcome.kind() != Outcome.Kind.REPEATED) {
            throw Failure.of(outcome);
        }
        return outcome;
    }

    Failure failure(Throwable thrown) {
        Failure failure = Failure.of(thrown, this::address);
        if (failure.code() == Status.Code.INTERNAL) {
            log.mistake(thrown);
        }
        return failure;
    }

    /**
     * Answers a call that changes something with the result of a future; it counts as {@code operations} operations.
     */
    <T> void change(String method, int operations, StreamObserver<T> observer, Supplier<CompletableFuture<T>> call) {
        int amount = Math.max(1, Math.min(operations, limits().changes()));
        answer(method, toGrpc(observer), () -> shared(changing, amount, call));
    }

    /** The same for a call that only reads. */
    <T> void read(String method, StreamObserver<T> observer, Supplier<CompletableFuture<T>> call) {
        read(method, toGrpc(observer), call);
    }

    /** The same; the answer goes to whoever takes a result, or why there is none. */
    <T> void read(String method, BiConsumer<T, @Nullable Failure> answer, Supplier<CompletableFuture<T>> call) {
        answer(method, answer, () -> shared(reading, 1, call));
    }

    private static <T> BiConsumer<T, @Nullable Failure> toGrpc(StreamObserver<T> observer) {
        return (reply, failure) -> {
            if (failure == null) {
                observer.onNext(reply);
                observer.onCompleted();
            } else {
                observer.onError(failure.toGrpc());
            }
        };
    }

    private <T> CompletableFuture<T> shared(Shares shares, int amount, Supplier<CompletableFuture<T>> call) {
        Caller caller = caller();
        caller.mustBeKnown();
        Shares.Held held = shares.take(caller, address(), amount);
        CompletableFuture<T> future;
        try {
            future = call.get();
        } catch (RuntimeException e) {
            held.free();
            throw e;
        }
        return future.whenComplete((reply, thrown) -> held.free());
    }

    /** Counts and logs a call that has ended; the time until the answer is counted separately. */
    void ended(ServiceRequestContext context, String method, Caller caller, @Nullable Failure failure, long nanos) {
        counters.count(method, failure == null ? "OK" : failure.reason());
        log.note(context, method, caller.name(), failure, nanos);
    }

    /** Answers a call with the result of a future. */
    private <T> void answer(
            String method, BiConsumer<T, @Nullable Failure> answer, Supplier<CompletableFuture<T>> call) {
        long started = System.nanoTime();
        ServiceRequestContext context = ServiceRequestContext.current();
        Caller caller = caller();
        CompletableFuture<T> future;
        try {
            future = call.get();
        } catch (RuntimeException e) {
            future = CompletableFuture.failedFuture(e);
        }
        CompletableFuture<?> unused = future.whenComplete((reply, thrown) -> {
            Failure failure = thrown == null ? null : failure(thrown);
            answer.accept(reply, failure);
            long nanos = System.nanoTime() - started;
            counters.time(method, nanos);
            ended(context, method, caller, failure, nanos);
        });
    }
}
