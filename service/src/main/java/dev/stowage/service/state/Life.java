package dev.stowage.service.state;

import dev.stowage.core.policy.Phase;

/**
 * The optional properties of a request: a priority, an expected lifetime, and an agent that reports on it.
 *
 * @param priority 0 for most
 * @param agent whether it has an agent; the other fields are of such a request
 * @param attempt the how-manieth time it is on a server, or was; 0 as long as it was on none
 * @param phase how far it is on its server
 * @param failures how often it could not be started
 * @param expectedNanos how long it expects to run; 0 if it does not say
 */
public record Life(int priority, boolean agent, int attempt, Phase phase, int failures, long expectedNanos) {
    /** The value for most requests. */
    public static final Life NONE = new Life(0, false, 0, Phase.PLACED, 0, 0);

    /** The value for a new request. */
    static Life begin(int priority, boolean agent, long expectedNanos) {
        return priority == 0 && !agent && expectedNanos == 0
                ? NONE
                : new Life(priority, agent, 0, Phase.PLACED, 0, expectedNanos);
    }

    /** After another placement. */
    Life placed(Phase newPhase) {
        return agent ? new Life(priority, true, attempt + 1, newPhase, failures, expectedNanos) : this;
    }

    /** In another phase on its server. */
    Life in(Phase newPhase) {
        return new Life(priority, agent, attempt, newPhase, failures, expectedNanos);
    }

    /** After a failed start. */
    Life failed() {
        return new Life(priority, agent, attempt, phase, failures + 1, expectedNanos);
    }
}
