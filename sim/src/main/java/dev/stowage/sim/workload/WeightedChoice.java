package dev.stowage.sim.workload;

import java.util.function.IntToDoubleFunction;

/**
 * Choice of an index with a probability in proportion to its weight: inversion, logarithmic in the number of indexes.
 */
final class WeightedChoice {
    private final double[] upTo;

    /** Weights are at least 0 and finite, one of them positive. */
    WeightedChoice(double... weights) {
        upTo = new double[weights.length];
        double sum = 0;
        for (int i = 0; i < weights.length; i++) {
            sum += Parameters.nonnegative("weights[" + i + "]", weights[i]);
            upTo[i] = sum;
        }
        Parameters.positive("sum of the weights", sum);
    }

    double total() {
        return upTo[upTo.length - 1];
    }

    /** The first index whose cumulative weight exceeds {@code uniform}'s share of the total; never one of weight 0. */
    int choose(double uniform) {
        double target = uniform * total();
        int low = 0;
        int high = upTo.length - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (upTo[middle] > target) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        // the last weights can be zero only if rounding made the target equal to the total
        while (low > 0 && upTo[low] == upTo[low - 1]) {
            low--;
        }
        return low;
    }

    /** Average of a function of the index. */
    double average(IntToDoubleFunction function) {
        double sum = 0;
        double before = 0;
        for (int i = 0; i < upTo.length; i++) {
            sum += (upTo[i] - before) * function.applyAsDouble(i);
            before = upTo[i];
        }
        return sum / total();
    }
}
