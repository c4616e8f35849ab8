package dev.stowage.study.size;

import dev.stowage.optimize.bound.CheapestServers;
import java.util.List;

/**
 * What a run needs at least, whatever happens at single moments: what {@link RunWork} concludes from some prices.
 *
 * @param evidence prices, without moments
 * @param perReward weight of a micro-unit of reward an hour; 0 where no reward is required
 * @param pays what requests earn, where a reward is required
 * @param arithmetic worth, what is earned beyond the prices as what is left out, and that of the servers
 */
record RunNeed(
        Evidence evidence, long perReward, List<BoundCertificate.Pay> pays, BoundCertificate.Arithmetic arithmetic) {
    /** The fewest servers of a list. */
    long level(ServerFleet fleet) {
        return arithmetic.level(fleet, ServerFleet.Loss.NONE);
    }

    /** What a unit of what is needed costs at least. */
    private double perWorth(double[] price) {
        double least = Double.POSITIVE_INFINITY;
        for (int l = 0; l < price.length; l++) {
            double each = arithmetic.each().get(l).doubleValue();
            least = each > 0 ? Math.min(least, price[l] / each) : least;
        }
        return least;
    }

    /** The least cost of servers of kinds with these prices. */
    double cost(double[] price) {
        double worth = arithmetic.worth().subtract(arithmetic.leftOut()).doubleValue();
        return worth > 0 && perWorth(price) < Double.POSITIVE_INFINITY ? worth * perWorth(price) : 0;
    }

    /** That cost as an answer: servers of the kind that holds most for its price, in parts. */
    CheapestServers.LeastCost least(double[] price) {
        double[] servers = new double[price.length];
        double[] worth = new double[price.length];
        int best = 0;
        for (int l = 0; l < price.length; l++) {
            worth[l] = arithmetic.each().get(l).doubleValue() * perWorth(price);
            best = worth[l] / price[l] > worth[best] / price[best] ? l : best;
        }
        servers[best] = cost(price) / price[best];
        return new CheapestServers.LeastCost(
                cost(price),
                cost(price),
                servers,
                worth,
                new double[0],
                new CheapestServers.Weights(new long[0], new long[price.length]));
    }
}
