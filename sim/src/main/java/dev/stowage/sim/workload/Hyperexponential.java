package dev.stowage.sim.workload;

import dev.stowage.core.random.KeyedRandom;

/** Mixture of exponentials. Takes two uniform numbers: the phase, then the time. */
final class Hyperexponential implements Distribution {
    private final WeightedChoice phases;
    private final double[] means;

    Hyperexponential(double[] weights, double[] means) {
        Parameters.sameLength("weights", weights, "means", means);
        for (int i = 0; i < means.length; i++) {
            Parameters.positive("means[" + i + "]", means[i]);
        }
        this.phases = new WeightedChoice(weights);
        this.means = means.clone();
    }

    @Override
    public double sample(KeyedRandom random) {
        return means[phases.choose(random.nextDouble())] * random.nextExponential();
    }

    @Override
    public double atMost(double x) {
        return x <= 0 ? 0 : phases.average(i -> -StrictMath.expm1(-x / means[i]));
    }

    @Override
    public double mean() {
        return phases.average(i -> means[i]);
    }
}
