package dev.stowage.optimize.bound;

import java.util.List;

/**
 * The largest utilization, minimised over all routings and packings in the long run. {@code lower <= rho <= upper},
 * both rounded outwards and each with its proof: {@code table} and {@code shares} keep every utilization at
 * {@code upper} or below; the prices prove that no routing keeps all of them below {@code lower}.
 *
 * @param lower the sum of what each type costs at the prices where it is cheapest, over the worth of all servers and
 *     pools
 * @param upper largest utilization of the routing table and the shares
 * @param misfits classes of demand with a load that may run in no block: if there are any, both bounds are infinite
 * @param table mean number in service by class of demand (type, where none is limited) and block
 * @param shares configurations of the blocks, and how many servers hold them on average
 * @param servers part of the servers in use, by block
 * @param pools part of each pool in use, by site and pool
 * @param rounds number of pricing rounds
 */
public record RoutingLimit(
        double lower,
        double upper,
        List<Integer> misfits,
        double[][] table,
        List<SupportableLoad.Share> shares,
        double[] servers,
        double[][] pools,
        int rounds) {
    /** Unmodifiable. */
    public RoutingLimit {
        misfits = List.copyOf(misfits);
        shares = List.copyOf(shares);
    }
}
