package dev.stowage.sim.workload;

import dev.stowage.core.random.KeyedRandom;

/** Always the same value. */
record Deterministic(double value) implements Distribution {
    Deterministic {
        Parameters.nonnegative("value", value);
    }

    @Override
    public double sample(KeyedRandom random) {
        return value;
    }

    @Override
    public double atMost(double x) {
        return x >= value ? 1 : 0;
    }

    @Override
    public double mean() {
        return value;
    }

    @Override
    public boolean whole() {
        return value == StrictMath.rint(value);
    }
}
