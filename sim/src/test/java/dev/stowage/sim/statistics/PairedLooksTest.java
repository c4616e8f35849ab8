package dev.stowage.sim.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.sim.result.Estimate;
import dev.stowage.sim.statistics.PairedLooks.Finding;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PairedLooksTest {
    @Test
    void looksDouble() {
        assertThat(PairedLooks.looks(10, 10)).isEqualTo(1);
        assertThat(PairedLooks.looks(10, 20)).isEqualTo(2);
        // 10, 20, 40, 80, 160, 200
        assertThat(PairedLooks.looks(10, 200)).isEqualTo(6);
    }

    @Test
    void apartAlikeOrOpen() {
        assertThat(PairedLooks.find(new Estimate(-3, 2.9, 0.95, "", 10), 5)).isEqualTo(Finding.APART);
        assertThat(PairedLooks.find(new Estimate(1, 2.9, 0.95, "", 10), 4)).isEqualTo(Finding.ALIKE);
        assertThat(PairedLooks.find(new Estimate(-1, 3.1, 0.95, "", 10), 4)).isEqualTo(Finding.OPEN);
        assertThat(PairedLooks.find(new Estimate(0, null, 0.95, "", 1), 4)).isEqualTo(Finding.OPEN);
    }

    /**
     * At most 5 % of pairs with a difference of 0 are told apart, and at most 5 % of pairs that differ by 1 are called
     * alike within 1.
     */
    @Test
    void allLooksTogetherKeepTheConfidence() {
        int apart = 0;
        int alike = 0;
        int experiments = 2_000;
        for (int e = 0; e < experiments; e++) {
            SplittableRandom random = new SplittableRandom(e);
            apart += finding(random, 0, 1) == Finding.APART ? 1 : 0;
            alike += finding(random, 1, 1) == Finding.ALIKE ? 1 : 0;
        }
        assertThat(apart).isLessThan(experiments / 20);
        assertThat(apart).isPositive();
        assertThat(alike).isLessThan(experiments / 20);
    }

    private static Finding finding(SplittableRandom random, double difference, double alike) {
        double[] a = {};
        double[] b = {};
        Finding found = Finding.OPEN;
        int looks = PairedLooks.looks(10, 160);
        for (int n = 10; n <= 160 && found == Finding.OPEN; n *= 2) {
            int from = a.length;
            a = Arrays.copyOf(a, n);
            b = Arrays.copyOf(b, n);
            for (int i = from; i < n; i++) {
                double common = random.nextGaussian();
                a[i] = 10 + difference + common + 2 * random.nextGaussian();
                b[i] = 10 + common + 2 * random.nextGaussian();
            }
            found = PairedLooks.find(PairedLooks.difference(a, b, looks, 0.95), alike);
        }
        return found;
    }
}
