package dev.stowage.study.size;

import dev.stowage.sim.experiment.SizeRequirement;
import dev.stowage.sim.experiment.TypeChoice;

/**
 * Counts one run's result for one requirement. The {@link #excess} is a sum over the run that is above 0 if the run
 * misses the requirement; its mean over runs is above 0 if the servers miss it.
 */
final class RequirementCount {
    private static final double MILLION = 1e6;
    private static final double HOUR = 3600e9;

    private final SizeRequirement its;
    private final TypeChoice types;
    private final long known;
    private long requests;
    private long missed;
    private double waitNanos;
    private double rewardMicros;
    private long turnedAway;
    private double turnedAwayAt;

    /**
     * Counts for a run.
     *
     * @param types that count
     * @param known how many requests of them there will be; {@link Long#MAX_VALUE} if unknown
     */
    RequirementCount(SizeRequirement its, TypeChoice types, long known) {
        this.its = its;
        this.types = types;
        this.known = known;
    }

    SizeRequirement its() {
        return its;
    }

    boolean counts(int requestType) {
        return types.has(requestType);
    }

    void request() {
        requests++;
    }

    void missed() {
        missed++;
    }

    /** A request is turned away: it waits until the run ends. */
    void turnedAway(long now) {
        missed++;
        turnedAway++;
        turnedAwayAt += now;
    }

    /** The run is over. */
    void finish(long end) {
        if (its.kind() == SizeRequirement.Kind.MEAN_WAIT || its.kind() == SizeRequirement.Kind.WAITING) {
            waitNanos += (double) turnedAway * end - turnedAwayAt;
        }
    }

    /** A wait ends, or the run ends during it. */
    void waited(long nanos) {
        waitNanos += nanos;
    }

    void earned(long microsPerHour, long nanos) {
        rewardMicros += (double) microsPerHour * nanos / HOUR;
    }

    /**
     * Whether the run has missed the requirement already, whatever follows; always false if the number of requests is
     * unknown.
     */
    boolean hopeless() {
        return known != Long.MAX_VALUE
                && switch (its.kind()) {
                    case MISSED -> missed > its.allowed(known);
                    case MEAN_WAIT -> waitNanos > (double) its.withinNanos() * known;
                    case WAITING, REWARD, STABLE -> false;
                };
    }

    /**
     * The excess of a finished run, in requests, nanoseconds or micro-units.
     *
     * @param measuredNanos length of the time that counts
     */
    double excess(double measuredNanos) {
        return switch (its.kind()) {
            case MISSED -> missed - requests * (its.partPerMillion() / MILLION);
            case MEAN_WAIT -> waitNanos - (double) its.withinNanos() * requests;
            case WAITING -> waitNanos - its.limit() * measuredNanos;
            case REWARD -> its.limit() * (measuredNanos / HOUR) - rewardMicros;
            case STABLE -> throw new IllegalStateException("stability is judged from the queue over time");
        };
    }

    /** Whether a finished run missed it. */
    boolean isMissed(double measuredNanos) {
        return its.kind() == SizeRequirement.Kind.MISSED ? missed > its.allowed(requests) : excess(measuredNanos) > 0;
    }

    /** How many of the requests may miss it. */
    double expected() {
        return requests * (its.partPerMillion() / MILLION);
    }

    /** The value that the run achieved: a fraction of the requests, seconds, requests, or micro-units per hour. */
    double achieved(double measuredNanos) {
        return switch (its.kind()) {
            case MISSED -> (double) missed / requests;
            case MEAN_WAIT -> waitNanos / 1e9 / requests;
            case WAITING -> waitNanos / measuredNanos;
            case REWARD -> rewardMicros / (measuredNanos / HOUR);
            case STABLE -> 0;
        };
    }
}
