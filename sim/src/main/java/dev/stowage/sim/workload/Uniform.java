package dev.stowage.sim.workload;

import dev.stowage.core.random.KeyedRandom;

/** Uniform between two bounds. */
record Uniform(double low, double high) implements Distribution {
    Uniform {
        Parameters.nonnegative("low", low);
        Parameters.atLeast("high", high, low);
    }

    @Override
    public double sample(KeyedRandom random) {
        return low + (high - low) * random.nextDouble();
    }

    @Override
    public double atMost(double x) {
        return x < low ? 0 : x >= high ? 1 : (x - low) / (high - low);
    }

    @Override
    public double mean() {
        return low + (high - low) / 2;
    }
}
