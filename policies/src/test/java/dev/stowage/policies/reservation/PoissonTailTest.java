package dev.stowage.policies.reservation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class PoissonTailTest {
    /** The sum of the definition, for small and large means. */
    @Test
    void agreesWithTheSum() {
        for (double mean : new double[] {0.05, 0.3, 1, 1.6, 5, 20, 70, 400}) {
            double term = StrictMath.exp(-mean);
            double below = 0;
            for (int k = 1; k < 600; k++) {
                below += term;
                term *= mean / k;
                assertThat(PoissonTail.atLeast(k, mean))
                        .as("%d and more of %s", k, mean)
                        .isEqualTo(1 - below, within(0.02))
                        .isBetween(0.0, 1.0);
            }
        }
    }

    @Test
    void certainAndImpossible() {
        assertThat(PoissonTail.atLeast(0, 0)).isEqualTo(1);
        assertThat(PoissonTail.atLeast(0, 7)).isEqualTo(1);
        assertThat(PoissonTail.atLeast(1, 0)).isZero();
    }
}
