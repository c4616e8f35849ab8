package dev.stowage.sim.statistics;

import java.util.Arrays;

/** A straight line through each of several series of equal length, fitted by least squares, and the residuals. */
final class FittedLine {
    private final double[] slopes;
    private final double[][] residuals;

    private FittedLine(double[] slopes, double[][] residuals) {
        this.slopes = slopes;
        this.residuals = residuals;
    }

    static FittedLine fit(double[][] series) {
        double[][] residuals = new double[series.length][];
        double[] slopes = new double[series.length];
        for (int r = 0; r < series.length; r++) {
            slopes[r] = slope(series[r]);
            residuals[r] = residuals(series[r], slopes[r]);
        }
        return new FittedLine(slopes, residuals);
    }

    /** Slope per step of each series. */
    double[] slopes() {
        return slopes;
    }

    /** Whether the residuals return to the line rather than wander like a random walk (Sargan and Bhargava's test). */
    boolean residualsReturn() {
        return residualsReturn(unitRootLimit(residuals.length));
    }

    /**
     * Whether n * (sum of squared steps) / (sum of squares) of the residuals reaches a limit; for random walks the mean
     * is 10.
     */
    boolean residualsReturn(double limit) {
        double steps = 0;
        for (double[] each : residuals) {
            steps += Sample.sumOfSquaredSteps(each);
        }
        return steps * length() >= limit * squares();
    }

    /**
     * The limit that n * (sum of squared steps) / (sum of squares) of the detrended interval means of Brownian motions
     * stays below with a probability of at least 0.99, from simulated paths: 37.1, 26.7, 22.4, 19.0, 15.8, 14.1 for 1,
     * 2, 3, 5, 10, 20 of them together, nearly the same for n = 50 to 250; in the limit (2/3) / (1/15) = 10.
     */
    static double unitRootLimit(int paths) {
        return 10 + 28 / Math.sqrt(paths);
    }

    /** Sum of squares of all residuals. */
    double squares() {
        double squares = 0;
        for (double[] each : residuals) {
            squares += Sample.sumOfSquares(each, 0);
        }
        return squares;
    }

    /** Half-width of the mean slope, with the residuals taken as first-order autoregressive. */
    double halfWidth(double confidence) {
        int n = length();
        int count = residuals.length;
        double squares = squares();
        double neighbours = 0;
        for (double[] each : residuals) {
            neighbours += Sample.sumOfNeighbours(each, 0);
        }
        double correlation = squares == 0 ? 0 : neighbours / squares + 2.0 / n;
        double inflation = Intervals.varianceInflation(correlation);
        double timeSquares = n * ((double) n * n - 1) / 12;
        double variance = squares / (count * (n - 2.0)) / timeSquares * inflation / count;
        double freedom = Math.max(1, count * (n / inflation - 2));
        return StudentT.twoSided(confidence, freedom) * Math.sqrt(variance);
    }

    private int length() {
        return residuals[0].length;
    }

    private static double slope(double[] x) {
        double center = (x.length - 1) / 2.0;
        double sum = 0;
        for (int i = 0; i < x.length; i++) {
            sum += (i - center) * x[i];
        }
        return sum / (x.length * ((double) x.length * x.length - 1) / 12);
    }

    private static double[] residuals(double[] x, double slope) {
        double mean = Sample.mean(x);
        double center = (x.length - 1) / 2.0;
        double[] residuals = new double[x.length];
        Arrays.setAll(residuals, i -> x[i] - mean - slope * (i - center));
        return residuals;
    }
}
