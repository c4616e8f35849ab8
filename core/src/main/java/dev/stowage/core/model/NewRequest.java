package dev.stowage.core.model;

/**
 * A request that arrives, with all of its properties.
 *
 * @param id at least 0, not in the system
 * @param type type number, or -1 for none
 * @param demand amount per resource; copied by the engine
 * @param pooledDemand amount per pooled resource; copied by the engine
 * @param rewardMicros reward per hour of service, micro-units
 * @param constraints which servers it may use
 * @param priority usually 0; one with a higher priority may preempt lower ones
 * @param agent whether an agent reports when it has started and stopped ({@link dev.stowage.core.policy.Phase})
 * @param expectedNanos how long it expects to run, nanoseconds; 0 if it does not say. Not a limit: it may run longer
 */
public record NewRequest(
        long id,
        int type,
        long[] demand,
        long[] pooledDemand,
        long rewardMicros,
        Constraints constraints,
        int priority,
        boolean agent,
        long expectedNanos) {
    /** A request that does not say how long it expects to run. */
    public NewRequest(
            long id,
            int type,
            long[] demand,
            long[] pooledDemand,
            long rewardMicros,
            Constraints constraints,
            int priority,
            boolean agent) {
        this(id, type, demand, pooledDemand, rewardMicros, constraints, priority, agent, 0);
    }

    /** A request without a type, with a demand on servers only and defaults for the rest. */
    public static NewRequest of(long id, long... demand) {
        return new NewRequest(id, -1, demand, new long[0], 0, Constraints.NONE, 0, false);
    }

    /** The same with constraints. */
    public NewRequest constrained(Constraints newConstraints) {
        return new NewRequest(
                id, type, demand, pooledDemand, rewardMicros, newConstraints, priority, agent, expectedNanos);
    }

    /** The same with a priority. */
    public NewRequest withPriority(int newPriority) {
        return new NewRequest(
                id, type, demand, pooledDemand, rewardMicros, constraints, newPriority, agent, expectedNanos);
    }

    /** The same with an agent. */
    public NewRequest withAgent() {
        return new NewRequest(id, type, demand, pooledDemand, rewardMicros, constraints, priority, true, expectedNanos);
    }

    /** The same with an expected lifetime. */
    public NewRequest expecting(long newExpectedNanos) {
        return new NewRequest(
                id, type, demand, pooledDemand, rewardMicros, constraints, priority, agent, newExpectedNanos);
    }
}
