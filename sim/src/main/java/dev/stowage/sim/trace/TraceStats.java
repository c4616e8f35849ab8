package dev.stowage.sim.trace;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a trace looks like: plain numbers for tables, JSON and plots, made by {@link TraceStatistics}. Seconds and hours
 * are on the trace's own clock (hour 0 starts at time 0, which need not be midnight).
 *
 * @param requests number of requests
 * @param firstArrivalS first arrival, s
 * @param lastArrivalS last arrival, s
 * @param arrivals arrivals per hour
 * @param distinctShapes number of distinct joint shapes (types)
 * @param shapes the most frequent joint shapes, most frequent first, ties by type number
 * @param resources distinct demands of every resource by itself
 * @param durations durations of all requests
 * @param concurrent what is present over time: first the requests themselves, then every resource
 * @param batches sizes of the batches the source names; requests without batch are not counted
 * @param bursts sizes of groups of requests that arrive at the same instant
 */
public record TraceStats(
        long requests,
        double firstArrivalS,
        double lastArrivalS,
        ArrivalStats arrivals,
        int distinctShapes,
        List<ShapeStats> shapes,
        List<ResourceDemands> resources,
        Durations durations,
        List<Concurrent> concurrent,
        GroupStats batches,
        GroupStats bursts) {

    /**
     * Arrivals per hour.
     *
     * @param meanPerHour requests divided by the hours from first to last arrival (at least one hour)
     * @param perHour number of arrivals in hour 0, 1, ... of the trace's clock, up to the last arrival
     * @param hourOfDay mean number of arrivals in an hour h with h mod 24 = 0..23, over the whole hours from a mean gap
     *     before the first arrival to one after the last; null where the trace has no such hour
     * @param indexOfDispersion variance of the counts of the same hours divided by their mean; 1 for a Poisson process;
     *     null with fewer than two hours, or none that has an arrival
     */
    public record ArrivalStats(
            double meanPerHour,
            List<Long> perHour,
            List<@Nullable Double> hourOfDay,
            @Nullable Double indexOfDispersion) {}

    /**
     * A joint shape.
     *
     * @param name type name
     * @param demand demand by resource, whole units
     * @param count number of requests
     * @param share part of all requests, 0 to 1
     * @param durations durations of the requests of this shape
     */
    public record ShapeStats(String name, List<Long> demand, long count, double share, Durations durations) {}

    /**
     * Demands of one resource.
     *
     * @param resource name with unit
     * @param distinct number of distinct demands
     * @param mean mean demand per request
     * @param max largest demand
     * @param top the most frequent demands, most frequent first, ties by smaller demand
     */
    public record ResourceDemands(String resource, int distinct, double mean, long max, List<DemandCount> top) {}

    /** A demand (whole units), how many requests have it, and their part of all requests (0 to 1). */
    public record DemandCount(long demand, long count, double share) {}

    /**
     * Durations.
     *
     * @param known number of requests of known duration
     * @param unknown number of requests whose end the source does not know
     * @param quantiles of the known durations; null where there is none
     */
    public record Durations(
            long known, long unknown, @Nullable DurationQuantiles quantiles) {}

    /** Mean and quantiles of known durations, s. A quantile q is the ceil(q n)-th smallest of n (nearest rank). */
    public record DurationQuantiles(
            double meanS,
            double minS,
            double p10S,
            double p25S,
            double p50S,
            double p75S,
            double p90S,
            double p95S,
            double p99S,
            double maxS) {}

    /**
     * What is present over time if every request starts at its arrival: an exact sweep from time 0 to the last arrival,
     * with a request present from its arrival until just before its end, and to the last arrival where the end is
     * unknown.
     *
     * @param name {@code requests}, or a resource
     * @param mean time average from time 0 to the last arrival
     * @param peak largest value
     * @param peakAtS first time of the largest value, s
     * @param points the course, in equal spans of time
     */
    public record Concurrent(String name, double mean, long peak, double peakAtS, List<Point> points) {}

    /** One span of time: where it starts (s), the time average over it, and the largest value in it. */
    public record Point(double fromS, double mean, long max) {}

    /**
     * Groups of requests.
     *
     * @param requests number of requests in groups
     * @param groups number of groups
     * @param meanSize requests per group; 0 where there is none
     * @param maxSize largest group
     * @param sizes how many groups have each size, by size
     */
    public record GroupStats(long requests, long groups, double meanSize, long maxSize, List<SizeCount> sizes) {}

    /** A group size and how many groups have it. */
    public record SizeCount(long size, long count) {}
}
