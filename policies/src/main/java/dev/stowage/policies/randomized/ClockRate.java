package dev.stowage.policies.randomized;

import java.util.Arrays;

/**
 * Rate of the clock of a queue: exp(f(Q)) with f(x) = (log(scale (1 + x)))^exponent, ticks per unit of time. Exponent 1
 * and scale 10 are the paper's f, and the rate is 10 (1 + Q); the theory asks for f = o(log x), which is any exponent
 * below 1.
 */
final class ClockRate {
    private final double scale;
    private final double exponent;
    private double[] known = new double[64];

    ClockRate(double scale, double exponent) {
        this.scale = scale;
        this.exponent = exponent;
        fill(0);
    }

    double of(int queueLength) {
        if (queueLength >= known.length) {
            int from = known.length;
            known = Arrays.copyOf(known, Math.max(queueLength + 1, 2 * from));
            fill(from);
        }
        return known[queueLength];
    }

    private void fill(int from) {
        for (int x = from; x < known.length; x++) {
            double linear = scale * (1.0 + x);
            known[x] = exponent == 1 ? linear : StrictMath.exp(StrictMath.pow(StrictMath.log(linear), exponent));
        }
    }
}
