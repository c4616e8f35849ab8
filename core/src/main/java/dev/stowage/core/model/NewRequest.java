package dev.stowage.core.model;

/**
 * A request that is to come into the system, with all that it may say of itself.
 *
 * @param id at least 0, not in the system
 * @param type type number, or -1 for none
 * @param demand amount per resource; copied by the engine
 * @param pooledDemand amount per pooled resource; copied by the engine
 * @param rewardMicros reward per hour of service, micro-units
 * @param constraints which servers it may use
 * @param priority 0 for most; one with a higher priority may take the place of lower ones
 * @param agent whether an agent reports when it has started and stopped ({@link dev.stowage.core.policy.Phase})
 */
public record NewRequest(
        long id,
        int type,
        long[] demand,
        long[] pooledDemand,
        long rewardMicros,
        Constraints constraints,
        int priority,
        boolean agent) {
    /** One of no type with a demand on servers only, and nothing else to say. */
    public static NewRequest of(long id, long... demand) {
        return new NewRequest(id, -1, demand, new long[0], 0, Constraints.NONE, 0, false);
    }

    /** The same with constraints. */
    public NewRequest constrained(Constraints newConstraints) {
        return new NewRequest(id, type, demand, pooledDemand, rewardMicros, newConstraints, priority, agent);
    }

    /** The same with a priority. */
    public NewRequest withPriority(int newPriority) {
        return new NewRequest(id, type, demand, pooledDemand, rewardMicros, constraints, newPriority, agent);
    }

    /** The same with an agent. */
    public NewRequest withAgent() {
        return new NewRequest(id, type, demand, pooledDemand, rewardMicros, constraints, priority, true);
    }
}
