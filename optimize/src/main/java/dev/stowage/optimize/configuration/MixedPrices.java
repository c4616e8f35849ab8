package dev.stowage.optimize.configuration;

/**
 * Prices of the resources that make the fractional bound of a knapsack tight: the bound is the cost of the whole
 * capacity times the greatest weight per price. Any prices give a valid bound; these come near the least bound by
 * raising the prices of the resources that the best type uses most.
 */
final class MixedPrices {
    private static final int ROUNDS = 30;

    private final long[] capacity;
    private final long[][] demand;
    private final double[] trial;

    MixedPrices(long[] capacity, long[][] demand) {
        this.capacity = capacity;
        this.demand = demand;
        this.trial = new double[capacity.length];
    }

    /** Writes the prices for the first {@code used} types of {@code types} into {@code prices}. */
    void fit(long[] weight, int[] types, int used, double[] prices) {
        for (int r = 0; r < trial.length; r++) {
            trial[r] = 1.0 / Math.max(1, capacity[r]);
            prices[r] = trial[r];
        }
        double least = Double.POSITIVE_INFINITY;
        for (int round = 1; round <= ROUNDS && used > 0; round++) {
            int dearest = best(weight, types, used);
            double bound = perPrice(weight[dearest], demand[dearest], trial) * worth();
            if (bound < least) {
                least = bound;
                System.arraycopy(trial, 0, prices, 0, trial.length);
            }
            raise(demand[dearest], 1.0 / (1 + round / 3.0));
        }
    }

    /** Weight per price of a demand; infinite where it costs nothing. */
    static double perPrice(long weight, long[] demand, double[] price) {
        double cost = 0;
        for (int r = 0; r < price.length; r++) {
            cost += price[r] * demand[r];
        }
        return cost > 0 ? weight / cost : Double.POSITIVE_INFINITY;
    }

    private int best(long[] weight, int[] types, int used) {
        int best = types[0];
        for (int i = 1; i < used; i++) {
            if (perPrice(weight[types[i]], demand[types[i]], trial) > perPrice(weight[best], demand[best], trial)) {
                best = types[i];
            }
        }
        return best;
    }

    private double worth() {
        double sum = 0;
        for (int r = 0; r < trial.length; r++) {
            sum += trial[r] * capacity[r];
        }
        return sum;
    }

    /** Raises the price of each resource by its part of what the demand uses. */
    private void raise(long[] used, double by) {
        double dominant = 0;
        for (int r = 0; r < trial.length; r++) {
            dominant = Math.max(dominant, (double) used[r] / Math.max(1, capacity[r]));
        }
        for (int r = 0; r < trial.length; r++) {
            trial[r] *= 1 + by * ((double) used[r] / Math.max(1, capacity[r])) / dominant;
        }
    }
}
