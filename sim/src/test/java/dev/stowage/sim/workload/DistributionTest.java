package dev.stowage.sim.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.stowage.core.random.KeyedRandom;
import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.commons.statistics.distribution.ContinuousDistribution;
import org.apache.commons.statistics.distribution.ExponentialDistribution;
import org.apache.commons.statistics.distribution.GeometricDistribution;
import org.apache.commons.statistics.distribution.LogNormalDistribution;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.apache.commons.statistics.distribution.TruncatedNormalDistribution;
import org.apache.commons.statistics.distribution.UniformContinuousDistribution;
import org.apache.commons.statistics.distribution.WeibullDistribution;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class DistributionTest {
    private static final int DRAWS = 100_000;
    /** Kolmogorov: sqrt(n) D exceeds 1.95 with probability 0.001 when the distribution is right. */
    private static final double KOLMOGOROV_LIMIT = 1.95;

    static Stream<Arguments> continuous() {
        return Stream.of(
                of(Distribution.exponential(3), ExponentialDistribution.of(3)),
                of(Distribution.uniform(2, 7), UniformContinuousDistribution.of(2, 7)),
                of(Distribution.truncatedNormal(.5, .2, 0, 1), TruncatedNormalDistribution.of(.5, .2, 0, 1)),
                of(Distribution.truncatedNormal(10, 30, 5, 20), TruncatedNormalDistribution.of(10, 30, 5, 20)),
                of(
                        Distribution.truncatedNormal(60, 15, 0, Double.POSITIVE_INFINITY),
                        TruncatedNormalDistribution.of(60, 15, 0, Double.POSITIVE_INFINITY)),
                of(Distribution.truncatedNormal(0, 1, 3, 4), TruncatedNormalDistribution.of(0, 1, 3, 4)),
                of(Distribution.lognormal(1, .75), LogNormalDistribution.of(1, .75)),
                of(Distribution.weibull(.8, 7), WeibullDistribution.of(.8, 7)),
                of(Distribution.weibull(3, .5), WeibullDistribution.of(3, .5)));
    }

    private static Arguments of(Distribution ours, ContinuousDistribution reference) {
        return Arguments.of(ours, reference);
    }

    @ParameterizedTest
    @MethodSource("continuous")
    void agreesWithAnIndependentImplementation(Distribution ours, ContinuousDistribution reference) {
        assertThat(ours.mean()).isCloseTo(reference.getMean(), within(1e-9 * reference.getMean()));
        double[] sorted = draws(ours);
        assertThat(kolmogorov(sorted, reference::cumulativeProbability)).isLessThan(KOLMOGOROV_LIMIT);
        assertMoments(ours, reference.getVariance(), sorted);
        assertQuantiles(sorted, reference);
        for (int i = -1; i <= 100; i++) {
            double x = i < 0 ? -1 : i == 100 ? 1e6 : sorted[i * DRAWS / 100];
            assertThat(ours.atMost(x)).isCloseTo(reference.cumulativeProbability(x), within(1e-9));
        }
    }

    /** Distributions with point masses, and mixtures: the share of draws at or below each of their values. */
    @Test
    void probabilitiesAreTheSharesOfDraws() {
        for (Distribution ours : new Distribution[] {
            Distribution.deterministic(3),
            Distribution.geometric(1),
            Distribution.geometric(4),
            Distribution.discrete(new double[] {5, 1, 2}, new double[] {1, 2, 1}),
            Distribution.hyperexponential(new double[] {1, 3}, new double[] {10, 0.5}),
            Distribution.quantiles(new double[] {0, .5, .75, 1}, new double[] {1, 2, 2, 6}),
            Distribution.lognormal(0, 0)
        }) {
            double[] sorted = draws(ours);
            assertThat(ours.atMost(-1)).isZero();
            for (int i = 0; i < 100; i++) {
                double x = sorted[i * DRAWS / 100];
                long below = Arrays.stream(sorted).filter(draw -> draw <= x).count();
                // 4.5 standard errors
                assertThat((double) below / DRAWS)
                        .as("%s at %s", ours, x)
                        .isCloseTo(ours.atMost(x), within(4.5 * .5 / StrictMath.sqrt(DRAWS)));
            }
        }
    }

    /** Sizes 0.1 to 0.9 of a million units, uniform; 0.4 and 0.6 exactly; a draw above 0 is a unit at least. */
    @Test
    void probabilitiesOfWholeUnits() {
        Demand.Size uniform = new Demand.Size(Distribution.uniform(.1, .9), 1_000_000);
        assertThat(uniform.atMost(500_000)).isCloseTo(.5, within(1e-6));
        assertThat(uniform.atMost(99_999)).isZero();
        Demand.Size two = new Demand.Size(Distribution.discrete(new double[] {.4, .6}, new double[] {1, 1}), 1_000_000);
        assertThat(IntStream.of(399_999, 400_000, 599_999, 600_000).mapToDouble(two::atMost))
                .containsExactly(0.0, .5, .5, 1.0);
        Demand.Size small = new Demand.Size(Distribution.discrete(new double[] {0, .001}, new double[] {1, 3}), 10);
        assertThat(small.atMost(0)).isEqualTo(.25);
        assertThat(small.atMost(1)).isEqualTo(1);
    }

    /** The share of draws below the reference's quantile p is p, within 4.5 standard errors. */
    private static void assertQuantiles(double[] sorted, ContinuousDistribution reference) {
        for (double p : new double[] {.001, .01, .05, .25, .5, .75, .95, .99, .999}) {
            double quantile = reference.inverseCumulativeProbability(p);
            double below = Arrays.stream(sorted).filter(x -> x <= quantile).count() / (double) DRAWS;
            assertThat(below)
                    .as("share below quantile %s", p)
                    .isCloseTo(p, within(4.5 * Math.sqrt(p * (1 - p) / DRAWS)));
        }
    }

    @Test
    void hyperexponentialFollowsItsMixture() {
        // weights 3:1, means 1 and 5: mean (3 + 5)/4 = 2, E[X^2] = (3 2 + 2 25)/4 = 14, variance 10
        Distribution ours = Distribution.hyperexponential(new double[] {3, 1}, new double[] {1, 5});
        assertThat(ours.mean()).isCloseTo(2, within(1e-12));
        double[] sorted = draws(ours);
        assertThat(kolmogorov(sorted, x -> 1 - .75 * Math.exp(-x) - .25 * Math.exp(-x / 5)))
                .isLessThan(KOLMOGOROV_LIMIT);
        assertMoments(ours, 10, sorted);
    }

    @Test
    void quantileTableIsLinearBetweenItsPoints() {
        // half uniform on [0, 1], half uniform on [1, 5]: mean .25 + 1.5 = 1.75
        // E[X^2] = (1/3)/2 + ((125 - 1)/12)/2 = 1/6 + 31/6 = 16/3, variance 16/3 - 49/16 = 109/48
        Distribution ours = Distribution.quantiles(new double[] {0, .5, 1}, new double[] {0, 1, 5});
        assertThat(ours.mean()).isCloseTo(1.75, within(1e-12));
        double[] sorted = draws(ours);
        assertThat(kolmogorov(sorted, x -> x < 1 ? x / 2 : .5 + (x - 1) / 8)).isLessThan(KOLMOGOROV_LIMIT);
        assertMoments(ours, 109.0 / 48, sorted);
    }

    @Test
    void geometricCountsTrialsFromOne() {
        Distribution ours = Distribution.geometric(4);
        assertThat(ours.mean()).isEqualTo(4);
        GeometricDistribution reference = GeometricDistribution.of(.25);
        double[] sorted = draws(ours);
        assertMoments(ours, 12, sorted); // (1 - p) / p^2, p = 1/4
        double chiSquare = IntStream.rangeClosed(1, 30)
                .mapToDouble(k -> {
                    double expected = DRAWS * reference.probability(k - 1);
                    double seen = Arrays.stream(sorted).filter(x -> x == k).count();
                    return (seen - expected) * (seen - expected) / expected;
                })
                .sum();
        assertThat(chiSquare)
                .as("chi-square, 30 cells: 99.9 %% quantile about 59.7")
                .isLessThan(59.7);
    }

    @Test
    void geometricOfMeanOneIsAlwaysOne() {
        assertThat(draws(Distribution.geometric(1))).containsOnly(1.0);
    }

    @Test
    void discreteFollowsItsWeights() {
        Distribution ours = Distribution.discrete(new double[] {2, 5, 7, 9}, new double[] {2, 1, 0, 1});
        assertThat(ours.mean()).isCloseTo(4.5, within(1e-12)); // (4 + 5 + 9) / 4
        double[] sorted = draws(ours);
        assertMoments(ours, 8.25, sorted); // (2 6.25 + .25 + 20.25) / 4
        assertThat(sorted).doesNotContain(7.0);
        assertThat(Arrays.stream(sorted).filter(x -> x == 2).count()).isBetween(49_300L, 50_700L);
    }

    @Test
    void empiricalDrawsFromTheSample() {
        Distribution ours = Distribution.empirical(new double[] {1, 1, 4});
        assertThat(ours.mean()).isCloseTo(2, within(1e-12));
        assertMoments(ours, 2, draws(ours)); // (1 + 1 + 4) / 3
    }

    @Test
    void truncatedNormalHandCases() {
        // TN(.5, .2, [0, 1]): symmetric, so mean .5; variance .04 (1 - 2 2.5 .0175283 / .9875807) = .0364503
        Distribution symmetric = Distribution.truncatedNormal(.5, .2, 0, 1);
        assertThat(symmetric.mean()).isCloseTo(.5, within(1e-14));
        assertMoments(symmetric, .0364503, draws(symmetric));
        // a standard normal above 5: density(5) / P(X > 5) = 1.4867195e-6 / 2.8665157e-7 = 5.1865
        Distribution tail = Distribution.truncatedNormal(0, 1, 5, Double.POSITIVE_INFINITY);
        assertThat(tail.mean()).isCloseTo(5.1865, within(1e-4));
        double variance = TruncatedNormalDistribution.of(0, 1, 5, Double.POSITIVE_INFINITY)
                .getVariance();
        assertMoments(tail, variance, draws(tail));
    }

    @Test
    void lognormalOfMeanHasThatMeanAndVariation() {
        Lognormal ours = (Lognormal) Distribution.lognormalOfMean(20, 4);
        assertThat(ours.mean()).isCloseTo(20, within(1e-9));
        LogNormalDistribution reference = LogNormalDistribution.of(ours.logMean(), ours.logStandardDeviation());
        assertThat(reference.getVariance()).isCloseTo(4 * 400, within(1e-7));
    }

    @Test
    void normalAgreesWithAnIndependentImplementation() {
        NormalDistribution reference = NormalDistribution.of(0, 1);
        for (double x = -36; x <= 8; x += .01) {
            double expected = reference.cumulativeProbability(x);
            assertThat(Normal.cumulative(x)).as("P(X <= %s)", x).isCloseTo(expected, within(1e-12 * expected));
        }
        for (int i = 1; i < 10_000; i++) {
            double p = i < 5000 ? Math.pow(10, -300.0 * i / 5000) : (i - 5000) / 5000.0 + 1e-5;
            double expected = reference.inverseCumulativeProbability(p);
            assertThat(Normal.quantile(p))
                    .as("quantile of %s", p)
                    .isCloseTo(expected, within(1e-9 * Math.max(1, Math.abs(expected))));
        }
        assertThat(Normal.quantile(.975)).isCloseTo(1.959963984540054, within(1e-14));
    }

    @Test
    void logGammaAgreesWithAnIndependentImplementation() {
        for (double x = 1; x < 45; x += .01) {
            double expected = org.apache.commons.numbers.gamma.LogGamma.value(x);
            assertThat(LogGamma.of(x)).as("ln Gamma(%s)", x).isCloseTo(expected, within(1e-13 * Math.max(1, expected)));
        }
    }

    @Test
    void drawsAreTheSameBitsOnEveryJvm() {
        Distribution[] all = {
            Distribution.deterministic(2),
            Distribution.exponential(3),
            Distribution.geometric(4),
            Distribution.uniform(2, 7),
            Distribution.truncatedNormal(.5, .2, 0, 1),
            Distribution.lognormal(1, .75),
            Distribution.weibull(.8, 7),
            Distribution.hyperexponential(new double[] {3, 1}, new double[] {1, 5}),
            Distribution.discrete(new double[] {2, 5}, new double[] {2, 1}),
            Distribution.quantiles(new double[] {0, .5, 1}, new double[] {0, 1, 5})
        };
        long digest = 0;
        KeyedRandom random = new KeyedRandom();
        for (int i = 0; i < all.length; i++) {
            for (int n = 0; n < 1000; n++) {
                double draw = all[i].sample(random.key(1, i, n));
                digest = KeyedRandom.mix(digest ^ Double.doubleToLongBits(draw));
            }
            digest = KeyedRandom.mix(digest ^ Double.doubleToLongBits(all[i].mean()));
        }
        assertThat(Long.toHexString(digest)).isEqualTo("d5a8801c5b07b583");
    }

    static Stream<Arguments> mistakes() {
        double[] one = {1};
        double[] none = {};
        return Stream.of(
                mistake(() -> Distribution.deterministic(-1), "value is -1.0, must be at least 0 and finite"),
                mistake(() -> Distribution.exponential(0), "mean is 0.0, must be above 0 and finite"),
                mistake(() -> Distribution.exponential(Double.NaN), "mean is NaN"),
                mistake(() -> Distribution.geometric(.5), "is 0.5, must be at least 1.0"),
                mistake(() -> Distribution.uniform(3, 2), "high is 2.0, must be at least 3.0"),
                mistake(() -> Distribution.truncatedNormal(0, 0, 0, 1), "standard deviation is 0.0"),
                mistake(() -> Distribution.truncatedNormal(0, 1, 1, 1), "high is 1.0, must be above low, which is 1.0"),
                mistake(() -> Distribution.truncatedNormal(0, 1, 50, 60), "move the bounds [50.0, 60.0]"),
                mistake(() -> Distribution.lognormal(1, 30), "below 700"),
                mistake(() -> Distribution.weibull(0, 1), "shape of a Weibull distribution is 0.0"),
                mistake(() -> Distribution.weibull(1, -1), "scale is -1.0"),
                mistake(() -> Distribution.hyperexponential(one, none), "weights has 1 entries and means has 0"),
                mistake(() -> Distribution.hyperexponential(one, new double[] {0}), "means[0] is 0.0"),
                mistake(() -> Distribution.discrete(one, new double[] {-1}), "weights[0] is -1.0"),
                mistake(() -> Distribution.discrete(one, new double[] {0}), "sum of the weights is 0.0"),
                mistake(() -> Distribution.empirical(none), "must be the same number, at least 1"),
                mistake(() -> Distribution.quantiles(one, one), "number of quantiles is 1"),
                mistake(
                        () -> Distribution.quantiles(new double[] {0, .9}, new double[] {1, 2}),
                        "probabilities[1] is 0.9"),
                mistake(() -> Distribution.quantiles(new double[] {0, 1}, new double[] {2, 1}), "values[1] is 1.0"));
    }

    private static Arguments mistake(Runnable construction, String message) {
        return Arguments.of(construction, message);
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void wrongParametersAreNamed(Runnable construction, String message) {
        assertThatThrownBy(construction::run)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    private static double[] draws(Distribution distribution) {
        KeyedRandom random = new KeyedRandom();
        return IntStream.range(0, DRAWS)
                .mapToDouble(i -> distribution.sample(random.key(42, 7, i)))
                .sorted()
                .toArray();
    }

    /** Sample mean and variance within five standard errors. */
    private static void assertMoments(Distribution distribution, double variance, double[] draws) {
        double mean = distribution.mean();
        double seen = Arrays.stream(draws).average().orElseThrow();
        assertThat(seen).as("mean").isCloseTo(mean, within(5 * Math.sqrt(variance / DRAWS)));
        double[] squares =
                Arrays.stream(draws).map(x -> (x - mean) * (x - mean)).toArray();
        double seenVariance = Arrays.stream(squares).average().orElseThrow();
        double error = Math.sqrt(Arrays.stream(squares)
                        .map(s -> (s - seenVariance) * (s - seenVariance))
                        .sum())
                / DRAWS;
        assertThat(seenVariance).as("variance").isCloseTo(variance, within(5 * error));
    }

    private static double kolmogorov(double[] sorted, DoubleUnaryOperator cumulative) {
        double distance = 0;
        for (int i = 0; i < sorted.length; i++) {
            double p = cumulative.applyAsDouble(sorted[i]);
            distance = Math.max(distance, Math.max(p - (double) i / sorted.length, (i + 1.0) / sorted.length - p));
        }
        return distance * Math.sqrt(sorted.length);
    }
}
