package dev.stowage.service.api;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.stowage.service.state.DryRun;
import dev.stowage.service.state.Operation;
import dev.stowage.service.state.Outcome;
import io.grpc.Status;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

/** Dry runs of Submit: one at a time, since each copies the engine. */
final class DryRuns {
    private final Calls calls;
    private final AtomicBoolean busy = new AtomicBoolean();

    DryRuns(Calls calls) {
        this.calls = calls;
    }

    /** What would become of a submission. */
    CompletableFuture<Outcome> outcome(Operation.Submit submit) {
        Executor executor = ServiceRequestContext.current().blockingTaskExecutor();
        if (!busy.compareAndSet(false, true)) {
            throw Failure.of(Status.Code.RESOURCE_EXHAUSTED, "OVERLOADED", "another dry run is under way; ask again");
        }
        return calls.node()
                .read(state -> new DryRun(state, Calls.begun(state), submit))
                .thenApplyAsync(DryRun::outcome, executor)
                .thenApply(Calls::done)
                .whenComplete((outcome, thrown) -> busy.set(false));
    }
}
