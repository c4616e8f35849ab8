package dev.stowage.sim.workload;

import dev.stowage.core.random.KeyedRandom;

/** Weibull. */
record Weibull(double shape, double scale) implements Distribution {
    Weibull {
        Parameters.check(
                shape >= 0.05 && shape <= 1000, "shape of a Weibull distribution", shape, "between 0.05 and 1000");
        Parameters.positive("scale", scale);
    }

    @Override
    public double sample(KeyedRandom random) {
        return scale * StrictMath.pow(random.nextExponential(), 1 / shape);
    }

    @Override
    public double atMost(double x) {
        return x <= 0 ? 0 : -StrictMath.expm1(-StrictMath.pow(x / scale, shape));
    }

    @Override
    public double mean() {
        return scale * StrictMath.exp(LogGamma.of(1 + 1 / shape));
    }
}
