package dev.stowage.study.bound;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.stowage.sim.result.Remark;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Bounds for the load of one point of an experiment.
 *
 * @param point value of every sweep axis
 * @param fromSeconds when this load begins
 * @param requestsInService the load: mean number in service, were every request served at once
 * @param growthAtLeast the load may grow by this factor: proven by the mixes
 * @param growthAtMost the load cannot grow by more than this factor
 * @param demandClasses classes of demand in the calculation
 * @param offered per resource, mean demand over capacity: the least that a bound can be
 * @param servers per class of servers, what they hold at the lower bound
 * @param serversChange whether other servers are up at the end of the run: the bound is of those at the start
 * @param notes remarks on it
 * @param reason why there is no bound; empty if there is one
 * @param reward the greatest reward rate; null if nothing pays
 * @param routing the bounds of routing while this load lasts, in order of time; empty if there is nothing to route
 */
public record PointBound(
        Map<String, String> point,
        double fromSeconds,
        double requestsInService,
        double growthAtLeast,
        double growthAtMost,
        int demandClasses,
        List<ResourceUse> offered,
        List<ClassUse> servers,
        boolean serversChange,
        List<String> notes,
        String reason,
        @Nullable RewardPoint reward,
        List<RoutingPeriod> routing) {
    private static final double IMPLAUSIBLY_LITTLE = 0.01;
    private static final double IMPLAUSIBLY_MUCH = 2.5;

    /**
     * How much of a resource is in use.
     *
     * @param resource name
     * @param ofCapacity share of the capacity
     */
    public record ResourceUse(String resource, double ofCapacity) {}

    /**
     * A configuration in the mix.
     *
     * @param ofServers share of the class's servers, in the mean
     * @param holds requests per demand
     */
    public record MixPart(double ofServers, Map<String, Integer> holds) {}

    /**
     * A class of servers at the lower bound.
     *
     * @param count servers
     * @param capacity capacity per resource
     * @param used share of each resource that the mix uses
     * @param mixes configurations
     */
    public record ClassUse(int count, long[] capacity, List<ResourceUse> used, List<MixPart> mixes) {}

    public static PointBound without(Map<String, String> point, double fromSeconds, String reason) {
        return new PointBound(
                point, fromSeconds, 0, 0, 0, 0, List.of(), List.of(), false, List.of(), reason, null, List.of());
    }

    /** The same with a reward. */
    public PointBound withReward(RewardPoint found) {
        return with(found, routing);
    }

    /** The same with bounds of routing. */
    public PointBound withRouting(List<RoutingPeriod> found) {
        return with(reward, found);
    }

    private PointBound with(@Nullable RewardPoint earns, List<RoutingPeriod> periods) {
        return new PointBound(
                point,
                fromSeconds,
                requestsInService,
                growthAtLeast,
                growthAtMost,
                demandClasses,
                offered,
                servers,
                serversChange,
                notes,
                reason,
                earns,
                periods);
    }

    /** Whether there is a bound. */
    public boolean bounded() {
        return reason.isEmpty();
    }

    /** The load over the maximum supportable, at least; infinite if some request fits no server. */
    @JsonProperty
    public double loadOfBoundAtLeast() {
        return 1 / growthAtMost;
    }

    /** The load over the maximum supportable, at most. */
    @JsonProperty
    public double loadOfBoundAtMost() {
        return 1 / growthAtLeast;
    }

    /** What is said where the load is so small, or so large, that something may be read wrongly; else empty. */
    public static Optional<Remark> caution(List<PointBound> bounds) {
        boolean implausible = bounds.stream()
                .anyMatch(bound -> bound.bounded()
                        && !bound.serversChange()
                        && (bound.loadOfBoundAtMost() < IMPLAUSIBLY_LITTLE
                                || bound.loadOfBoundAtLeast() > IMPLAUSIBLY_MUCH));
        return implausible
                ? Optional.of(Remark.warning(
                        "the load is below 1 % or above 250 % of what the servers can carry: are times and units"
                                + " read as intended? (stowage trace guess FILE)"))
                : Optional.empty();
    }

    /**
     * Whether some policy supports the load, none does, or the bounds are too far apart to say; unknown without a
     * bound, and where the servers change for good.
     */
    @JsonProperty
    public String verdict() {
        return !bounded() || serversChange
                ? "unknown"
                : growthAtMost < 1 ? "unsupportable" : growthAtLeast > 1 ? "supportable" : "at the bound";
    }
}
