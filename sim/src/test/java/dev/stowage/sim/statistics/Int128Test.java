package dev.stowage.sim.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class Int128Test {
    @Test
    void agreesWithBigInteger() {
        for (long seed = 0; seed < 200; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            Int128 sum = new Int128();
            Int128 other = new Int128();
            BigInteger expected = BigInteger.ZERO;
            for (int i = 0; i < 50; i++) {
                long x = random.nextLong() >> random.nextInt(64);
                long y = random.nextLong() >> random.nextInt(1, 64);
                sum.add(x);
                other.addProduct(x, y);
                BigInteger product = BigInteger.valueOf(x).multiply(BigInteger.valueOf(y));
                expected = expected.add(BigInteger.valueOf(x)).add(product);
            }
            sum.add(other);
            assertThat(sum.toDouble()).as("seed %d", seed).isEqualTo(expected.doubleValue());
        }
    }

    @Test
    void carriesAtTheWordBoundary() {
        Int128 sum = new Int128();
        sum.add(Long.MAX_VALUE);
        sum.add(Long.MAX_VALUE);
        sum.add(2);
        // 2 * (2^63 - 1) + 2 = 2^64
        assertThat(sum.toDouble()).isEqualTo(0x1p64);
        sum.addProduct(-1L << 32, 1L << 32);
        assertThat(sum.toDouble()).isZero();
        sum.add(-1);
        assertThat(sum.toDouble()).isEqualTo(-1);
        sum.clear();
        assertThat(sum.toDouble()).isZero();
    }
}
