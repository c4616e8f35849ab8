package dev.stowage.service.state;

import dev.stowage.core.policy.Phase;

/**
 * The optional properties of a request: a priority, and an agent that reports on it.
 *
 * @param priority 0 for most
 * @param agent whether it has an agent; the other fields are of such a request
 * @param attempt the how-manieth time it is on a server, or was; 0 as long as it was on none
 * @param phase how far it is on its server
 * @param failures how often it could not be started
 */
public record Life(int priority, boolean agent, int attempt, Phase phase, int failures) {
    /** The value for most requests. */
    public static final Life NONE = new Life(0, false, 0, Phase.PLACED, 0);

    /** The value for a new request. */
    static Life begin(int priority, boolean agent) {
        return priority == 0 && !agent ? NONE : new Life(priority, agent, 0, Phase.PLACED, 0);
    }

    /** After another placement. */
    Life placed(Phase newPhase) {
        return agent ? new Life(priority, true, attempt + 1, newPhase, failures) : this;
    }

    /** In another phase on its server. */
    Life in(Phase newPhase) {
        return new Life(priority, agent, attempt, newPhase, failures);
    }

    /** After a failed start. */
    Life failed() {
        return new Life(priority, agent, attempt, phase, failures + 1);
    }
}
