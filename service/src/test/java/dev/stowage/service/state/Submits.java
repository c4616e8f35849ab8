package dev.stowage.service.state;

import dev.stowage.core.model.ConstraintWords;
import java.util.List;

/** Requests that leave out what most tests do not care about. */
public final class Submits {
    private Submits() {}

    /** A request that any site may run. */
    public static Operation.Submit of(
            String tenant, String id, String type, long[] demand, long[] pooled, long rewardMicros, long waitNanos) {
        return of(tenant, id, type, demand, pooled, rewardMicros, waitNanos, List.of());
    }

    /** A request that only asks for sites. */
    public static Operation.Submit of(
            String tenant,
            String id,
            String type,
            long[] demand,
            long[] pooled,
            long rewardMicros,
            long waitNanos,
            List<String> sites) {
        return of(tenant, id, type, demand, pooled, rewardMicros, waitNanos, sites, ConstraintWords.NONE);
    }

    /** A request without priority, agent and expected lifetime. */
    public static Operation.Submit of(
            String tenant,
            String id,
            String type,
            long[] demand,
            long[] pooled,
            long rewardMicros,
            long waitNanos,
            List<String> sites,
            ConstraintWords words) {
        return new Operation.Submit(
                tenant, id, type, demand, pooled, rewardMicros, waitNanos, sites, words, 0, false, 0);
    }

    /** The same with a priority and perhaps an agent. */
    public static Operation.Submit living(Operation.Submit one, int priority, boolean agent) {
        return with(one, priority, agent, one.expectedNanos());
    }

    /** The same with an expected lifetime. */
    public static Operation.Submit expecting(Operation.Submit one, long expectedNanos) {
        return with(one, one.priority(), one.agent(), expectedNanos);
    }

    private static Operation.Submit with(Operation.Submit one, int priority, boolean agent, long expectedNanos) {
        return new Operation.Submit(
                one.tenant(),
                one.id(),
                one.type(),
                one.demand(),
                one.pooled(),
                one.rewardMicros(),
                one.waitNanos(),
                one.sites(),
                one.words(),
                priority,
                agent,
                expectedNanos);
    }
}
