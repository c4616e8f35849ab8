package dev.stowage.sim.statistics;

/** Moments of a short series of doubles, in two passes, in index order. */
final class Sample {
    private Sample() {}

    static double mean(double[] x) {
        double sum = 0;
        for (double v : x) {
            sum += v;
        }
        return sum / x.length;
    }

    static double sumOfSquares(double[] x, double center) {
        double sum = 0;
        for (double v : x) {
            sum += (v - center) * (v - center);
        }
        return sum;
    }

    /** Sum of products of neighbours, after subtracting {@code center} from each. */
    static double sumOfNeighbours(double[] x, double center) {
        double sum = 0;
        for (int i = 1; i < x.length; i++) {
            sum += (x[i - 1] - center) * (x[i] - center);
        }
        return sum;
    }

    static double sumOfSquaredSteps(double[] x) {
        double sum = 0;
        for (int i = 1; i < x.length; i++) {
            sum += (x[i] - x[i - 1]) * (x[i] - x[i - 1]);
        }
        return sum;
    }

    /**
     * Means of {@code count} groups of {@code x.length / count} neighbours; the remainder is dropped from the front.
     */
    static double[] groupMeans(double[] x, int count) {
        int size = x.length / count;
        int first = x.length - size * count;
        double[] means = new double[count];
        for (int i = 0; i < size * count; i++) {
            means[i / size] += x[first + i];
        }
        for (int i = 0; i < count; i++) {
            means[i] /= size;
        }
        return means;
    }
}
