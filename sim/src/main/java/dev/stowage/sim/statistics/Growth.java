package dev.stowage.sim.statistics;

import java.util.Arrays;

/**
 * Growth per window of one or several series of equal length (replications), with its error. Where the series swing
 * back to a straight line (they have no unit root), the growth is the line's slope and its error comes from the
 * residuals with their correlation; where they wander as an overloaded or barely loaded queue does, it is the mean
 * increment over 20 long blocks. See docs/statistics.md.
 */
final class Growth {
    private static final int BLOCKS = 20;
    /** With fewer replications the spread is not used. */
    private static final int MIN_REPLICATIONS = 3;
    /** From this many replications on only their spread is used. */
    private static final int ENOUGH_REPLICATIONS = 10;
    /** Mean of the growth of a queue at load 1 that starts empty, in its own standard errors: |N(0, 1)|. */
    private static final double CRITICAL_MEAN = Math.sqrt(2 / Math.PI);
    /** The factor by which Student's t, of 20 increments per replication, is too small for the tail of that growth. */
    private static final double CRITICAL_TAIL = 1.05;

    /**
     * Three times the mean for random walks: the run is then at least 15 times as long as the memory of the series.
     */
    private static final double SETTLED = 30;
    /** A smaller part of residuals is rounding error. */
    private static final double NOTHING = 1e-20;

    private final FittedLine line;
    /** Through means of a twentieth of the series: a wave hides a random walk below it, but not over longer times. */
    private final FittedLine coarse;

    private final int windowsPerMean;
    private final boolean swings;
    private final double[] each;
    private final double[] increments;
    private final double windowsPerBlock;
    private final double perWindow;

    private Growth(double[][] windows) {
        line = FittedLine.fit(windows);
        double[][] means = new double[windows.length][];
        Arrays.setAll(means, r -> Sample.groupMeans(windows[r], BLOCKS));
        coarse = FittedLine.fit(means);
        windowsPerMean = windows[0].length / BLOCKS;
        swings = line.residualsReturn() && (coarse.squares() <= NOTHING * line.squares() || coarse.residualsReturn());
        int last = windows[0].length - 1;
        windowsPerBlock = (double) last / BLOCKS;
        increments = new double[windows.length * BLOCKS];
        each = new double[windows.length];
        for (int r = 0; r < each.length; r++) {
            for (int b = 0; b < BLOCKS; b++) {
                increments[r * BLOCKS + b] = windows[r][(b + 1) * last / BLOCKS] - windows[r][b * last / BLOCKS];
            }
            each[r] = swings ? line.slopes()[r] : (windows[r][last] - windows[r][0]) / last;
        }
        perWindow = Sample.mean(each);
    }

    /**
     * Growth of series of window means.
     *
     * @param windows by replication, of equal length, at least 20 each
     */
    static Growth of(double[][] windows) {
        return new Growth(windows);
    }

    /** Mean growth per window. */
    double perWindow() {
        return perWindow;
    }

    /** Whether the series swing around the line rather than wander. */
    boolean swings() {
        return swings;
    }

    /**
     * Half-width of the interval of the growth. The spread between replications is a floor from 3 of them on, because
     * the drift may differ from one to the other; 10 replications need nothing else.
     */
    double halfWidth(double confidence) {
        if (each.length >= ENOUGH_REPLICATIONS) {
            return spread(confidence);
        }
        double within =
                swings ? lineHalfWidth(confidence) : StudentT.twoSided(confidence, increments.length - 1) * walkError();
        return each.length >= MIN_REPLICATIONS ? Math.max(within, spread(confidence)) : within;
    }

    /**
     * Whether a queue that is not overloaded would grow so with a probability of at most {@code risk}. Unless the run
     * is much longer than its memory, it is compared with a queue at load 1 that starts empty: the growth of that one
     * is not 0 but that of a reflected Brownian motion.
     */
    boolean significant(double risk) {
        if (settled()) {
            double floor = each.length >= MIN_REPLICATIONS ? spread(1 - 2 * risk) : 0;
            return perWindow > Math.max(floor, lineHalfWidth(1 - 2 * risk));
        }
        double critical = CRITICAL_MEAN * (Math.sqrt(each.length) - 1)
                + CRITICAL_TAIL * StudentT.twoSided(1 - risk, increments.length - 1);
        return perWindow > critical * walkError() && perWindow > halfWidth(0.95);
    }

    private boolean settled() {
        return swings && line.residualsReturn(SETTLED);
    }

    private double lineHalfWidth(double confidence) {
        return Math.max(line.halfWidth(confidence), coarse.halfWidth(confidence) / windowsPerMean);
    }

    private double spread(double confidence) {
        int n = each.length;
        double error = Math.sqrt(Sample.sumOfSquares(each, perWindow) / (n - 1) / n);
        return StudentT.twoSided(confidence, n - 1) * error;
    }

    private double walkError() {
        int n = increments.length;
        double squares = Sample.sumOfSquares(increments, Sample.mean(increments));
        return Math.sqrt(squares / (n - 1) / n) / windowsPerBlock;
    }

    /**
     * Means of about 100 windows of each series, from interval {@code first} on; empty if there are fewer than 20
     * intervals.
     */
    static double[][] windows(double[][] series, int first, int most) {
        int common = Arrays.stream(series).mapToInt(s -> s.length).min().orElse(0) - first;
        if (common < BLOCKS) {
            return new double[0][];
        }
        int size = Math.max(1, common / most);
        double[][] windows = new double[series.length][];
        Arrays.setAll(
                windows, r -> Sample.groupMeans(Arrays.copyOfRange(series[r], first, first + common), common / size));
        return windows;
    }
}
