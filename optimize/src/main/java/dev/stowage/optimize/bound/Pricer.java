package dev.stowage.optimize.bound;

import dev.stowage.optimize.configuration.Knapsack;

/** Finds heavy configurations of a server, with a proof. */
interface Pricer {
    /**
     * A heaviest configuration, or one within a tolerance of it.
     *
     * @param weight per type; types of weight 0 or less are not used
     * @param tolerance relative; 0 for exact
     * @param counts receives the configuration
     * @return an upper bound of the weight of every configuration
     */
    long best(long[] weight, double tolerance, int[] counts);

    /**
     * A pricer for a server: a table if there is one resource with few distinct amounts, otherwise branch and bound.
     */
    static Pricer of(long[] capacity, long[][] demand) {
        if (capacity.length == 1) {
            long unit = OneResource.unit(capacity[0], demand);
            if (capacity[0] / unit <= OneResource.MOST_AMOUNTS) {
                OneResource table = new OneResource(capacity[0], demand, unit);
                return (weight, tolerance, counts) -> table.best(weight, counts);
            }
        }
        Knapsack knapsack = new Knapsack(capacity, demand);
        return (weight, tolerance, counts) ->
                tolerance > 0 ? knapsack.nearlyBest(weight, tolerance, counts) : knapsack.best(weight, counts);
    }
}
