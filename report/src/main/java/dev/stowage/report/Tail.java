package dev.stowage.report;

import dev.stowage.sim.result.DistributionRow;
import java.util.List;
import java.util.TreeSet;

/**
 * The share of requests that waited longer than a given time, over all replications together.
 *
 * @param x times above 0, ascending
 * @param share share of requests that waited longer, same length
 * @param positive share that waited at all
 */
record Tail(double[] x, double[] share, double positive) {

    /** Pools the rows, each weighted by its number of requests. Cost: distinct quantiles times rows. */
    static Tail of(List<DistributionRow> rows) {
        TreeSet<Double> times = new TreeSet<>();
        for (DistributionRow row : rows) {
            for (double quantile : row.quantile()) {
                if (quantile > 0) {
                    times.add(quantile);
                }
            }
        }
        double[] x = times.stream().mapToDouble(Double::doubleValue).toArray();
        double[] share = new double[x.length];
        for (int i = 0; i < x.length; i++) {
            share[i] = pooled(rows, x[i]);
        }
        return new Tail(x, share, pooled(rows, 0));
    }

    private static double pooled(List<DistributionRow> rows, double time) {
        double requests = 0;
        double longer = 0;
        for (DistributionRow row : rows) {
            requests += row.count();
            longer += row.count() * longer(row, time);
        }
        return requests == 0 ? 0 : longer / requests;
    }

    /** Between two quantiles the probability is interpolated; at a jump the upper end counts. */
    private static double longer(DistributionRow row, double time) {
        double[] quantile = row.quantile();
        double[] probability = row.probability();
        int above = 0;
        while (above < quantile.length && quantile[above] <= time) {
            above++;
        }
        if (above == quantile.length) {
            return above == 0 ? 0 : 1 - probability[above - 1];
        }
        if (above == 0) {
            return 1 - probability[0];
        }
        double part = (time - quantile[above - 1]) / (quantile[above] - quantile[above - 1]);
        return 1 - (probability[above - 1] + part * (probability[above] - probability[above - 1]));
    }
}
