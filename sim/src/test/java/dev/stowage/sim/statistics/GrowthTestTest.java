package dev.stowage.sim.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.stowage.sim.result.Stability;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

class GrowthTestTest {
    @Test
    void noQueue() {
        Trajectory empty = new Trajectory(TimeGrid.forHorizon(0, 1_000_000), 0);
        empty.advance(1_000_000);
        assertThat(GrowthTest.judge(List.of(empty), 0, 1)).isEqualTo(new Stability("no-queue", 0, null));
    }

    @Test
    void tooShortIsUndecided() {
        // 3 per interval of half an hour
        assertThat(judge(0.5, series(19, i -> 3 * i)))
                .isEqualTo(new Stability("undecided", 6, null, Stability.TOO_SHORT, null, null));
    }

    @Test
    void aStraightLineGrows() {
        Stability found = judge(0.1, series(500, i -> 2 * i));
        assertThat(found.verdict()).isEqualTo("unstable");
        assertThat(found.growthPerHour()).isCloseTo(20, within(1e-9));
        assertThat(Objects.requireNonNull(found.halfWidth())).isLessThan(1e-6);
    }

    @Test
    void aLevelIsStableAndSoIsADailyWave() {
        assertThat(judge(1, series(500, i -> 7)).verdict()).isEqualTo("stable");
        assertThat(judge(1, series(500, i -> 7 + 5 * Math.sin(i * 2 * Math.PI / 25)))
                        .verdict())
                .isEqualTo("stable");
    }

    /**
     * Four draws on one trace with the same two bursts, of which the last is just before the end: each alone shows
     * nothing, and together no more than that.
     */
    @Test
    void drawsOnOneTraceAreNoRepetitions() {
        List<Trajectory> draws = new ArrayList<>();
        for (int r = 0; r < 4; r++) {
            Trajectory queue = new Trajectory(TimeGrid.forHorizon(0, 500 * MM1.SECOND), 0);
            queue.set(300 * MM1.SECOND, 6 + r % 2);
            queue.set(310 * MM1.SECOND, 0);
            queue.set(490 * MM1.SECOND, 16 + r);
            queue.advance(500 * MM1.SECOND);
            draws.add(queue);
        }
        assertThat(draws)
                .allMatch(one ->
                        GrowthTest.judge(List.of(one), 0, ARRIVALS).verdict().equals("stable"));
        assertThat(GrowthTest.judge(draws, 0, ARRIVALS).verdict()).isEqualTo("unstable");
        assertThat(GrowthTest.judgeOneTrace(draws, 0, ARRIVALS, 0.95).verdict()).isEqualTo("stable");
        assertThat(GrowthTest.judgeOneTrace(draws.subList(1, 2), 0, ARRIVALS, 0.95))
                .isEqualTo(GrowthTest.judge(draws.subList(1, 2), 0, ARRIVALS));
    }

    /** One of two draws grows from the beginning to the end: that depends on the draw. */
    @Test
    void drawsThatDisagreeAreUndecided() {
        Trajectory empty = new Trajectory(TimeGrid.forHorizon(0, 500 * MM1.SECOND), 0);
        Trajectory grown = new Trajectory(TimeGrid.forHorizon(0, 500 * MM1.SECOND), 0);
        for (int i = 0; i < 500; i++) {
            grown.set(i * MM1.SECOND, i);
        }
        empty.advance(500 * MM1.SECOND);
        grown.advance(500 * MM1.SECOND);
        Stability found = GrowthTest.judgeOneTrace(List.of(empty, grown), 0, ARRIVALS, 0.95);
        assertThat(found.verdict()).isEqualTo("undecided");
        assertThat(found.finalQueues()).containsExactly(0L, 499L);
        assertThat(GrowthTest.judgeOneTrace(List.of(grown, grown), 0, ARRIVALS, 0.95)
                        .verdict())
                .isEqualTo("unstable");
    }

    /**
     * Five days: from 0 at midnight to 12 at noon and back. Too slow to tell from a random walk, but it empties every
     * night.
     */
    @Test
    void aQueueThatEmptiesEveryNightIsStable() {
        long hour = 3600 * MM1.SECOND;
        Trajectory queue = new Trajectory(TimeGrid.forHorizon(0, 120 * hour), 0);
        for (int h = 0; h < 120; h++) {
            queue.set(h * hour, Math.min(h % 24, 24 - h % 24));
        }
        queue.advance(120 * hour);
        assertThat(GrowthTest.judge(List.of(queue), 0, ARRIVALS).verdict()).isEqualTo("stable");
    }

    @Test
    void aQueueThatDrainsDoesNotGrow() {
        Stability found = judge(1, series(500, i -> 5_000 - 10.0 * i));
        assertThat(found.verdict()).isNotEqualTo("unstable");
        assertThat(found.growthPerHour()).isCloseTo(-10, within(1e-9));
    }

    /**
     * Fills up towards a level, with and without noise: growth that slows down does not last. Ten time constants tell
     * how long.
     */
    @Test
    void aStartThatLevelsOffIsStillFilling() {
        for (int constant : new int[] {50, 150, 300}) {
            SplittableRandom random = new SplittableRandom(constant);
            IntToDoubleFunction filling = i -> 1_000 * (1 - Math.exp(-i / (double) constant));
            assertThat(judge(1, series(500, filling)).verdict())
                    .as("time constant %d", constant)
                    .isNotIn("unstable", "stable");
            Stability found = judge(1, series(500, i -> filling.applyAsDouble(i) + 20 * random.nextGaussian()));
            assertThat(found.verdict()).as("time constant %d, noisy", constant).isEqualTo("undecided");
            if (constant > 50) {
                assertThat(found.reason()).isEqualTo(Stability.STILL_FILLING);
                assertThat(Objects.requireNonNull(found.tellingHours()))
                        .as("time constant %d, noisy", constant)
                        .isBetween(8.0 * constant, 13.0 * constant);
            }
        }
    }

    /**
     * As fast as a reflected Brownian motion from empty, sqrt(t): a queue at load 1 does that, so it cannot be decided.
     */
    @Test
    void growthLikeTheRootOfTimeIsStillFilling() {
        Stability found = judge(1, series(500, i -> 100 * Math.sqrt(i)));
        assertThat(found.verdict()).isEqualTo("undecided");
        assertThat(found.reason()).isEqualTo(Stability.STILL_FILLING);
    }

    /** The last third must gain at least 0.75 of what the middle gained: bent lines t + b t^2 with 0.8 and 0.7. */
    @Test
    void howFarGrowthMayFall() {
        // Thirds gain in proportion 1 + 2/3 b and 1 + 4/3 b over [0, 1]: 0.8 at b = -0.25, 0.7 at b = -0.346
        assertThat(judge(1, series(600, i -> i - 0.25 * i * i / 600)).verdict()).isEqualTo("unstable");
        assertThat(judge(1, series(600, i -> i - 0.346 * i * i / 600)).verdict())
                .isEqualTo("undecided");
    }

    @Test
    void aGrowingDailyWaveIsUnstable() {
        SplittableRandom random = new SplittableRandom(5);
        double[] wave = series(500, i -> i + 60 + 50 * Math.sin(i * 2 * Math.PI / 50) + 5 * random.nextGaussian());
        Stability found = judge(1, wave);
        assertThat(found.verdict()).isEqualTo("unstable");
        assertThat(found.growthPerHour()).isCloseTo(1, within(Objects.requireNonNull(found.halfWidth())));
    }

    @Test
    void lineAgreesWithTheNormalEquations() {
        // x = 0, 1, 2, 3; y = 1, 3, 2, 4: slope = sum (x - 1.5)(y - 2.5) / 5 = (2.25 - 0.25 - 0.25 + 2.25) / 5 = 0.8
        assertThat(FittedLine.fit(new double[][] {{1, 3, 2, 4}}).slopes()[0]).isCloseTo(0.8, within(1e-12));
    }

    /**
     * Growth of 1 an hour over 500 h: the last third has 333 more than the first. From 60 on the mean is 310, and
     * growth dominates; from 100 on it is 350, and the queue has a level, too.
     */
    @Test
    void growthMustBeLargeBesideTheQueue() {
        SplittableRandom random = new SplittableRandom(3);
        double[] noise = series(500, i -> 2 * random.nextGaussian());
        assertThat(judge(1, series(500, i -> 60 + i + noise[i])).verdict()).isEqualTo("unstable");
        Stability small = judge(1, series(500, i -> 100 + i + noise[i]));
        assertThat(small.verdict()).isEqualTo("undecided");
        assertThat(small.growthPerHour()).isGreaterThan(Objects.requireNonNull(small.halfWidth()));
        // From 300 on it would be large beside the queue after 1,800 h.
        Stability large = judge(1, series(500, i -> 300 + i + noise[i]));
        assertThat(large.reason()).isEqualTo(Stability.STILL_FILLING);
        assertThat(Objects.requireNonNull(large.tellingHours())).isCloseTo(1_800, within(100.0));
        assertThat(judge(1, series(2_000, i -> 300 + i + noise[i % 500])).verdict())
                .isEqualTo("unstable");
    }

    /**
     * A stable verdict needs evidence: the same queue, with an upper limit of growth just below and above half a
     * percent of what arrives.
     */
    @Test
    void aWideIntervalIsNotStable() {
        SplittableRandom random = new SplittableRandom(4);
        double[] level = series(500, i -> 50 + 10 * random.nextGaussian());
        Stability found = judge(1, level);
        double upper = found.growthPerHour() + Objects.requireNonNull(found.halfWidth());
        assertThat(upper).isPositive();
        double[][] one = {level};
        assertThat(GrowthTest.judge(one, 0, 1, 1.001 * upper / 0.005, 0, List.of())
                        .verdict())
                .isEqualTo("stable");
        Stability wide = GrowthTest.judge(one, 0, 1, 0.999 * upper / 0.005, 0, List.of());
        assertThat(wide.verdict()).isEqualTo("undecided");
        assertThat(wide.reason()).isEqualTo(Stability.TOO_SHORT);
        assertThat(Objects.requireNonNull(wide.tellingHours())).isGreaterThanOrEqualTo(1_000);
    }

    /** Slopes 1, 2, 3 without noise: mean 2, standard error 1 / sqrt(3), t(0.975, 2) = 4.303: 2.484. */
    @Test
    void theSpreadOfThreeReplicationsIsAFloor() {
        Growth three = Growth.of(new double[][] {line(1), line(2), line(3)});
        assertThat(three.perWindow()).isCloseTo(2, within(1e-9));
        assertThat(three.halfWidth(0.95)).isCloseTo(4.3027 / Math.sqrt(3), within(1e-3));
        // Two have no usable spread: only their increments, ten of 5 * 1 and ten of 5 * 3 each, count
        assertThat(Growth.of(new double[][] {line(1), line(3)}).halfWidth(0.95)).isLessThan(1.5);
    }

    /**
     * The floor also holds if the replications wander: each a random walk of small steps with a drift of its own.
     */
    @Test
    void theSpreadIsAFloorForQueuesThatWander() {
        double[][] walks = new double[4][];
        for (int r = 0; r < walks.length; r++) {
            walks[r] = walk(r, r);
        }
        Growth growth = Growth.of(walks);
        assertThat(growth.swings()).isFalse();
        // Drifts 0, 1, 2, 3: standard error 1.291 / 2, t(0.975, 3) = 3.182
        assertThat(growth.halfWidth(0.95)).isCloseTo(3.1824 * 1.291 / 2, within(0.5));
    }

    /** The same walk each time has no spread between replications: ten need nothing else, nine still have its steps. */
    @Test
    void tenReplicationsNeedNothingButTheirSpread() {
        double[][] ten = new double[10][];
        Arrays.fill(ten, walk(7, 0));
        assertThat(Growth.of(ten).halfWidth(0.95)).isCloseTo(0, within(1e-9));
        assertThat(Growth.of(Arrays.copyOf(ten, 9)).halfWidth(0.95)).isGreaterThan(0.001);
    }

    /** Increments of one walk over its 20 blocks: Student's t with 19 degrees of freedom. */
    @Test
    void degreesOfFreedomOfAWalk() {
        double[] walk = walk(7, 0);
        Growth growth = Growth.of(new double[][] {walk});
        assertThat(growth.swings()).isFalse();
        double[] steps = new double[20];
        Arrays.setAll(steps, b -> walk[(b + 1) * 99 / 20] - walk[b * 99 / 20]);
        double deviation = Math.sqrt(Sample.sumOfSquares(steps, Sample.mean(steps)) / 19);
        assertThat(growth.halfWidth(0.95)).isCloseTo(2.09302 * deviation / Math.sqrt(20) / 4.95, within(1e-4));
        // Ten replications: only their spread, 9 degrees of freedom
        double[][] ten = new double[10][];
        Arrays.setAll(ten, r -> walk(100 + r, r));
        double[] drifts = new double[10];
        Arrays.setAll(drifts, r -> (ten[r][99] - ten[r][0]) / 99);
        double spread = Math.sqrt(Sample.sumOfSquares(drifts, Sample.mean(drifts)) / 9 / 10);
        assertThat(Growth.of(ten).halfWidth(0.95)).isCloseTo(2.26216 * spread, within(1e-4));
    }

    /** Residual degrees of freedom of a line through white noise: those of least squares, 98 for 100 points. */
    @Test
    void degreesOfFreedomOfALine() {
        SplittableRandom random = new SplittableRandom(1);
        double[] noise = series(100, i -> i % 2 == 0 ? random.nextGaussian() : -random.nextGaussian());
        double slope = FittedLine.fit(new double[][] {noise}).slopes()[0];
        double squares = 0;
        for (int i = 0; i < 100; i++) {
            squares += Math.pow(noise[i] - Sample.mean(noise) - slope * (i - 49.5), 2);
        }
        double error = Math.sqrt(squares / 98 / (100 * (100.0 * 100 - 1) / 12));
        double inflation = FittedLine.fit(new double[][] {noise}).halfWidth(0.95) / (1.98447 * error);
        assertThat(inflation).isBetween(0.9999, 1.5);
    }

    /** One of four grows and three stay: not stable, whatever the mean says, and the final queues say which. */
    @Test
    void oneReplicationThatGrowsIsEnough() {
        double[][] four = new double[4][];
        Arrays.setAll(four, r -> {
            SplittableRandom random = new SplittableRandom(r);
            return series(500, i -> 20 + 5 * random.nextGaussian() + (r == 2 ? i : 0));
        });
        Stability found = GrowthTest.judge(four, 0, 1, ARRIVALS, 0, List.of(21L, 19L, 520L, 20L));
        assertThat(found.verdict()).isEqualTo("unstable");
        assertThat(found.growthPerHour()).isLessThan(Objects.requireNonNull(found.halfWidth()));
        assertThat(found.finalQueues()).containsExactly(21L, 19L, 520L, 20L);
        four[2] = four[1];
        assertThat(GrowthTest.judge(four, 0, 1, ARRIVALS, 0, List.of(1L, 1L, 1L, 1L)))
                .returns("stable", Stability::verdict)
                .returns(null, Stability::finalQueues);
    }

    /**
     * A wave of five days in a run of five: its residuals do not swing back often enough, but it empties every night.
     * One that always has a request waiting is not shown to be stable, nor are two of which one has.
     */
    @Test
    void aWaveIsStableIfItEmptiesInEveryFifth() {
        assertThat(wave(0).verdict()).isEqualTo("stable");
        assertThat(wave(1).verdict()).isEqualTo("undecided");
        assertThat(wave(0, 0).verdict()).isEqualTo("stable");
        assertThat(wave(0, 1).verdict()).isEqualTo("undecided");
        assertThat(wave(1, 0).verdict()).isEqualTo("undecided");
    }

    /** Waves of 0 to 20 and back in 4,000 s, 20,000 s long, each raised by the given amount; no growth counts. */
    private static Stability wave(int... higher) {
        List<Trajectory> queues = new ArrayList<>();
        for (int more : higher) {
            Trajectory queue = new Trajectory(TimeGrid.forHorizon(0, 20_000 * MM1.SECOND), 0);
            for (int second = 0; second < 20_000; second++) {
                queue.set(second * MM1.SECOND, more + Math.abs((second + 2_000) % 4_000 - 2_000) / 100);
            }
            queue.advance(20_000 * MM1.SECOND);
            queues.add(queue);
        }
        return GrowthTest.judge(queues, 0, 1e9);
    }

    /**
     * Days of 1,000 s that begin with an empty queue for 200 s and then hold 10 to 100 requests: how many differs from
     * day to day, so the interval of the growth is wide. A stretch of 800 s in intervals of a 500th of the run: of 8
     * days 50, rounded up 52, so 500 / 52 = 9.6 emptyings; of 5 days 80, so 500 / 82 = 6.1. One run needs (ln 2 - ln
     * 0.005) / 0.854 = 7.02 of them: 5 days x 7.02 / 6.1.
     */
    @Test
    void daysThatEndAsTheyBeganAreStable() {
        assertThat(GrowthTest.judge(List.of(days(8, 1)), 0, 3600).verdict()).isEqualTo("stable");
        Stability five = GrowthTest.judge(List.of(days(5, 1)), 0, 3600);
        assertThat(five.verdict()).isEqualTo("undecided");
        assertThat(Objects.requireNonNull(five.tellingHours()) * 3600)
                .isCloseTo(5_000 * 7.016 * 82 / 500, within(10.0));
        // Two such runs need (ln 2 - ln 0.005 / 2) / 0.854 = 3.9.
        assertThat(GrowthTest.judge(List.of(days(5, 1), days(5, 2)), 0, 3600).verdict())
                .isEqualTo("stable");
    }

    private static Trajectory days(int number, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Trajectory queue = new Trajectory(TimeGrid.forHorizon(0, number * 1_000L * MM1.SECOND), 0);
        for (int day = 0; day < number; day++) {
            queue.set((day * 1_000 + 200) * MM1.SECOND, random.nextInt(10, 100));
            queue.set((day + 1) * 1_000L * MM1.SECOND, 0);
        }
        queue.advance(number * 1_000L * MM1.SECOND);
        return queue;
    }

    /** Too short for windows: from the first interval to the last, per hour, in the mean of the replications. */
    @Test
    void aShortRunHasARoughGrowth() {
        double[][] two = {{1, 4, 7, 10}, {2, 1, 5, 3}};
        Stability found = GrowthTest.judge(two, 1, 0.5, ARRIVALS, 0, List.of(10L, 3L));
        assertThat(found.reason()).isEqualTo(Stability.TOO_SHORT);
        // (6 + 2) / 2 intervals of half an hour, and the mean of two
        assertThat(found.growthPerHour()).isEqualTo((6.0 + 2.0) / 2 / 2 / 0.5);
        assertThat(found.halfWidth()).isNull();
    }

    private static final double ARRIVALS = 10_000;

    private static Stability judge(double intervalHours, double[] series) {
        return GrowthTest.judge(new double[][] {series}, 0, intervalHours, ARRIVALS, 0, List.of(0L));
    }

    private static double[] line(double slope) {
        return series(100, i -> slope * i);
    }

    private static double[] walk(long seed, double drift) {
        SplittableRandom random = new SplittableRandom(seed);
        double[] walk = new double[100];
        for (int i = 1; i < walk.length; i++) {
            walk[i] = walk[i - 1] + drift + random.nextGaussian();
        }
        return walk;
    }

    private static double[] series(int n, IntToDoubleFunction value) {
        double[] series = new double[n];
        Arrays.setAll(series, value);
        return series;
    }
}
