package com.example.roomiest;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.stowage.core.engine.Effects;
import dev.stowage.core.engine.Engine;
import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.NewRequest;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.Policies;
import dev.stowage.testkit.Fuzz;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RoomiestTest {
    private static final PolicySpec ROOMIEST = PolicySpec.of("roomiest");

    /** Decisions worked out by hand, on two servers of 10. */
    @Test
    void takesTheServerWithTheMostFree() {
        List<Integer> servers = new ArrayList<>();
        Effects placements = new Effects() {
            @Override
            public void placed(long now, int job, int server, String reason) {
                servers.add(server);
            }
        };
        Engine engine = Engine.start(Cluster.single(2, 10), ROOMIEST, new Policies(), Steps.COMMANDS, 1, 0, placements);
        // A tie, so 4 goes to server 0; then 6 and 10 are free, 6 and 7, and 6 and 5.
        engine.arrive(1_000, NewRequest.of(1, 4));
        engine.arrive(2_000, NewRequest.of(2, 3));
        engine.arrive(3_000, NewRequest.of(3, 2));
        engine.arrive(4_000, NewRequest.of(4, 1));
        assertEquals(List.of(0, 1, 1, 0), servers);
    }

    /** Random clusters and commands, valid and not; a failure is shrunk to the shortest log that shows it. */
    @Test
    void keepsTheLaws() {
        Fuzz.of(getClass(), new Policies(), ROOMIEST).seeds(200).run();
    }

    @Test
    void keepsTheLawsWhereRequestsAreLimitedToSites() {
        Fuzz.of(getClass(), new Policies(), ROOMIEST).siteLimits().seeds(100).run();
    }
}
