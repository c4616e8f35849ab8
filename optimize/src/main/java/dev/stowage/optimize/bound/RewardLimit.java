package dev.stowage.optimize.bound;

import java.util.List;

/**
 * The greatest reward rate that any policy can have in the long run.
 * {@code lower <= optimum of the linear program <= upper}, both rounded outwards and each with its proof: the shares
 * earn {@code lower}; the prices prove that no policy earns more than {@code upper}.
 *
 * @param lower the shares of configurations earn this, in the unit of the rewards
 * @param upper sum of load times the reward of a request beyond its price, plus servers times the value of the dearest
 *     configuration
 * @param prices price per type of a slot, in the unit of the rewards
 * @param shares configurations and how many servers of a class hold them on average
 * @param rounds number of pricing rounds
 */
public record RewardLimit(double lower, double upper, double[] prices, List<SupportableLoad.Share> shares, int rounds) {
    /** Unmodifiable. */
    public RewardLimit {
        shares = List.copyOf(shares);
    }
}
