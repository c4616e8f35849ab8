package dev.stowage.sim.workload;

import dev.stowage.core.random.KeyedRandom;

/** Finitely many values with weights. */
final class Discrete implements Distribution {
    private final WeightedChoice choice;
    private final double[] values;

    Discrete(double[] values, double[] weights) {
        Parameters.sameLength("values", values, "weights", weights);
        for (int i = 0; i < values.length; i++) {
            Parameters.nonnegative("values[" + i + "]", values[i]);
        }
        this.choice = new WeightedChoice(weights);
        this.values = values.clone();
    }

    @Override
    public double sample(KeyedRandom random) {
        return values[choice.choose(random.nextDouble())];
    }

    @Override
    public double atMost(double x) {
        return choice.average(i -> values[i] <= x ? 1 : 0);
    }

    @Override
    public double mean() {
        return choice.average(i -> values[i]);
    }

    @Override
    public boolean whole() {
        for (double value : values) {
            if (value != StrictMath.rint(value)) {
                return false;
            }
        }
        return true;
    }
}
