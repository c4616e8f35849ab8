package dev.stowage.core.model;

/**
 * A kind of request: the demand of its requests.
 *
 * @param name name, unique in the cluster
 * @param demand amount of every server resource
 * @param pooledDemand amount of every pooled resource of the site
 * @param rewardMicros reward per hour of service, micro-units, at least 0 (see {@link Reward})
 * @param meanServiceNanos declared mean service time, nanoseconds; 0 if unknown. It is the operator's declaration about
 *     the type, not knowledge of any single request
 */
public record RequestType(String name, Amounts demand, Amounts pooledDemand, long rewardMicros, long meanServiceNanos) {
    /** Checks reward and mean service time. */
    public RequestType {
        if (rewardMicros < 0 || meanServiceNanos < 0) {
            throw new IllegalArgumentException(
                    "type " + name + " has reward " + rewardMicros + " micro-units per hour and mean service time "
                            + meanServiceNanos + " ns; both must be at least 0");
        }
    }

    /** A type of unknown mean service time. */
    public RequestType(String name, Amounts demand, Amounts pooledDemand, long rewardMicros) {
        this(name, demand, pooledDemand, rewardMicros, 0);
    }

    /** A type that uses no pooled resource and pays nothing. */
    public static RequestType of(String name, long... demand) {
        return new RequestType(name, Amounts.of(demand), Amounts.NONE, 0);
    }

    /** The same type with a declared mean service time. */
    public RequestType withMeanService(long nanos) {
        return new RequestType(name, demand, pooledDemand, rewardMicros, nanos);
    }
}
