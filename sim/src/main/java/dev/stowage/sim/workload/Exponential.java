package dev.stowage.sim.workload;

import dev.stowage.core.random.KeyedRandom;

/** Exponential. */
record Exponential(double mean) implements Distribution {
    Exponential {
        Parameters.positive("mean", mean);
    }

    @Override
    public double sample(KeyedRandom random) {
        return mean * random.nextExponential();
    }

    @Override
    public double atMost(double x) {
        return x <= 0 ? 0 : -StrictMath.expm1(-x / mean);
    }
}
