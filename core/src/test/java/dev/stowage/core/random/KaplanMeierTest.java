package dev.stowage.core.random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class KaplanMeierTest {
    /**
     * Ends at 1, 3, 3, 6; still there at 2 and 5, by hand: after 1 5/6 are left; at 3 four are at risk and two end, 5/6
     * * 2/4 =
     * 5/12; at 6 the last one ends.
     */
    @Test
    void byHand() {
        KaplanMeier lifetimes =
                KaplanMeier.of(new long[] {3, 1, 2, 6, 3, 5}, new boolean[] {true, true, false, true, true, false});
        assertThat(lifetimes.longerThan(0)).isEqualTo(1);
        assertThat(lifetimes.longerThan(1)).isCloseTo(5.0 / 6, within(1e-12));
        assertThat(lifetimes.longerThan(2)).isCloseTo(5.0 / 6, within(1e-12));
        assertThat(lifetimes.longerThan(3)).isCloseTo(5.0 / 12, within(1e-12));
        assertThat(lifetimes.longerThan(5)).isCloseTo(5.0 / 12, within(1e-12));
        assertThat(lifetimes.longerThan(6)).isZero();
        assertThat(lifetimes.quantile(0, 0)).isEqualTo(1);
        assertThat(lifetimes.quantile(0, 0.2)).isEqualTo(3);
        assertThat(lifetimes.quantile(0, 0.6)).isEqualTo(6);
        assertThat(lifetimes.quantile(3, 0)).isEqualTo(6);
        assertThat(lifetimes.quantile(7, 0.5)).isEqualTo(7);
    }

    /** Without anything cut off it is the sample itself: every lifetime has its part. */
    @Test
    void completeIsTheSample() {
        KaplanMeier lifetimes = KaplanMeier.of(new long[] {1, 2, 3, 4}, new boolean[] {true, true, true, true});
        assertThat(new long[] {
                    lifetimes.quantile(0, 0.1),
                    lifetimes.quantile(0, 0.3),
                    lifetimes.quantile(0, 0.6),
                    lifetimes.quantile(0, 0.9)
                })
                .containsExactly(1, 2, 3, 4);
    }

    /** The longest counts as an end, whether it was one or not. */
    @Test
    void nothingIsKnownBeyondTheLongest() {
        KaplanMeier lifetimes = KaplanMeier.of(new long[] {1, 9}, new boolean[] {true, false});
        assertThat(lifetimes.longerThan(9)).isZero();
        assertThat(lifetimes.quantile(0, 0.99)).isEqualTo(9);
        assertThatThrownBy(() -> KaplanMeier.of(new long[0], new boolean[0])).hasMessageContaining("at least 1");
    }

    /**
     * Exponential lifetimes of mean 1, seen until an independent exponential of mean 2: S(1) = 1/e, which the ends
     * alone miss.
     */
    @Test
    void censoredExponentials() {
        int n = 20_000;
        long[] seen = new long[n];
        boolean[] ended = new boolean[n];
        long endedLater = 0;
        for (int i = 0; i < n; i++) {
            KeyedRandom random = new KeyedRandom().key(7, 1, i);
            double life = random.nextExponential();
            double watch = 2 * random.nextExponential();
            seen[i] = (long) (1e9 * Math.min(life, watch));
            ended[i] = life <= watch;
            endedLater += ended[i] && seen[i] > 1_000_000_000L ? 1 : 0;
        }
        assertThat(KaplanMeier.of(seen, ended).longerThan(1_000_000_000L)).isCloseTo(Math.exp(-1), within(0.015));
        assertThat((double) endedLater / n).isLessThan(0.2);
    }
}
