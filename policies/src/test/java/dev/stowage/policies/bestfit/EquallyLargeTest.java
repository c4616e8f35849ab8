package dev.stowage.policies.bestfit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.engine.Effects;
import dev.stowage.core.engine.Engine;
import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Constraints;
import dev.stowage.core.model.NewRequest;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.Policies;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EquallyLargeTest {
    /** Constraints are numbered as they come, so the request that may run anywhere is in the first index. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void underDifferentConstraintsTheEarlierIsTaken(boolean constrainedFirst) {
        Engine engine = Engine.start(
                Cluster.single(1, 10), PolicySpec.of("bf-s"), new Policies(), Steps.COMMANDS, 1, 0, Effects.NONE);
        engine.arrive(0, NewRequest.of(0, 10));
        for (int id = 1; id <= 2; id++) {
            NewRequest one = NewRequest.of(id, 6);
            engine.arrive(id, (id == 1) == constrainedFirst ? one.constrained(Constraints.sites(0)) : one);
        }
        engine.leave(3, 0);
        assertThat(engine.view().server(engine.find(1))).isZero();
        assertThat(engine.view().server(engine.find(2))).isEqualTo(-1);
    }
}
