package com.example.roomiest;

import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.Policies;
import dev.stowage.testkit.Fuzz;
import org.junit.jupiter.api.Test;

class RoomiestTest {
    private static final PolicySpec ROOMIEST = PolicySpec.of("roomiest");

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
