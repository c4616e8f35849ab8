package dev.stowage.service.raft;

import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.service.state.Batch;
import dev.stowage.service.state.Figures;
import dev.stowage.service.state.Outcome;
import dev.stowage.service.state.Request;
import dev.stowage.service.state.ServiceState;
import dev.stowage.service.state.Shadow;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A shadow policy that processes the log beside the active one. It starts again with each state that the node loads.
 * Used under the lock of the state.
 */
final class Shadows {
    private final @Nullable PolicySpec policy;
    private final PolicyFactory policies;
    private List<Shadow> both = List.of();

    /** None, if the policy is null. */
    Shadows(@Nullable PolicySpec policy, PolicyFactory policies) {
        this.policy = policy;
        this.policies = policies;
    }

    /** The state has been replaced. */
    void restart() {
        both = List.of();
    }

    void applied(ServiceState state, Batch batch, List<Outcome> outcomes, List<Request> changes) {
        if (policy == null || state.world() == null || state.halted() != null) {
            return;
        }
        if (both.isEmpty()) {
            both = List.of(Shadow.of(state, null, policies), Shadow.of(state, policy, policies));
        } else {
            both.forEach(shadow -> shadow.apply(state.now(), batch, outcomes, changes));
        }
    }

    /** The active policy's figures, then the other's, over the same time; none if there is no other. */
    List<Figures> figures() {
        return both.stream().map(Shadow::figures).toList();
    }
}
