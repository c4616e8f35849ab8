package dev.stowage.core.engine;

/** Advances the time to that of a command, and fires the timers that are due before. */
record Timeline(State state, PolicyCalls policy, EngineActions actions, Refusals refusals, ServerAgents agents) {
    /** Begins a command about {@code subject}; refuses it and returns false if it is late. */
    boolean begin(long at, long subject) {
        policy.checkAlive();
        if (at < state.now) {
            refusals.refuse(subject, Refusal.LATE, "time " + at + " ns is before " + state.now + " ns");
            return false;
        }
        if (state.timers.isDue(at)) {
            try {
                fireTimers(at);
            } catch (RuntimeException | Error e) {
                policy.stop(e);
                throw e;
            }
        }
        state.now = at;
        return true;
    }

    private void fireTimers(long at) {
        while (state.timers.isDue(at)) {
            state.now = state.timers.firstDeadline();
            int timer = state.timers.firstTimer();
            int dummy = state.timers.dummy(timer);
            if (dummy == State.NONE) {
                long tag = state.timers.tag(timer);
                state.timers.remove(timer);
                policy.timer(tag);
            } else if (dummy == Timers.OWN) {
                long tag = state.timers.tag(timer);
                state.timers.remove(timer);
                agents.fire(tag);
            } else {
                int server = state.jobs.place(dummy);
                state.timers.remove(timer);
                actions.endDummy(dummy);
                policy.dummyEnded(dummy, server);
                state.jobs.free(dummy);
            }
            policy.endStep();
        }
    }
}
