package dev.stowage.core.random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class KeyedRandomTest {
    private static final long GAMMA = 0x9E3779B97F4A7C15L;

    /** Output of SplitMix64 (the reference C code of S. Vigna, prng.di.unimi.it) from state 1234567. */
    private static final String[] PUBLISHED = {
        "6457827717110365317",
        "3203168211198807973",
        "9817491932198370423",
        "4593380528125082431",
        "16408922859458223821"
    };

    @Test
    void theFinalizerGivesThePublishedSequence() {
        for (int k = 0; k < PUBLISHED.length; k++) {
            long value = KeyedRandom.mix(1234567 + (k + 1) * GAMMA);
            assertThat(Long.toUnsignedString(value)).isEqualTo(PUBLISHED[k]);
        }
    }

    @Test
    void theSequenceIsSplitMixFromTheHashOfTheKeys() {
        KeyedRandom random = new KeyedRandom().key(5, 6, 7);
        long index = 7;
        long state = KeyedRandom.mix(KeyedRandom.mix(KeyedRandom.mix(5 + GAMMA) ^ 6) + index * GAMMA);
        for (int k = 1; k <= 5; k++) {
            assertThat(random.nextLong()).isEqualTo(KeyedRandom.mix(state + k * GAMMA));
        }
    }

    @Test
    void theSameKeysGiveTheSameNumbersWhateverWasDrawnBefore() {
        KeyedRandom random = new KeyedRandom().key(1, Streams.POLICY, 9);
        long first = random.nextLong();
        random.nextDouble();
        random.key(2, 3, 4).nextLong();
        assertThat(random.key(1, Streams.POLICY, 9).nextLong()).isEqualTo(first);
    }

    /** The middle of the cell of the highest 53 bits. */
    @Test
    void aDoubleIsTheMiddleOfItsCell() {
        for (int index = 0; index < 100; index++) {
            long bits = new KeyedRandom().key(1, 2, index).nextLong() >>> 11;
            double expected = Math.scalb(2.0 * bits + 1, -54);
            assertThat(new KeyedRandom().key(1, 2, index).nextDouble()).isEqualTo(expected);
        }
    }

    /** Chi-square with 9 degrees of freedom: below 27.9 with probability 0.999; the seed is fixed. */
    @Test
    void smallBoundsAreUniform() {
        KeyedRandom random = new KeyedRandom().key(11, 0, 0);
        int[] counts = new int[10];
        int draws = 100_000;
        for (int i = 0; i < draws; i++) {
            counts[random.nextInt(10)]++;
        }
        assertThat(chiSquare(counts, draws)).isLessThan(27.9);
    }

    /**
     * Eight values of 32 bits share three results of bound 3 * 2^29; without rejection they would fall 3 : 3 : 2 on the
     * residues mod 3. Chi-square with 2 degrees of freedom: below 13.8 with probability 0.999.
     */
    @Test
    void aLargeBoundHasNoBias() {
        int bound = 3 << 29;
        KeyedRandom random = new KeyedRandom().key(12, 0, 0);
        int[] counts = new int[3];
        int draws = 90_000;
        for (int i = 0; i < draws; i++) {
            int value = random.nextInt(bound);
            assertThat(value).isBetween(0, bound - 1);
            counts[value % 3]++;
        }
        assertThat(chiSquare(counts, draws)).isLessThan(13.8);
    }

    @Test
    void aBoundThatIsNotPositiveIsTold() {
        assertThat(new KeyedRandom().key(1, 1, 1).nextInt(1)).isZero();
        assertThatThrownBy(() -> new KeyedRandom().nextInt(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("0");
    }

    /** Mean 1/2 and variance 1/12 = 0.0833; the standard error of the mean is sqrt(1/12/100000) = 0.0009. */
    @Test
    void doublesAreUniformInTheOpenInterval() {
        KeyedRandom random = new KeyedRandom().key(13, 0, 0);
        int draws = 100_000;
        int[] counts = new int[20];
        double sum = 0;
        for (int i = 0; i < draws; i++) {
            double u = random.nextDouble();
            assertThat(u).isGreaterThan(0).isLessThan(1);
            counts[(int) (20 * u)]++;
            sum += u;
        }
        assertThat(sum / draws).isCloseTo(0.5, within(0.004));
        // 19 degrees of freedom: below 43.8 with probability 0.999.
        assertThat(chiSquare(counts, draws)).isLessThan(43.8);
    }

    /** Mean 1, and P(X > 2) = exp(-2) = 0.1353 with standard error 0.0011. */
    @Test
    void exponentialsHaveMeanOneAndTheRightTail() {
        KeyedRandom random = new KeyedRandom().key(14, 0, 0);
        int draws = 100_000;
        double sum = 0;
        int tail = 0;
        for (int i = 0; i < draws; i++) {
            double x = random.nextExponential();
            sum += x;
            tail += x > 2 ? 1 : 0;
        }
        assertThat(sum / draws).isCloseTo(1, within(0.015));
        assertThat(tail / (double) draws).isCloseTo(0.1353, within(0.005));
    }

    /**
     * First draws of consecutive indexes, and of neighbouring streams and seeds: uncorrelated (standard error 0.003).
     */
    @Test
    void neighbouringKeysAreIndependent() {
        int draws = 100_000;
        assertThat(correlation(draws, i -> key(1, 1, i), i -> key(1, 1, i + 1))).isCloseTo(0, within(0.013));
        assertThat(correlation(draws, i -> key(1, 1, i), i -> key(1, 2, i))).isCloseTo(0, within(0.013));
        assertThat(correlation(draws, i -> key(1, 1, i), i -> key(2, 1, i))).isCloseTo(0, within(0.013));
        int[] counts = new int[16];
        for (int i = 0; i < draws; i++) {
            counts[(int) (16 * key(1, 1, i))]++;
        }
        // 15 degrees of freedom: below 37.7 with probability 0.999.
        assertThat(chiSquare(counts, draws)).isLessThan(37.7);
    }

    private static double key(long seed, long stream, long index) {
        return new KeyedRandom().key(seed, stream, index).nextDouble();
    }

    private static double correlation(
            int draws, java.util.function.IntToDoubleFunction one, java.util.function.IntToDoubleFunction other) {
        double sum = 0;
        for (int i = 0; i < draws; i++) {
            sum += (one.applyAsDouble(i) - 0.5) * (other.applyAsDouble(i) - 0.5);
        }
        return 12 * sum / draws;
    }

    private static double chiSquare(int[] counts, int draws) {
        double expected = draws / (double) counts.length;
        double sum = 0;
        for (int count : counts) {
            sum += (count - expected) * (count - expected) / expected;
        }
        return sum;
    }

    /** FNV-1a (64 bits) of "a" is af63dc4c8601ec8c by its authors' test suite. */
    @Test
    void streamsAreNamedByTheirHash() {
        assertThat(Streams.of("a")).isEqualTo(KeyedRandom.mix(0xaf63dc4c8601ec8cL));
        assertThat(Streams.of("policy")).isEqualTo(Streams.POLICY);
        assertThat(new long[] {Streams.POLICY, Streams.ARRIVALS, Streams.TYPES, Streams.DEMANDS, Streams.WORK})
                .doesNotHaveDuplicates();
    }
}
