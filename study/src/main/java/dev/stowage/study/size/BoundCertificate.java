package dev.stowage.study.size;

import java.math.BigInteger;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a bound follows from, in whole numbers, so that another program can check it: see docs/sizing.md.
 *
 * @param format of this record
 * @param says in words
 * @param requirement that decides
 * @param resources in the order of all amounts, named as the columns of the trace
 * @param together whether servers are those of a list, whichever of it; else each kind has its price
 * @param kinds of servers
 * @param run when it ends
 * @param requests of the run that count, before those are left out that fit no server
 * @param fitNone of them
 * @param allowed how many of those that fit may miss the requirement
 * @param laterNanos from its arrival until a request is certain to be there
 * @param spare so many servers may be lost at the moment
 * @param spareSite whether any site may be lost then
 * @param perReward where a reward is required, the weight of a micro-unit of it an hour; else 0
 * @param pays where a reward is required, what requests earn
 * @param evidence prices
 * @param arithmetic what follows from them
 * @param serversAtLeast no policy does with fewer; 0 where the kinds have prices
 * @param costAtLeast no policy does for less; 0 where they have none
 */
public record BoundCertificate(
        String format,
        String says,
        Required requirement,
        List<String> resources,
        boolean together,
        List<Kind> kinds,
        Run run,
        long requests,
        long fitNone,
        long allowed,
        long laterNanos,
        long spare,
        boolean spareSite,
        long perReward,
        List<Pay> pays,
        Evidence evidence,
        Arithmetic arithmetic,
        long serversAtLeast,
        double costAtLeast) {
    /**
     * What is required.
     *
     * @param kind {@code missed}, {@code mean_wait}, {@code waiting}, {@code reward} or {@code stable}
     * @param type of requests, or what stands before the shapes of several; empty for all
     * @param shape what each request of it demands, where that is one thing; empty elsewhere
     * @param partPerMillion that may miss it
     * @param withinNanos the latest start, or the mean wait; null where a request may wait for ever
     * @param limit of waiting requests; of a reward, micro-units an hour
     */
    public record Required(
            String kind,
            String type,
            List<Long> shape,
            long partPerMillion,
            @Nullable Long withinNanos,
            double limit) {}

    /**
     * What requests earn while they run.
     *
     * @param demand of them
     * @param type of them
     * @param micros micro-units an hour
     */
    public record Pay(List<Long> demand, String type, long micros) {}

    /**
     * A kind of server.
     *
     * @param site where they are
     * @param count how many the list has; where they have prices 1
     * @param stay how many are there anyway
     */
    public record Kind(List<Long> capacity, String site, long count, long stay, double price) {}

    /**
     * Of the run.
     *
     * @param endNanos when it ends at the latest; null without such a time
     * @param mostRequests how many come at most; null for all
     */
    public record Run(@Nullable Long endNanos, @Nullable Long mostRequests, long slotNanos) {}

    /**
     * Worth of the requests at the moments; over a whole run, times nanoseconds.
     *
     * @param worth of all that are there; of the reward, where one is required
     * @param leftOut of those that are worth most, as many as may miss the requirement; of a reward, what can be earned
     *     beyond the prices
     * @param stay of the servers that are there anyway
     * @param each by kind of server of the list
     */
    public record Arithmetic(BigInteger worth, BigInteger leftOut, BigInteger stay, List<BigInteger> each) {
        /** The fewest servers of a list. */
        long level(ServerFleet fleet, ServerFleet.Loss loss) {
            return fleet.least(worth.subtract(leftOut).subtract(stay), each, loss, 0);
        }
    }
}
