package dev.stowage.service.api;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.stowage.service.raft.RaftNode;
import dev.stowage.service.state.Operation;
import dev.stowage.service.state.Outcome;
import dev.stowage.service.state.ServiceState;
import dev.stowage.service.state.World;
import dev.stowage.service.v1.Request;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What all calls have in common: the node, answers, failures. */
final class Calls {
    private final RaftNode node;
    private final ApiSettings settings;
    private final Counters counters;
    private final RateLimits rates;
    private final CallLog log = new CallLog();
    private volatile @Nullable Names names;
    /** A server stays in its site for ever, so only new ones have to be asked for. */
    private volatile String[] siteOfServer = {};

    /**
     * Names that never change.
     *
     * @param resources of a server
     * @param pooled of a site
     */
    record Names(java.util.List<String> resources, java.util.List<String> pooled) {}

    Calls(RaftNode node, ApiSettings settings, Counters counters) {
        this.node = node;
        this.settings = settings;
        this.counters = counters;
        rates = new RateLimits(settings.rates(), System::nanoTime);
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

    RateLimits rates() {
        return rates;
    }

    ApiLimits limits() {
        return settings.limits();
    }

    @Nullable
    String address(@Nullable String id) {
        return id == null ? null : settings.addresses().get(id);
    }

    Names names() {
        Names known = names;
        if (known == null) {
            known = node.look(state -> {
                World world = begun(state);
                return new Names(world.resources(), world.pooledResources());
            });
            names = known;
        }
        return known;
    }

    /** A request as a message, without waiting for an entry being applied. */
    Request message(dev.stowage.service.state.Request request) {
        return Messages.request(request, names().resources(), site(request.server()));
    }

    private String site(int server) {
        if (server < 0) {
            return "";
        }
        String[] known = siteOfServer;
        if (server >= known.length) {
            known = node.look(state -> {
                World world = begun(state);
                String[] all = new String[world.engine().view().servers()];
                java.util.Arrays.setAll(all, at -> Messages.site(world, at));
                return all;
            });
            siteOfServer = known;
        }
        return known[server];
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
                            ? "the service has not begun; ask again"
                            : "this node has stopped serving: " + halted);
        }
        return world;
    }

    /** A linearizable read. */
    <T> CompletableFuture<T> read(Function<World, T> reader) {
        return node.read(state -> reader.apply(begun(state)));
    }

    /** An operation that must be done or have been done. */
    CompletableFuture<Outcome> done(Operation operation) {
        return node.submit(operation).thenApply(outcome -> {
            if (outcome.kind() != Outcome.Kind.DONE && outcome.kind() != Outcome.Kind.REPEATED) {
                throw Failure.of(outcome);
            }
            return outcome;
        });
    }

    Failure failure(Throwable thrown) {
        return Failure.of(thrown, this::address);
    }

    /** Answers a call with what a future brings. */
    <T> void answer(String method, StreamObserver<T> observer, Supplier<CompletableFuture<T>> call) {
        long started = System.nanoTime();
        ServiceRequestContext context = ServiceRequestContext.current();
        String caller = caller().name();
        CompletableFuture<T> future;
        try {
            future = call.get();
        } catch (RuntimeException e) {
            future = CompletableFuture.failedFuture(e);
        }
        CompletableFuture<?> unused = future.whenComplete((reply, thrown) -> {
            if (thrown == null) {
                observer.onNext(reply);
                observer.onCompleted();
                long nanos = System.nanoTime() - started;
                counters.count(method, "OK", nanos);
                log.note(context, method, caller, null, nanos);
            } else {
                Failure failure = failure(thrown);
                observer.onError(failure.toGrpc());
                long nanos = System.nanoTime() - started;
                counters.count(method, failure.reason(), nanos);
                log.note(context, method, caller, failure, nanos);
            }
        });
    }
}
