package dev.stowage.study.size;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.Policies;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.SizeTarget;
import dev.stowage.study.TestExperiments;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Searches on systems whose answer is known by theory: the number of places at which Erlang's loss formula B, or delay
 * formula C, passes the target.
 */
@Tag("once")
final class SizeIntervalTest {
    private static final int MOST = 80;

    /** Loss probability of M/G/n/n with this load in erlangs. */
    private static double lost(int places, double erlangs) {
        double b = 1;
        for (int k = 1; k <= places; k++) {
            b = erlangs * b / (k + erlangs * b);
        }
        return b;
    }

    /** Mean wait in M/M/n, in mean service times. */
    private static double meanWait(int places, double erlangs) {
        if (places <= erlangs) {
            return Double.POSITIVE_INFINITY;
        }
        double b = lost(places, erlangs);
        double delayed = places * b / (places - erlangs * (1 - b));
        return delayed / (places - erlangs);
    }

    private static Sizing system(double perMinute, String target, long seed) {
        Experiment point = TestExperiments.of(String.format(Locale.ROOT, """
                cluster: {servers: {count: 1, slots: 1}}
                workload:
                  types:
                    - {name: a, rate: %s / min, service: {exponential: 1 min}, demand: {slots: 1}}
                horizon: 260 min
                warm-up: 20 min
                seed: %d
                replications: 2
                policies: [first-fit]
                """, perMinute, seed));
        return new Sizing(point, SizeTarget.parse(target), new Policies());
    }

    /** How often the interval holds the least number of places that meets the target. */
    private static int holds(int searches, int firstSeed) {
        int holds = 0;
        for (int i = 0; i < searches; i++) {
            double erlangs = 6 + (i % 10) * 3;
            boolean loss = i % 2 == 0;
            double limit = loss ? 0.02 + 0.01 * (i % 3) : 0.05 + 0.05 * (i % 4);
            int truth = 1;
            while (loss ? lost(truth, erlangs) > limit : meanWait(truth, erlangs) > limit) {
                truth++;
            }
            String target = loss
                    ? String.format(Locale.ROOT, "rejected <= %.0f %%", 100 * limit)
                    : String.format(Locale.ROOT, "wait mean <= %.0f s", 60 * limit);
            PolicySpec policy = PolicySpec.of(loss ? "first-fit" : "fifo-ff");
            Sizing sizing = system(erlangs, target, firstSeed + i);
            Sizing.Shown shown = sizing.shown(policy, sizing.need(policy), MOST);
            boolean covers = shown.fails() < truth && (shown.holds() == 0 || truth <= shown.holds());
            holds += covers ? 1 : 0;
            assertThat(shown.fails()).as("it says something").isPositive();
        }
        return holds;
    }

    @Test
    void theIntervalHoldsTheTruth() {
        assertThat(holds(8, 1)).isGreaterThanOrEqualTo(7);
    }

    /** The confidence is 95 %: of 200 searches at least 190 hold the truth, up to chance. */
    @Test
    @Tag("nightly")
    void calibrated() {
        assertThat(holds(200, 1000)).isGreaterThanOrEqualTo(186);
    }

    @Test
    void erlangB() {
        Sizing sizing = system(20, "rejected <= 1 %", 1);
        PolicySpec policy = PolicySpec.of("first-fit");
        Sizing.Shown shown = sizing.shown(policy, sizing.need(policy), MOST);
        // B(29, 20) = 1.28 %, B(30, 20) = 0.85 %.
        assertThat(shown.fails()).isBetween(27L, 29L);
        assertThat(shown.holds()).isBetween(30L, 32L);
        assertThat(sizing.canShow()).isTrue();
        assertThat(system(20, "rejected <= 0", 1).canShow()).isFalse();
    }
}
