package dev.stowage.sim.statistics;

import dev.stowage.sim.result.Estimate;
import dev.stowage.sim.result.Stability;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Does a queue grow without bound? Judged from its trajectories over one or several replications. Both answers need
 * evidence:
 *
 * <ul>
 *   <li><b>unstable</b>: all replications together, or one alone, grow more after the warm-up than a queue at load 1
 *       would from empty, and over the whole run the growth does not fall;
 *   <li><b>stable</b>: not unstable, and it empties so often that it cannot have grown; or it swings back to a line or
 *   a
 *       level or empties now and then, and the upper limit of the growth's 95 % interval is below {@link #SMALL_PART}
 *       of
 *       what arrives;
 *   <li><b>undecided</b>: everything else, with the length of a run that would decide.
 * </ul>
 *
 * <p>Formulas, sources and the calibration: docs/statistics.md.
 */
public final class GrowthTest {
    /** The queue swings around a level. */
    public static final String STABLE = "stable";
    /** The queue grows. */
    public static final String UNSTABLE = "unstable";
    /** The run does not decide. */
    public static final String UNDECIDED = "undecided";
    /** Nothing ever waited for some time. */
    public static final String NO_QUEUE = "no-queue";

    /**
     * Growth below this part of what arrives counts as none: load 1.005 is the least overload that a long run is sure
     * to find.
     */
    public static final double SMALL_PART = 0.005;

    private static final int WINDOWS = 100;
    private static final double CONFIDENCE = 0.95;
    /**
     * Probability of calling a stable queue unstable, for all replications together and once more for all single ones.
     */
    private static final double RISK = 0.005;
    /**
     * Gain of the mean queue from the middle to the last third of the run, over that from the first to the middle. A
     * queue at load 1 that starts empty has 0.65.
     */
    private static final double LASTING = 0.75;
    /** Below that, emptyings say nothing. */
    private static final double LEAST_EMPTYINGS = 2;
    /** So many emptyings say that a queue returns, where its growth is shown to be small. */
    private static final double NOW_AND_THEN = 5;
    /** A start that levels off exponentially is over after this many of its time constants. */
    private static final double TIME_CONSTANTS = 10;
    /** No run that is longer than this many times the present one is proposed. */
    private static final double LONGEST = 1000;

    private static final double NANOS_PER_HOUR = 3.6e12;

    private GrowthTest() {}

    /**
     * Judges the queue.
     *
     * @param replications trajectories of the queue length over the whole run, of the same interval width
     * @param warmUpIntervals intervals to leave out at the start
     * @param arrivalsPerHour mean rate of requests over all replications
     */
    public static Stability judge(List<Trajectory> replications, int warmUpIntervals, double arrivalsPerHour) {
        long longest = 0;
        double emptyings = Double.POSITIVE_INFINITY;
        double[][] series = new double[replications.size()][];
        for (int r = 0; r < series.length; r++) {
            Trajectory each = replications.get(r);
            int first = Math.min(warmUpIntervals, each.size());
            longest = Math.max(longest, each.maxFrom(each.startNanos(first)));
            emptyings = Math.min(emptyings, emptyings(each, first));
            series[r] = each.completeMeansFrom(0);
        }
        if (longest == 0) {
            return new Stability(NO_QUEUE, 0, null);
        }
        double intervalHours = replications.get(0).widthNanos() / NANOS_PER_HOUR;
        List<Long> finals = replications.stream().map(Trajectory::value).toList();
        return judge(series, warmUpIntervals, intervalHours, arrivalsPerHour, emptyings, finals);
    }

    /**
     * The same for replications on the same given requests: their bursts are the same, so that each is judged by
     * itself. What all show holds; otherwise it is undecided. The interval is that of the mean growth over what is
     * drawn.
     *
     * @param confidence of the interval
     */
    public static Stability judgeOneTrace(
            List<Trajectory> replications, int warmUpIntervals, double arrivalsPerHour, double confidence) {
        List<Stability> each = replications.stream()
                .map(one -> judge(List.of(one), warmUpIntervals, arrivalsPerHour))
                .toList();
        if (each.size() == 1) {
            return each.get(0);
        }
        Estimate growth = Intervals.replications(
                each.stream().mapToDouble(Stability::growthPerHour).toArray(), confidence);
        Set<String> verdicts = each.stream().map(Stability::verdict).collect(Collectors.toSet());
        if (verdicts.equals(Set.of(NO_QUEUE, STABLE))) {
            verdicts = Set.of(STABLE);
        }
        boolean agreed = verdicts.size() == 1;
        if (agreed && !verdicts.contains(UNDECIDED)) {
            return new Stability(verdicts.iterator().next(), growth.mean(), growth.halfWidth());
        }
        boolean filling = each.stream().allMatch(one -> Stability.STILL_FILLING.equals(one.reason()));
        return new Stability(
                UNDECIDED,
                growth.mean(),
                growth.halfWidth(),
                filling ? Stability.STILL_FILLING : Stability.TOO_SHORT,
                each.stream()
                        .map(Stability::tellingHours)
                        .filter(Objects::nonNull)
                        .max(Double::compare)
                        .orElse(null),
                agreed ? null : replications.stream().map(Trajectory::value).toList());
    }

    /**
     * Judges series of means over equal intervals of {@code intervalHours} from the start of the run.
     *
     * @param emptyings the least of all replications
     */
    static Stability judge(
            double[][] series,
            int first,
            double intervalHours,
            double arrivalsPerHour,
            double emptyings,
            List<Long> finals) {
        double[][] windows = Growth.windows(series, first, WINDOWS);
        int common = Arrays.stream(series).mapToInt(s -> s.length).min().orElse(0);
        double runHours = common * intervalHours;
        if (windows.length == 0) {
            return new Stability(
                    UNDECIDED,
                    roughGrowth(series, first, common) / intervalHours,
                    null,
                    Stability.TOO_SHORT,
                    null,
                    null);
        }
        int intervalsPerWindow = (common - first) / windows[0].length;
        double windowHours = intervalsPerWindow * intervalHours;
        Growth growth = Growth.of(windows);
        double perHour = growth.perWindow() / windowHours;
        double half = growth.halfWidth(CONFIDENCE) / windowHours;
        double[][] whole = Growth.windows(series, 0, WINDOWS);
        int growing = growingByThemselves(windows, whole);
        boolean unstable = growing > 0 || grows(growth, whole, RISK);
        double small = SMALL_PART * arrivalsPerHour;
        boolean filling = perHour > half && !lasts(whole);
        double enough = enoughEmptyings(series.length);
        boolean returns = growth.swings() || emptyings >= NOW_AND_THEN || Level.isKept(windows);
        boolean stable = !unstable && (emptyings >= enough || (!filling && perHour + half < small && returns));
        List<Long> disagreeing = growing > 0 && growing < series.length ? finals : null;
        if (unstable || stable) {
            return new Stability(unstable ? UNSTABLE : STABLE, perHour, half, null, null, disagreeing);
        }
        Double telling = filling
                ? whenFull(whole, runHours)
                : whenNarrow(half / Math.max(small, perHour), runHours, growth.swings());
        if (emptyings >= LEAST_EMPTYINGS && enough > emptyings) {
            double emptied = runHours * enough / emptyings;
            telling = telling == null ? emptied : Double.valueOf(Math.min(telling, emptied));
        }
        return new Stability(
                UNDECIDED,
                perHour,
                half,
                filling ? Stability.STILL_FILLING : Stability.TOO_SHORT,
                telling,
                disagreeing);
    }

    /**
     * Length of the run over its longest stretch without an empty queue: a queue that fills by day and empties every
     * night has about one for each day. Stretches are measured in whole intervals, rounded up.
     */
    private static double emptyings(Trajectory queue, int first) {
        int longest = 0;
        int stretch = 0;
        for (int i = first; i < queue.complete(); i++) {
            stretch = queue.min(i) == 0 ? 0 : stretch + 1;
            longest = Math.max(longest, stretch);
        }
        return (queue.complete() - first) / (longest + 2.0);
    }

    /**
     * A queue at load 1 has as many emptyings in each of the replications with a probability of at most {@link #RISK}:
     * the
     * longest excursion of a reflected Brownian motion from 0 is shorter than 1 / y of the run with a probability of
     * nearly 2 exp(-0.854 y) from y = 2 on (Pitman and Yor, The two-parameter Poisson-Dirichlet distribution, Annals of
     * Probability 25, 1997), and an overloaded queue has longer ones.
     */
    private static double enoughEmptyings(int replications) {
        return Math.max(LEAST_EMPTYINGS, (StrictMath.log(2) - StrictMath.log(RISK) / replications) / 0.854);
    }

    private static int growingByThemselves(double[][] windows, double[][] whole) {
        int growing = 0;
        for (int r = 0; r < windows.length; r++) {
            Growth alone = Growth.of(new double[][] {windows[r]});
            growing += grows(alone, new double[][] {whole[r]}, RISK / windows.length) ? 1 : 0;
        }
        return growing;
    }

    private static boolean grows(Growth growth, double[][] whole, double risk) {
        return growth.significant(risk) && lasts(whole);
    }

    /**
     * Growth dominates and does not slow down: the mean queue of the last third exceeds that of the first by at least
     * the mean over the run (4/3 of it for growth from empty), and the gain from the middle to the last third is at
     * least {@link #LASTING} of that from the first to the middle.
     */
    private static boolean lasts(double[][] whole) {
        double[] thirds = thirds(whole);
        double middle = thirds[1] - thirds[0];
        double last = thirds[2] - thirds[1];
        return last > 0 && last >= LASTING * middle && last + middle >= Sample.mean(thirds);
    }

    /** Mean queue in the thirds of the run. */
    private static double[] thirds(double[][] whole) {
        double[] thirds = new double[3];
        for (double[] each : whole) {
            double[] means = Sample.groupMeans(each, 3);
            Arrays.setAll(thirds, i -> thirds[i] + means[i] / whole.length);
        }
        return thirds;
    }

    /**
     * Length of a run in which an exponential start with these gains is long over. If the gains do not fall, the length
     * after which lasting growth is large beside the queue: b + g t has gained its own mean from its first third to its
     * last at t = 6 b / g.
     */
    static @Nullable Double whenFull(double[][] whole, double runHours) {
        double[] thirds = thirds(whole);
        double middle = thirds[1] - thirds[0];
        double last = thirds[2] - thirds[1];
        double runs;
        if (last < middle) {
            runs = last <= 0 ? 0 : TIME_CONSTANTS / 3 / -StrictMath.log(last / middle);
        } else {
            runs = last + middle > 0 ? 4 * (Sample.mean(thirds) / (last + middle) - 0.75) : Double.POSITIVE_INFINITY;
        }
        return named(Math.max(2, runs) * runHours, runHours);
    }

    /**
     * Length of a run whose interval is half as wide as what it has to detect; the width for a mean falls as T^(-1/2),
     * that for a slope as T^(-3/2).
     */
    private static @Nullable Double whenNarrow(double relativeHalf, double runHours, boolean slope) {
        double factor = StrictMath.pow(2 * relativeHalf, slope ? 2.0 / 3 : 2);
        return named(runHours * Math.max(2, factor), runHours);
    }

    private static @Nullable Double named(double hours, double runHours) {
        return hours <= LONGEST * runHours ? hours : null;
    }

    private static double roughGrowth(double[][] series, int first, int common) {
        double growth = 0;
        for (double[] each : series) {
            int steps = common - 1 - first;
            growth += steps < 1 ? 0 : (each[common - 1] - each[first]) / steps / series.length;
        }
        return growth;
    }
}
