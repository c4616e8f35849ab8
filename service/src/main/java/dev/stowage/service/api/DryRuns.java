package dev.stowage.service.api;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.stowage.service.state.DryRun;
import dev.stowage.service.state.MovesDryRun;
import dev.stowage.service.state.Operation;
import dev.stowage.service.state.Outcome;
import dev.stowage.service.state.Request;
import dev.stowage.service.state.Rollouts;
import dev.stowage.service.state.ServiceState;
import dev.stowage.service.state.World;
import dev.stowage.service.v1.DryRunMovesRequest;
import dev.stowage.service.v1.Move;
import dev.stowage.service.v1.Moves;
import io.grpc.Status;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Dry runs of Submit and of moves, one at a time (each copies the engine); and forecasts of when a waiting request
 * will start, for one caller at a time.
 */
final class DryRuns {
    /** Time limit for all rollouts of a forecast. */
    private static final long MOST_NANOS = Duration.ofSeconds(10).toNanos();

    /**
     * Requests that must have ended before a prediction is made. Between the least and the largest of 19 values lies
     * one more with a probability of 90 % (Wilks 1941); fewer give no interval of that probability.
     */
    private static final int LEAST_ENDED = 20;

    private final Calls calls;
    private final AtomicBoolean busy = new AtomicBoolean();
    private final AtomicBoolean forecasting = new AtomicBoolean();

    DryRuns(Calls calls) {
        this.calls = calls;
    }

    /** The outcome that a submission would have. */
    CompletableFuture<Outcome> outcome(Operation.Submit submit) {
        return one(state -> new DryRun(state, Calls.begun(state), submit), DryRun::outcome)
                .thenApply(Calls::done);
    }

    /** When a waiting request will probably start; empty for one that does not wait. */
    CompletableFuture<Optional<Rollouts.Result>> forecast(String tenant, String id, int rollouts) {
        ServiceRequestContext caller = ServiceRequestContext.current();
        AtomicBoolean taken = new AtomicBoolean();
        return calls.node()
                .read(state -> {
                    World world = Calls.begun(state);
                    Request request = PlacementCalls.find(world, tenant, id);
                    boolean waits = request.state() == Request.State.WAITING;
                    taken.set(waits && forecasting.compareAndSet(false, true));
                    if (!waits) {
                        return Optional.<Supplier<Rollouts.Result>>empty();
                    }
                    Supplier<Rollouts.Result> result =
                            taken.get() ? inTime(new Rollouts(state, world, request, rollouts), caller) : DryRuns::busy;
                    return Optional.of(result);
                })
                .thenApplyAsync(begun -> begun.map(Supplier::get), caller.blockingTaskExecutor())
                .whenComplete((result, thrown) -> {
                    if (taken.get()) {
                        forecasting.set(false);
                    }
                });
    }

    private static Rollouts.Result busy() {
        return Rollouts.Result.without("another prediction is under way; try again");
    }

    private static Supplier<Rollouts.Result> inTime(Rollouts rollouts, ServiceRequestContext caller) {
        long end = System.nanoTime() + MOST_NANOS;
        return () -> rollouts.result(LEAST_ENDED, () -> System.nanoTime() - end < 0 && !caller.isCancelled());
    }

    /** What would move if a server were drained, or a request evicted. */
    CompletableFuture<Moves> moves(DryRunMovesRequest request) {
        if (request.getServer().isEmpty() == request.getRequestId().isEmpty()) {
            throw Failure.invalid("BAD_CHANGE", "give a server or a request_id, not both");
        }
        if (!request.getServer().isEmpty()) {
            String server = Checks.server("server", request.getServer());
            return moves(state -> {
                World world = Calls.begun(state);
                return MovesDryRun.ofDrain(state, world, Calls.server(world, server));
            });
        }
        String tenant = Checks.tenant(request.getTenant());
        String id = Checks.id("request_id", request.getRequestId());
        return moves(state -> {
            World world = Calls.begun(state);
            return MovesDryRun.ofEviction(state, world, PlacementCalls.find(world, tenant, id));
        });
    }

    private CompletableFuture<Moves> moves(Function<ServiceState, MovesDryRun> begin) {
        return one(begin, MovesDryRun::result).thenApply(result -> {
            if (result.refused() != null) {
                throw Failure.of(result.refused());
            }
            Moves.Builder moves = Moves.newBuilder().setStay(result.stay()).setPosition(result.position());
            result.moves().forEach(move -> moves.addMoves(message(move)));
            return moves.build();
        });
    }

    private Move message(MovesDryRun.Moved move) {
        return Move.newBuilder()
                .setRequestId(move.request().id())
                .setTenant(move.request().tenant())
                .setFromServer(move.from())
                .setToServer(move.to())
                .setFromServerName(calls.serverName(move.from()))
                .setToServerName(calls.serverName(move.to()))
                .setState(Messages.state(move.state()))
                .setReason(move.reason())
                .build();
    }

    private <S, T> CompletableFuture<T> one(Function<ServiceState, S> begin, Function<S, T> end) {
        Executor executor = ServiceRequestContext.current().blockingTaskExecutor();
        if (!busy.compareAndSet(false, true)) {
            throw Failure.of(Status.Code.RESOURCE_EXHAUSTED, "OVERLOADED", "another dry run is under way; try again");
        }
        return calls.node()
                .read(begin)
                .thenApplyAsync(end, executor)
                .whenComplete((outcome, thrown) -> busy.set(false));
    }
}
