package dev.stowage.sim.statistics;

import dev.stowage.core.model.Cluster;
import dev.stowage.sim.measure.Measurements;
import dev.stowage.sim.measure.RunMetrics;
import dev.stowage.sim.result.Estimate;
import dev.stowage.sim.result.Stability;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * The results of the statistics for a queue whose answer is known, over many base seeds.
 *
 * @param system the queue
 * @param seeds experiments
 * @param stable how often it was called so
 * @param unstable how often it was called so
 * @param growthIntervals experiments that gave an interval of the growth
 * @param growthCovered how often it covers the truth
 * @param meanIntervals experiments that gave an interval of the mean queue
 * @param meanCovered how often it covers the truth
 * @param bias mean over the experiments of (mean queue / truth - 1)
 * @param biasError standard error of that
 */
record Calibration(
        CalibrationSystem system,
        int seeds,
        int stable,
        int unstable,
        int growthIntervals,
        int growthCovered,
        int meanIntervals,
        int meanCovered,
        double bias,
        double biasError) {
    /** Load of M/M/4, and seconds of a run. */
    static final double[][] FOR_WARM_UP = {{0.8, 5_000}, {0.9, 20_000}};

    static Calibration of(CalibrationSystem system, int seeds) {
        int stable = 0;
        int unstable = 0;
        int growthIntervals = 0;
        int growthCovered = 0;
        int meanIntervals = 0;
        int meanCovered = 0;
        double[] errors = new double[seeds];
        for (int seed = 0; seed < seeds; seed++) {
            List<Trajectory> queues = system.experiment(seed + 1);
            int cut = WarmUp.choose(queues).intervals();
            Stability found = GrowthTest.judge(queues, cut, system.arrivals() * 3600);
            stable +=
                    found.verdict().equals(GrowthTest.STABLE) || found.verdict().equals(GrowthTest.NO_QUEUE) ? 1 : 0;
            unstable += found.verdict().equals(GrowthTest.UNSTABLE) ? 1 : 0;
            Double half = found.halfWidth();
            if (half != null) {
                growthIntervals++;
                growthCovered += Math.abs(found.growthPerHour() - system.drift() * 3600) <= half ? 1 : 0;
            }
            Estimate mean = mean(queues, cut);
            errors[seed] = mean.mean() / system.meanQueue() - 1;
            Double halfOfMean = mean.halfWidth();
            if (halfOfMean != null) {
                meanIntervals++;
                meanCovered += Math.abs(mean.mean() - system.meanQueue()) <= halfOfMean ? 1 : 0;
            }
        }
        double bias = Sample.mean(errors);
        double biasError = errorOfMean(errors);
        return new Calibration(
                system,
                seeds,
                stable,
                unstable,
                growthIntervals,
                growthCovered,
                meanIntervals,
                meanCovered,
                bias,
                biasError);
    }

    private static Estimate mean(List<Trajectory> queues, int cut) {
        return queues.size() == 1
                ? Intervals.batchMeans(queues.get(0).completeMeansFrom(cut), 0.95)
                : Intervals.replications(
                        queues.stream()
                                .mapToDouble(each -> each.meanFrom(each.startNanos(cut)))
                                .toArray(),
                        0.95);
    }

    /** Number of wrong verdicts. */
    int wrong() {
        return system.stable() ? unstable : stable;
    }

    int undecided() {
        return seeds - stable - unstable;
    }

    static String heading() {
        return "| system | replications | seconds | stable | unstable | undecided | growth covered | mean covered"
                + " | bias of the mean |\n"
                + "|---|---|---|---|---|---|---|---|---|";
    }

    @Override
    public String toString() {
        boolean hasMean = Double.isFinite(system.meanQueue());
        return String.format(
                Locale.ROOT,
                "| %s | %d | %,d | %s | %s | %d | %s | %s | %s |",
                system.name(),
                system.replications(),
                system.seconds(),
                system.stable() ? stable : stable + (stable > 0 ? " (wrong)" : ""),
                system.stable() ? unstable + (unstable > 0 ? " (wrong)" : "") : unstable,
                undecided(),
                share(growthCovered, growthIntervals),
                hasMean ? share(meanCovered, meanIntervals) : "",
                hasMean ? String.format(Locale.ROOT, "%+.1f ± %.1f %%", 100 * bias, 196 * biasError) : "");
    }

    private static String share(int covered, int intervals) {
        return intervals == 0 ? "–" : String.format(Locale.ROOT, "%.0f %%", 100.0 * covered / intervals);
    }

    /**
     * Share of experiments whose two-stage interval of the mean queue covers the truth, and the mean number of
     * replications.
     */
    static double[] twoStage(CalibrationSystem system, double relative, int experiments) {
        double covered = 0;
        double replications = 0;
        for (int e = 0; e < experiments; e++) {
            double[] values = {};
            for (long needed = TwoStage.LEAST_PILOT; needed > values.length; ) {
                int from = values.length;
                values = Arrays.copyOf(values, (int) needed);
                for (int r = from; r < needed; r++) {
                    long seed = new SplittableRandom((e + 1) * 10_007L + r).nextLong();
                    Trajectory queue = system.path().run(system.seconds(), seed);
                    values[r] = queue.meanFrom(queue.startNanos(queue.complete() / 5));
                }
                needed = TwoStage.needed(values, TwoStage.LEAST_PILOT, relative, 0.95);
            }
            Estimate found = TwoStage.estimate(values, TwoStage.LEAST_PILOT, 0.95);
            covered += Math.abs(found.mean() - system.meanQueue()) <= Objects.requireNonNull(found.halfWidth()) ? 1 : 0;
            replications += values.length;
        }
        return new double[] {covered / experiments, replications / experiments};
    }

    /**
     * Mean wait of M/M/4 at a load, by the simulator, after the automatic warm-up and, for the same runs, after a
     * fifth.
     *
     * @return the mean of (automatic - a fifth) / theory, its standard error, the mean of automatic / theory - 1, its
     *     standard error, and the share of the runs of which half was cut
     */
    static double[] warmUp(double load, long seconds, int runs) {
        double theory = CalibrationSystem.meanQueue(4, load) / (4 * load);
        double[] paired = new double[runs];
        double[] errors = new double[runs];
        double halves = 0;
        for (int run = 0; run < runs; run++) {
            Measurements found = QueuePaths.simulated(
                    "fifo-ff", 4, 60, 4 * load, seconds, new SplittableRandom((run + 1) * 10_007L).nextLong());
            Trajectory inSystem = found.inSystem();
            int fifth = inSystem.complete() / 5;
            int cut = WarmUp.choose(List.of(inSystem)).intervals();
            halves += cut > fifth ? 1 : 0;
            double automatic = meanWait(found, inSystem.startNanos(cut)) / theory;
            paired[run] = automatic - meanWait(found, inSystem.startNanos(fifth)) / theory;
            errors[run] = automatic - 1;
        }
        return new double[] {
            Sample.mean(paired), errorOfMean(paired), Sample.mean(errors), errorOfMean(errors), halves / runs
        };
    }

    private static double meanWait(Measurements run, long warmUpNanos) {
        Cluster cluster = Cluster.single(4, 100);
        return Objects.requireNonNull(RunMetrics.of(run, cluster, List.of("t"), warmUpNanos, Set.of())
                        .get("wait_mean_s"))
                .value();
    }

    /**
     * What is shown of a skewed mean: the interval of Student's t, or the least and the greatest where its half-width
     * is more than half of the mean.
     *
     * @return shares of experiments whose interval covers the truth, whose interval reaches below 0, of which the range
     *     is shown, whose range holds the truth, and in which what is shown holds it
     */
    static double[] skewed(CalibrationSystem system, int experiments) {
        double[] shares = new double[5];
        for (int e = 0; e < experiments; e++) {
            double[] values = system.experiment(e + 1).stream()
                    .mapToDouble(queue -> queue.meanFrom(0))
                    .toArray();
            Estimate mean = Intervals.replications(values, 0.95);
            double half = Objects.requireNonNull(mean.halfWidth());
            double least = Arrays.stream(values).min().orElseThrow();
            double most = Arrays.stream(values).max().orElseThrow();
            boolean covers = Math.abs(mean.mean() - system.meanQueue()) <= half;
            boolean holds = least <= system.meanQueue() && system.meanQueue() <= most;
            boolean range = half > mean.mean() / 2;
            boolean[] is = {covers, half > mean.mean(), range, holds, range ? holds : covers};
            for (int i = 0; i < is.length; i++) {
                shares[i] += is[i] ? 1.0 / experiments : 0;
            }
        }
        return shares;
    }

    static String skewedHeading() {
        return "| system | replications | seconds | mean queue | t interval covers | reaches below 0 | range is shown"
                + " | range holds the mean | what is shown holds it |\n"
                + "|---|---|---|---|---|---|---|---|---|";
    }

    static String skewedRow(CalibrationSystem system, double[] found) {
        StringBuilder row = new StringBuilder(String.format(
                Locale.ROOT,
                "| %s | %d | %,d | %.2f |",
                system.name(),
                system.replications(),
                system.seconds(),
                system.meanQueue()));
        for (double share : found) {
            row.append(String.format(Locale.ROOT, " %.1f %% |", 100 * share));
        }
        return row.toString();
    }

    private static double errorOfMean(double[] values) {
        return Math.sqrt(Sample.sumOfSquares(values, Sample.mean(values)) / (values.length - 1) / values.length);
    }

    static String warmUpHeading() {
        return "| system | seconds | half was cut | automatic less a fixed fifth, paired | z"
                + " | automatic less theory | z |\n"
                + "|---|---|---|---|---|---|---|";
    }

    static String warmUpRow(double load, long seconds, double[] found) {
        return String.format(
                Locale.ROOT,
                "| M/M/4, load %s | %,d | %.1f %% | %+.2f ± %.2f %% | %+.1f | %+.2f ± %.2f %% | %+.1f |",
                load,
                seconds,
                100 * found[4],
                100 * found[0],
                196 * found[1],
                found[0] / found[1],
                100 * found[2],
                196 * found[3],
                found[2] / found[3]);
    }

    static String twoStageHeading() {
        return "| system | seconds | precision | replications | covered |\n|---|---|---|---|---|";
    }

    static String twoStageRow(CalibrationSystem system, double relative, double[] found) {
        return String.format(
                Locale.ROOT,
                "| %s | %,d | %.0f %% | %.0f | %.1f %% |",
                system.name(),
                system.seconds(),
                100 * relative,
                found[1],
                100 * found[0]);
    }

    /**
     * Prints parts of the tables of docs/statistics.md. Arguments: base seeds, and the first system and the number of
     * systems; or experiments, of the two-stage rule; or {@code warm-up} or {@code skewed},
     * and runs or experiments.
     */
    public static void main(String[] arguments) {
        if (arguments[0].equals("warm-up")) {
            System.out.println(warmUpHeading());
            for (double[] system : FOR_WARM_UP) {
                long seconds = (long) system[1];
                System.out.println(
                        warmUpRow(system[0], seconds, warmUp(system[0], seconds, Integer.parseInt(arguments[1]))));
            }
            return;
        }
        if (arguments[0].equals("skewed")) {
            System.out.println(skewedHeading());
            for (CalibrationSystem system : CalibrationSystem.skewed()) {
                System.out.println(skewedRow(system, skewed(system, Integer.parseInt(arguments[1]))));
            }
            return;
        }
        int seeds = Integer.parseInt(arguments[0]);
        if (arguments.length == 1) {
            System.out.println(twoStageHeading());
            for (CalibrationSystem system : CalibrationSystem.forPrecision()) {
                System.out.println(twoStageRow(system, 0.05, twoStage(system, 0.05, seeds)));
            }
            return;
        }
        List<CalibrationSystem> all = CalibrationSystem.all();
        int first = Integer.parseInt(arguments[1]);
        int count = Integer.parseInt(arguments[2]);
        System.out.println(heading());
        for (CalibrationSystem system : all.subList(first, Math.min(all.size(), first + count))) {
            System.out.println(of(system, seeds));
        }
    }
}
