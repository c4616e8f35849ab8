package dev.stowage.sim.statistics;

import dev.stowage.sim.result.Stability;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Does a queue grow without bound? Judged from its trajectory after the warm-up, over one or several replications.
 *
 * <p>A straight line is fitted to the means of about 100 windows. If what is left swings back to the line (it has no unit
 * root), the slope's interval comes from the residuals with their correlation; if it wanders like the random walk of an
 * overloaded or barely loaded queue, from the increments over 20 long blocks. It is stable if it does not grow and either swings
 * back or empties in every fifth of every replication. See docs/statistics.md for the formulas and the
 * measured false-alarm rate and power.
 */
public final class GrowthTest {
    /** The queue swings around a level. */
    public static final String STABLE = "stable";
    /** The queue grows. */
    public static final String UNSTABLE = "unstable";
    /** The run cannot tell. */
    public static final String UNDECIDED = "undecided";
    /** Nothing ever waited for some time. */
    public static final String NO_QUEUE = "no-queue";

    private static final int WINDOWS = 100;
    private static final int MIN_WINDOWS = 20;
    private static final int MIN_REPLICATIONS = 3;
    private static final int BLOCKS = 20;
    private static final double CONFIDENCE = 0.95;
    private static final double NANOS_PER_HOUR = 3.6e12;

    private GrowthTest() {}

    /**
     * Judges the queue.
     *
     * @param replications trajectories of the queue length, of the same interval width
     * @param warmUpIntervals intervals to leave out at the start
     */
    public static Stability judge(List<Trajectory> replications, int warmUpIntervals) {
        List<double[]> series = new ArrayList<>();
        long longest = 0;
        boolean empties = true;
        for (Trajectory each : replications) {
            int first = Math.min(warmUpIntervals, each.size());
            longest = Math.max(longest, each.maxFrom(first));
            empties &= emptiesInEveryFifth(each, first);
            series.add(each.completeMeansFrom(first));
        }
        return longest == 0
                ? new Stability(NO_QUEUE, 0, null)
                : judge(series, replications.get(0).widthNanos() / NANOS_PER_HOUR, empties);
    }

    /** Judges series of means over equal intervals, each interval lasting {@code intervalHours}. */
    static Stability judge(List<double[]> series, double intervalHours, boolean empties) {
        int common = series.stream().mapToInt(s -> s.length).min().orElse(0);
        if (common < MIN_WINDOWS) {
            return new Stability(UNDECIDED, roughGrowth(series, common) / intervalHours, null);
        }
        int size = Math.max(1, common / WINDOWS);
        int n = common / size;
        double[][] windows = new double[series.size()][];
        Arrays.setAll(windows, r -> Sample.groupMeans(Arrays.copyOf(series.get(r), common), n));
        return judgeWindows(windows, size * intervalHours, empties);
    }

    /** Swings as slow as a day in a run of a few days look like a random walk, unless the queue keeps emptying. */
    private static boolean emptiesInEveryFifth(Trajectory queue, int first) {
        int count = queue.complete() - first;
        for (int fifth = 0; fifth < 5; fifth++) {
            boolean empty = false;
            for (int i = fifth * count / 5; i < (fifth + 1) * count / 5; i++) {
                empty |= queue.min(first + i) == 0;
            }
            if (!empty) {
                return false;
            }
        }
        return true;
    }

    private static Stability judgeWindows(double[][] windows, double windowHours, boolean empties) {
        Line line = Line.fit(windows);
        boolean returns = line.residualsReturn();
        double[] growth = returns ? line.slope(CONFIDENCE) : walk(windows);
        if (returns && windows.length >= MIN_REPLICATIONS) {
            growth[1] = Math.max(growth[1], spreadOfSlopes(windows));
        }
        String verdict = verdict(windows, returns || empties, growth[0], growth[1]);
        return new Stability(verdict, growth[0] / windowHours, growth[1] / windowHours);
    }

    /** Half-width from one slope per replication: the queue may wander around each line more than its residuals tell. */
    private static double spreadOfSlopes(double[][] windows) {
        double[] slopes = new double[windows.length];
        for (int r = 0; r < slopes.length; r++) {
            slopes[r] = Line.fit(new double[][] {windows[r]}).slope(CONFIDENCE)[0];
        }
        int n = slopes.length;
        double error = Math.sqrt(Sample.sumOfSquares(slopes, Sample.mean(slopes)) / (n - 1) / n);
        return StudentT.twoSided(CONFIDENCE, n - 1) * error;
    }

    private static String verdict(double[][] windows, boolean swings, double growth, double halfWidth) {
        boolean grows = growth > halfWidth;
        if (grows && persists(windows) && isLarge(windows, growth)) {
            return UNSTABLE;
        }
        return swings && !grows ? STABLE : UNDECIDED;
    }

    /** The last third gained on the middle at least half of what the middle gained on the first: not a start that levels off. */
    private static boolean persists(double[][] windows) {
        double[] thirds = new double[3];
        for (double[] each : windows) {
            double[] means = Sample.groupMeans(each, 3);
            for (int i = 0; i < 3; i++) {
                thirds[i] += means[i];
            }
        }
        return thirds[2] > thirds[1] && thirds[2] - thirds[1] >= (thirds[1] - thirds[0]) / 2;
    }

    /** Growth over the run is more than a third of the mean queue; growth from empty would be twice the mean. */
    private static boolean isLarge(double[][] windows, double growthPerWindow) {
        double mean = 0;
        for (double[] each : windows) {
            mean += Sample.mean(each) / windows.length;
        }
        return growthPerWindow * windows[0].length > mean / 3;
    }

    /** Growth per window and half-width of a random walk with drift: increments over 20 blocks of all replications. */
    private static double[] walk(double[][] windows) {
        int last = windows[0].length - 1;
        double[] increments = new double[windows.length * BLOCKS];
        for (int r = 0; r < windows.length; r++) {
            for (int b = 0; b < BLOCKS; b++) {
                int from = b * last / BLOCKS;
                int to = (b + 1) * last / BLOCKS;
                increments[r * BLOCKS + b] = windows[r][to] - windows[r][from];
            }
        }
        double windowsPerBlock = (double) last / BLOCKS;
        double mean = Sample.mean(increments);
        int n = increments.length;
        double error = Math.sqrt(Sample.sumOfSquares(increments, mean) / (n - 1) / n);
        return new double[] {mean / windowsPerBlock, StudentT.twoSided(CONFIDENCE, n - 1) * error / windowsPerBlock};
    }

    private static double roughGrowth(List<double[]> series, int common) {
        double growth = 0;
        for (double[] each : series) {
            growth += common < 2 ? 0 : (each[common - 1] - each[0]) / (common - 1) / series.size();
        }
        return growth;
    }
}
