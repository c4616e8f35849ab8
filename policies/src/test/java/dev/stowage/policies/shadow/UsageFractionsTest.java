package dev.stowage.policies.shadow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import org.junit.jupiter.api.Test;

class UsageFractionsTest {
    /** Theta 1/4: 0, then 1/4, then 3/16 and 1/4 + 0, then 9/64 + 1/4 and 3/16. */
    @Test
    void eachArrivalCountsAQuarter() {
        UsageFractions usage = new UsageFractions(.25, false);
        usage.grow(1, 2);
        assertThat(usage.fraction(1, 0)).isZero();
        use(usage, 1, 0);
        assertThat(usage.fraction(1, 0)).isCloseTo(.25, within(1e-15));
        use(usage, 1, 1);
        use(usage, 1, 0);
        assertThat(usage.fraction(1, 0)).isCloseTo(25.0 / 64, within(1e-15));
        assertThat(usage.fraction(1, 1)).isCloseTo(3.0 / 16, within(1e-15));
        // What has no room yet was never used.
        assertThat(usage.fraction(1, 2)).isZero();
        usage.grow(1, 3);
        usage.grow(1, 2);
        assertThat(usage.fraction(1, 2)).isZero();
        assertThat(usage.fraction(1, 1)).isCloseTo(3.0 / 16, within(1e-15));
        assertThat(usage.share(1, 0) / usage.share(1, 1)).isCloseTo(25.0 / 12, within(1e-14));
    }

    private static void use(UsageFractions usage, int block, int configuration) {
        usage.arrived();
        usage.used(block, configuration);
    }

    @Test
    void aBlockMayStartUniform() {
        UsageFractions usage = new UsageFractions(.25, true);
        usage.grow(0, 4);
        assertThat(usage.fraction(0, 3)).isEqualTo(.25);
        use(usage, 0, 0);
        assertThat(usage.fraction(0, 0)).isCloseTo(.25 * .75 + .25, within(1e-15));
        assertThat(usage.fraction(0, 1)).isCloseTo(.25 * .75, within(1e-15));
        // A block that comes later starts so too; configurations that come later start at 0.
        usage.grow(2, 2);
        usage.grow(0, 5);
        assertThat(usage.fraction(2, 0)).isCloseTo(.5, within(1e-15));
        assertThat(usage.fraction(0, 4)).isZero();
        assertThat(usage.fraction(0, 1)).isCloseTo(.25 * .75, within(1e-15));
    }

    /** After 1,000 arrivals at theta 1/2 the scale would be 2^-1000; what was used stays above what never was. */
    @Test
    void whatIsOldStaysAboveNothing() {
        UsageFractions usage = new UsageFractions(.5, false);
        usage.grow(0, 3);
        use(usage, 0, 0);
        for (int arrival = 0; arrival < 1_000; arrival++) {
            use(usage, 0, 1);
        }
        assertThat(usage.fraction(0, 1)).isCloseTo(1, within(1e-12));
        assertThat(usage.share(0, 0)).isPositive();
        assertThat(usage.share(0, 2)).isZero();
        assertThat(usage.share(0, 1)).isFinite();
        for (int arrival = 0; arrival < 3_000; arrival++) {
            usage.arrived();
        }
        assertThat(usage.share(0, 1)).isGreaterThanOrEqualTo(usage.share(0, 0)).isPositive();
        assertThat(usage.share(0, 0)).isPositive();
    }

    @Test
    void whatIsRestoredGoesOn() {
        UsageFractions usage = new UsageFractions(.25, false);
        usage.grow(0, 1);
        usage.grow(2, 3);
        use(usage, 0, 0);
        use(usage, 2, 1);
        use(usage, 2, 2);
        StateWriter out = new StateWriter();
        usage.save(out);
        UsageFractions restored = new UsageFractions(.25, false);
        restored.restore(new StateReader(out.toByteArray()));
        for (int arrival = 0; arrival < 3; arrival++) {
            for (int configuration = 0; configuration < 3; configuration++) {
                assertThat(restored.fraction(2, configuration)).isEqualTo(usage.fraction(2, configuration));
            }
            assertThat(restored.fraction(0, 0)).isEqualTo(usage.fraction(0, 0)).isPositive();
            use(usage, 2, 0);
            use(restored, 2, 0);
        }
    }
}
