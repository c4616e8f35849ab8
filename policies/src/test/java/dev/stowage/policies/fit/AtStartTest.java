package dev.stowage.policies.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.core.engine.Effects;
import dev.stowage.core.engine.Engine;
import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.Capability;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.policy.View;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AtStartTest {
    /** Keeps site limits, and says so itself. */
    private static final class Keeps implements Policy {
        @Override
        public Set<Capability> capabilities() {
            return Set.of(Capability.SITE_LIMITS);
        }

        @Override
        public void arrived(int job, View view, Actions actions) {
            actions.enqueue(job, 0, "");
        }
    }

    private static Engine start(Policy policy) {
        return Engine.start(
                Cluster.single(1, 1), PolicySpec.of("any"), spec -> policy, Steps.COMMANDS, 1, 0, Effects.NONE);
    }

    @Test
    void whatIsDeclaredIsKnownBeforeTheStart() {
        AtStart policy = new AtStart(1, view -> new Keeps(), Capability.SITE_LIMITS);
        assertThat(policy.capabilities()).containsExactly(Capability.SITE_LIMITS);
        start(policy).arrive(1, 0, -1, new long[] {1}, new long[0], 0, 0);
        assertThat(new AtStart(1, view -> new Keeps()).capabilities()).isEmpty();
    }

    @Test
    void aCapabilityOfThePolicyInsideIsNotLostInSilence() {
        assertThatThrownBy(() -> start(new AtStart(1, view -> new Keeps())))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll("has [SITE_LIMITS]", "only [] is declared", "AtStart");
    }
}
