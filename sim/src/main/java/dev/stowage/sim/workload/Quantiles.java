package dev.stowage.sim.workload;

import dev.stowage.core.random.KeyedRandom;
import java.util.Arrays;

/** Piecewise linear quantile function. */
final class Quantiles implements Distribution {
    private final double[] probabilities;
    private final double[] values;

    Quantiles(double[] probabilities, double[] values) {
        Parameters.sameLength("probabilities", probabilities, "values", values);
        this.probabilities = probabilities.clone();
        this.values = values.clone();
        int last = values.length - 1;
        Parameters.check(last >= 1, "number of quantiles", values.length, "at least 2 (of probabilities 0 and 1)");
        Parameters.check(probabilities[0] == 0, "probabilities[0]", probabilities[0], "0");
        Parameters.check(probabilities[last] == 1, "probabilities[" + last + "]", probabilities[last], "1");
        Parameters.nonnegative("values[0]", values[0]);
        for (int i = 1; i <= last; i++) {
            Parameters.check(
                    probabilities[i] > probabilities[i - 1],
                    "probabilities[" + i + "]",
                    probabilities[i],
                    "above the one before it, " + probabilities[i - 1]);
            Parameters.atLeast("values[" + i + "]", values[i], values[i - 1]);
        }
    }

    @Override
    public double sample(KeyedRandom random) {
        return quantile(random.nextDouble());
    }

    /** The value that a draw exceeds with probability 1 - {@code probability}, 0 to 1. */
    double quantile(double probability) {
        int found = Arrays.binarySearch(probabilities, probability);
        if (found >= 0) {
            return values[found];
        }
        int above = -found - 1;
        double share = (probability - probabilities[above - 1]) / (probabilities[above] - probabilities[above - 1]);
        return values[above - 1] + share * (values[above] - values[above - 1]);
    }

    @Override
    public double atMost(double x) {
        int last = values.length - 1;
        if (x < values[0] || x >= values[last]) {
            return x < values[0] ? 0 : 1;
        }
        int above = last;
        while (values[above - 1] > x) {
            above--;
        }
        double share = (x - values[above - 1]) / (values[above] - values[above - 1]);
        return probabilities[above - 1] + share * (probabilities[above] - probabilities[above - 1]);
    }

    @Override
    public double mean() {
        double sum = 0;
        for (int i = 1; i < values.length; i++) {
            sum += (probabilities[i] - probabilities[i - 1]) * (values[i] + values[i - 1]) / 2;
        }
        return sum;
    }
}
