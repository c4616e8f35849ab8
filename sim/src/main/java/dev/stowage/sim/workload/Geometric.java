package dev.stowage.sim.workload;

import dev.stowage.core.random.KeyedRandom;

/** Geometric on {1, 2, ...}: the exponential that falls below 1 - p at every step, rounded up. */
record Geometric(double mean) implements Distribution {
    Geometric {
        Parameters.atLeast("mean of a geometric distribution on {1, 2, ...}", mean, 1);
    }

    @Override
    public double sample(KeyedRandom random) {
        double exponential = random.nextExponential();
        // with mean 1 this divides by infinity, and the smallest value is the only one
        return StrictMath.max(1, StrictMath.ceil(exponential / -StrictMath.log1p(-1 / mean)));
    }

    @Override
    public double atMost(double x) {
        return x < 1 ? 0 : -StrictMath.expm1(StrictMath.floor(x) * StrictMath.log1p(-1 / mean));
    }

    @Override
    public boolean whole() {
        return true;
    }
}
