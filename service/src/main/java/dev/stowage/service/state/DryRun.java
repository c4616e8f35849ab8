package dev.stowage.service.state;

import dev.stowage.core.engine.Engine;
import dev.stowage.core.engine.Refusal;
import dev.stowage.core.policy.Phase;
import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.service.state.EffectsOnRequests.End;
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
        EffectsOnRequests effects = new EffectsOnRequests();
        Engine copy = Engine.restore(engine.get(), policies, effects);
        OperationDriver driver = new OperationDriver(copy, names, true);
        long at = copy.view().now();
        driver.arrive(submit, number, at);
        Refusal refusal = effects.refusal();
        if (refusal != null) {
            return RequestAdmission.refused(refusal, effects.detail(), unknownLabels);
        }
        End end = effects.ends().getOrDefault(number, new End(Request.State.WAITING, -1, -1, ""));
        if (submit.waitNanos() == 0 && end.state() == Request.State.WAITING) {
            end = new End(Request.State.EXPIRED, -1, -1, Ledger.EXPIRED);
        }
        int job = copy.find(number);
        return Outcome.of(
                Outcome.Kind.DONE,
                request(effects.demand(), end, at, job < 0 ? 0 : copy.view().devicesHeld(job)));
    }

    private Request request(long[] demand, End end, long at, long devices) {
        Life begun = Life.begin(submit.priority(), submit.agent(), submit.expectedNanos());
        return new Request(
                submit.tenant(),
                submit.id(),
                number,
                0,
                submit.type(),
                demand,
                List.copyOf(submit.sites()),
                submit.words(),
                end.state(),
                end.server(),
                end.queue(),
                at,
                at,
                OperationDriver.until(submit, at),
                end.reason(),
                position,
                null,
                end.state() == Request.State.RUNNING ? begun.placed(Phase.PLACED) : begun,
                devices,
                null);
    }
}
