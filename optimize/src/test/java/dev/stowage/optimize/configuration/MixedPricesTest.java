package dev.stowage.optimize.configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

final class MixedPricesTest {
    private static final long[] CAPACITY = {10, 10};

    /**
     * One type of weight 10 that takes 5 and 1 of 10 and 10: the second resource is in plenty, two fit, so no price
     * gives less than 20. Equal prices give 10 / 0.6 x 2 = 33.3. Each of 30 rounds raises the first price by the factor
     * 1 + b and the second one by 1 + b / 5, where b = 1 / (1 + round / 3), and every bound is below the one before:
     * the prices are those that the last round looked at, after 29 rises.
     */
    @Test
    void whatTheBestTypeUsesMostIsMadeDearer() {
        double[] prices = new double[2];
        new MixedPrices(CAPACITY, new long[][] {{5, 1}}).fit(new long[] {10}, new int[] {0}, 1, prices);
        double first = 0.1;
        double second = 0.1;
        for (int round = 1; round < 30; round++) {
            double by = 1 / (1 + round / 3.0);
            first *= 1 + by;
            second *= 1 + by / 5;
        }
        assertThat(prices[0]).isCloseTo(first, within(1e-9 * first));
        assertThat(prices[1]).isCloseTo(second, within(1e-9 * second));
        assertThat(MixedPrices.perPrice(10, new long[] {5, 1}, prices) * 10 * (prices[0] + prices[1]))
                .isBetween(20.0, 21.0);
    }

    /** 3 for (2, 1) and for (1, 2) are worth as much per price at equal prices, and no others bound them better. */
    @Test
    void pricesThatAreBestAreKept() {
        double[] prices = new double[2];
        new MixedPrices(CAPACITY, new long[][] {{2, 1}, {1, 2}}).fit(new long[] {3, 3}, new int[] {0, 1}, 2, prices);
        assertThat(prices).containsExactly(0.1, 0.1);
    }

    @Test
    void withoutTypesAUnitCostsItsPartOfTheCapacity() {
        double[] prices = new double[2];
        new MixedPrices(new long[] {4, 0}, new long[][] {{1, 0}}).fit(new long[] {7}, new int[] {0}, 0, prices);
        assertThat(prices).containsExactly(0.25, 1);
        assertThat(MixedPrices.perPrice(7, new long[] {0, 0}, prices)).isInfinite();
    }
}
