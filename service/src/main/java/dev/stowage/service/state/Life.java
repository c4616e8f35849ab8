package dev.stowage.service.state;

import dev.stowage.core.policy.Phase;

/**
 * What most requests do not have: a priority, and an agent that reports what becomes of it.
 *
 * @param priority 0 for most
 * @param agent whether it has an agent; the other fields are of such a request
 * @param attempt the how-manieth time it is on a server, or was; 0 as long as it was on none
 * @param phase how far it is on its server
 * @param failures how often it could not be started
 */
public record Life(int priority, boolean agent, int attempt, Phase phase, int failures) {
    /** That of a request like most. */
    public static final Life NONE = new Life(0, false, 0, Phase.PLACED, 0);

    /** That of a request that comes in. */
    static Life begin(int priority, boolean agent) {
        return priority == 0 && !agent ? NONE : new Life(priority, agent, 0, Phase.PLACED, 0);
    }

    /** On a server, once more. */
    Life placed(Phase newPhase) {
        return agent ? new Life(priority, true, attempt + 1, newPhase, failures) : this;
    }

    /** Further on its server. */
    Life in(Phase newPhase) {
        return new Life(priority, agent, attempt, newPhase, failures);
    }

    /** It could not be started. */
    Life failed() {
        return new Life(priority, agent, attempt, phase, failures + 1);
    }
}
