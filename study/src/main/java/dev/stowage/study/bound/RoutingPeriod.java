package dev.stowage.study.bound;

import java.util.List;
import java.util.Map;

/**
 * The least largest utilization (rho of Y. Guo, A. L. Stolyar, A. Walid, Shadow-Routing Based Dynamic Algorithms for
 * Virtual Machine Placement in a Network Cloud, 2013, section II, LP (2)-(7)) of any routing and packing, while load
 * and servers stay the same.
 *
 * @param fromSeconds when it begins
 * @param rhoAtLeast no routing keeps all utilizations below this
 * @param rhoAtMost this routing keeps all utilizations at or below this
 * @param load mean number in service by type, were every request served at once
 * @param blocks blocks of equal servers of a site, with the load that is routed to them
 * @param pools pooled resources of the sites
 * @param reason why there is no bound, for people; empty if there is one
 * @param code why there is none, as a code: {@code no-server-up}, {@code fits-no-server} or {@code many-origins}
 */
public record RoutingPeriod(
        double fromSeconds,
        double rhoAtLeast,
        double rhoAtMost,
        Map<String, Double> load,
        List<BlockUse> blocks,
        List<PoolUse> pools,
        String reason,
        String code) {
    /**
     * A block of servers: a site, or its servers of one capacity.
     *
     * @param site name of the site
     * @param up servers that are up
     * @param capacity capacity of each, per resource
     * @param ofServers part of the servers in use
     * @param routed mean number in service by type: a column of the routing table
     * @param from mean number in service by origin; empty if there is one origin, or all sites may run all requests
     * @param mixes configurations, and the part of the block's servers that has each
     */
    public record BlockUse(
            String site,
            int up,
            long[] capacity,
            double ofServers,
            Map<String, Double> routed,
            Map<String, Double> from,
            List<PointBound.MixPart> mixes) {}

    /**
     * A pooled resource of a site.
     *
     * @param site name of the site
     * @param resource name
     * @param ofCapacity part in use
     */
    public record PoolUse(String site, String resource, double ofCapacity) {}

    static RoutingPeriod without(double fromSeconds, String code, String reason) {
        return new RoutingPeriod(fromSeconds, 0, 0, Map.of(), List.of(), List.of(), reason, code);
    }

    /** Whether there is a bound. */
    public boolean bounded() {
        return reason.isEmpty();
    }
}
