package dev.stowage.core.model;

/**
 * A kind of request: what each of them demands unless it carries a demand of its own.
 *
 * @param name name, unique in the cluster
 * @param demand amount of every server resource
 * @param pooledDemand amount of every pooled resource of the site
 * @param rewardMicros reward per second of service, micro-units
 */
public record RequestType(String name, Amounts demand, Amounts pooledDemand, long rewardMicros) {
    /** A type that uses no pooled resource and pays nothing. */
    public static RequestType of(String name, long... demand) {
        return new RequestType(name, Amounts.of(demand), Amounts.NONE, 0);
    }
}
