package dev.stowage.optimize.bound;

import java.util.List;

/**
 * How far a load may grow: the greatest zeta such that zeta times the load is in the capacity region. {@code lower <=
 * zeta <= upper}, both rounded outwards and each with its proof: the shares serve {@code lower} times the load; the
 * prices prove that no policy serves more than {@code upper} times the load.
 *
 * @param lower the shares of configurations serve this multiple of the load
 * @param upper sum over server classes of servers times the heaviest configuration at the prices, over the load's worth
 * @param prices shadow price per type, whole numbers of an arbitrary unit
 * @param shares configurations and how many servers of a class hold them on average
 * @param misfits types with a load that fit no server: if there are any, both bounds are 0
 * @param rounds number of pricing rounds
 */
public record SupportableLoad(
        double lower, double upper, long[] prices, List<Share> shares, List<Integer> misfits, int rounds) {
    /**
     * A configuration in use.
     *
     * @param serverClass index of the class of servers
     * @param counts requests per type in a server
     * @param servers mean number of servers with this configuration
     */
    public record Share(int serverClass, int[] counts, double servers) {}

    /** Unmodifiable. */
    public SupportableLoad {
        shares = List.copyOf(shares);
        misfits = List.copyOf(misfits);
    }

    /** Middle of the two bounds. */
    public double estimate() {
        return lower + (upper - lower) / 2;
    }

    /** Difference of the bounds, relative to the upper one. */
    public double gap() {
        return upper > lower ? (upper - lower) / upper : 0;
    }
}
