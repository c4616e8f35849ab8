package dev.stowage.policies.reservation;

import dev.stowage.core.policy.View;

/**
 * The part of the cluster that must stay free when a request of a type is accepted: given for each type, or
 * {@code reserve} (1 - d_j / d_max), where d_j is the reward of type j divided by the largest part of the cluster's
 * resources that it demands. So the type that pays best may take everything. Requests without a type use the strictest
 * threshold.
 */
final class Thresholds {
    private final double[] given;
    private final double reserve;
    private double[] part = {};
    private double strictest;

    /**
     * Thresholds.
     *
     * @param given per type; empty to compute them from rewards
     * @param reserve threshold of a type that pays nothing, if computed from rewards
     */
    Thresholds(double[] given, double reserve) {
        this.given = given.clone();
        this.reserve = reserve;
    }

    /**
     * Computes the thresholds for a cluster.
     *
     * @param capacity per resource, of all servers
     * @throws IllegalArgumentException if there are not as many thresholds as types
     */
    void fit(View view, long[] capacity) {
        int types = view.types();
        if (given.length > 0 && given.length != types) {
            throw new IllegalArgumentException("parameter thresholds has " + given.length + " numbers, the cluster has "
                    + types + " request types; give one for each, in their order");
        }
        part = given.length > 0 ? given : byReward(view, capacity);
        strictest = given.length > 0 ? 0 : reserve;
        for (double each : part) {
            strictest = Math.max(strictest, each);
        }
    }

    private double[] byReward(View view, long[] capacity) {
        double[] density = new double[view.types()];
        double densest = 0;
        for (int type = 0; type < density.length; type++) {
            double dominant = 0;
            for (int r = 0; r < capacity.length; r++) {
                dominant = Math.max(dominant, (double) view.typeDemand(type, r) / Math.max(1, capacity[r]));
            }
            density[type] = dominant > 0 ? view.typeReward(type) / dominant : 0;
            densest = Math.max(densest, density[type]);
        }
        for (int type = 0; type < density.length; type++) {
            density[type] = densest > 0 ? reserve * (1 - density[type] / densest) : 0;
        }
        return density;
    }

    /** The part for a type, or for a request without one. */
    double of(int type) {
        return type == View.NONE ? strictest : part[type];
    }
}
