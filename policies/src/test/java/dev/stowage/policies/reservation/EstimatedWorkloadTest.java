package dev.stowage.policies.reservation;

import static dev.stowage.policies.reservation.RewardRig.A;
import static dev.stowage.policies.reservation.RewardRig.B;
import static dev.stowage.policies.reservation.RewardRig.times;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.policy.View;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EstimatedWorkloadTest {
    private static final int MEAN = 1000;

    /**
     * Under first fit, four A run from 0 to 1000 ns and end: mean 1000 ns, tau 1000 ns with memory 1. Then an arrival
     * every 10 ns for 20 tau: rate 0.1 per ns times 1000 ns, an offered load of 100, none of them present. The sum of
     * exp(-10 k / 1000) over k >= 0 is 1 / (1 - exp(-0.01)) = 100.5, just after an arrival.
     */
    @Test
    void arrivalRateTimesMeanServiceTime() {
        RewardRig rig = new RewardRig(1, PolicySpec.of("first-fit"));
        View view = rig.engine.view();
        long[] present = new long[2];
        EstimatedWorkload estimate = new EstimatedWorkload(view, 1, present);
        fourRun(rig, estimate);
        for (int k = 0; k < 2000; k++) {
            rig.tick(10);
            estimate.arrived(A, view);
        }
        assertThat((double) estimate.of(A, view)).isCloseTo(100.5, within(1.0));
        // After ln 2 of tau half of it is forgotten; nothing is known of B.
        rig.tick(693);
        assertThat((double) estimate.of(A, view)).isCloseTo(50, within(2.0));
        assertThat(estimate.of(B, view)).isZero();
        present[A] = 70;
        present[B] = 3;
        assertThat(estimate.of(A, view)).isEqualTo(70);
        assertThat(estimate.of(B, view)).isEqualTo(3);
    }

    /**
     * An estimate that begins at 1 ms, with 4 A of 1000 ns: tau 1000 ns. At 1.001 ms 90 arrive, and the 100 that are
     * present count exp(-1), 36.8, for what was not seen.
     */
    @Test
    void thePastBeginsWithTheEstimate() {
        RewardRig rig = new RewardRig(1, PolicySpec.of("first-fit"));
        rig.tick(1_000_000);
        View view = rig.engine.view();
        long[] present = new long[2];
        EstimatedWorkload estimate = new EstimatedWorkload(view, 1, present);
        fourRun(rig, estimate);
        present[A] = 100;
        for (int k = 0; k < 90; k++) {
            estimate.arrived(A, view);
        }
        assertThat((double) estimate.of(A, view)).isCloseTo(90 + 36.8, within(1.5));
    }

    /** Before there is a past, the requests present stand for it: with slack 1 DRA decides as without an estimate. */
    @Test
    void startsFromThePresent() {
        RewardRig rig = new RewardRig(3, PolicySpec.of("dra", Map.of("slack", "1", "workload", "estimate")));
        assertThat(rig.arrive(times(5, A))).isEqualTo("1 1 1 1 2");
    }

    private static void fourRun(RewardRig rig, EstimatedWorkload estimate) {
        rig.arrive(times(4, A));
        for (int id = 0; id < 4; id++) {
            estimate.started(rig.engine.find(id), rig.engine.view());
        }
        rig.tick(MEAN);
        for (int id = 0; id < 4; id++) {
            estimate.ended(rig.engine.find(id), rig.engine.view());
        }
    }
}
