package dev.stowage.service.state;

import dev.stowage.core.engine.Effects;
import dev.stowage.core.engine.Engine;
import dev.stowage.core.engine.Refusal;
import dev.stowage.core.policy.Phase;
import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.policy.View;
import dev.stowage.service.state.Operation.Submit;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The outcome that a request would have if it were submitted now: it is given to a copy of the engine, so any policy
 * decides as it really would. Nothing is changed. Begun under the state's lock, which is held as long as for a
 * snapshot; {@link #outcome} takes O(requests in the system + servers), without the lock.
 */
public final class DryRun {
    private final Submit submit;
    private final @Nullable Outcome without;
    private final @Nullable Supplier<byte[]> engine;
    private final OperationDriver.NameLists names;
    private final PolicyFactory policies;
    private final String unknownLabels;
    private final long number;
    private final long position;

    /** Begins; in the state's lock. */
    public DryRun(ServiceState state, World world, Submit submit) {
        this.submit = submit;
        without = world.admission().withoutEngine(submit);
        engine = without == null ? world.engine().copy() : null;
        OperationDriver.NameLists now = world.names();
        names = new OperationDriver.NameLists(now.resources(), now.pooled(), now.sites(), now.types());
        policies = world.policies();
        unknownLabels = without == null ? world.admission().unknownLabels(submit) : "";
        number = world.admission().nextNumber();
        position = state.position();
    }

    /** The outcome. Its log position is that of the last entry that it includes. */
    public Outcome outcome() {
        if (engine == null) {
            return without == null ? Outcome.NOTHING : without;
        }
        Listener listener = new Listener(number);
        Engine copy = Engine.restore(engine.get(), policies, listener);
        OperationDriver driver = new OperationDriver(copy, names, true);
        long at = copy.view().now();
        driver.arrive(submit, number, at);
        Refusal refusal = listener.refusal;
        if (refusal != null) {
            return RequestAdmission.refused(refusal, listener.detail, unknownLabels);
        }
        if (submit.waitNanos() == 0 && listener.state == Request.State.WAITING) {
            listener.now(Request.State.EXPIRED, -1, -1, Ledger.EXPIRED);
        }
        return Outcome.of(Outcome.Kind.DONE, listener.request(at));
    }

    /** Receives the effects on one request. */
    private final class Listener implements Effects {
        private final long id;
        private @Nullable View view;
        private Request.State state = Request.State.WAITING;
        private int server = -1;
        private int queue = -1;
        private String reason = "";
        private @Nullable Refusal refusal;
        private String detail = "";
        private long[] demand = {};

        Listener(long id) {
            this.id = id;
        }

        @Override
        public void attached(View newView) {
            view = newView;
        }

        private boolean own(int job) {
            return view != null && view.id(job) == id;
        }

        private void now(Request.State newState, int newServer, int newQueue, String why) {
            state = newState;
            server = newServer;
            queue = newQueue;
            reason = why;
        }

        @Override
        public void arrived(long now, int job) {
            View seen = view;
            if (seen != null && own(job)) {
                demand = new long[seen.resources()];
                for (int r = 0; r < demand.length; r++) {
                    demand[r] = seen.demand(job, r);
                }
            }
        }

        @Override
        public void placed(long now, int job, int on, String why) {
            if (own(job)) {
                now(Request.State.RUNNING, on, -1, why);
            }
        }

        @Override
        public void migrated(long now, int job, int from, int to, String why) {
            if (own(job)) {
                now(Request.State.RUNNING, to, -1, why);
            }
        }

        @Override
        public void queued(long now, int job, int in, String why) {
            if (own(job)) {
                now(Request.State.WAITING, -1, in, why);
            }
        }

        @Override
        public void rejected(long now, int job, String why) {
            if (own(job)) {
                now(Request.State.REJECTED, -1, -1, why);
            }
        }

        @Override
        public void refused(long now, long subject, Refusal why, String text) {
            refusal = why;
            detail = text;
        }

        private Life life() {
            Life begun = Life.begin(submit.priority(), submit.agent(), submit.expectedNanos());
            return state == Request.State.RUNNING ? begun.placed(Phase.PLACED) : begun;
        }

        Request request(long at) {
            return new Request(
                    submit.tenant(),
                    submit.id(),
                    number,
                    0,
                    submit.type(),
                    demand,
                    List.copyOf(submit.sites()),
                    submit.words(),
                    state,
                    server,
                    queue,
                    at,
                    at,
                    OperationDriver.until(submit, at),
                    reason,
                    position,
                    null,
                    life());
        }
    }
}
