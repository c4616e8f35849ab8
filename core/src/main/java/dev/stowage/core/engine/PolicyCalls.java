package dev.stowage.core.engine;

import dev.stowage.core.policy.Capability;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.PolicyBugException;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import org.jspecify.annotations.Nullable;

/** Calls the present policy, ends the steps, and remembers why the engine stopped. */
final class PolicyCalls {
    private final State state;
    private final EngineView view;
    private final EngineActions actions;
    private Policy policy;
    private PolicySpec spec;
    private boolean stepHasCallback;
    /**
     * Whether the policy is being called: then an exception comes from it, or from a listener that its verbs call.
     */
    private boolean calling;

    private @Nullable String stopped;
    private @Nullable Throwable cause;

    PolicyCalls(State state, EngineView view, EngineActions actions, Policy policy, PolicySpec spec) {
        this.state = state;
        this.view = view;
        this.actions = actions;
        this.policy = policy;
        this.spec = spec;
    }

    PolicySpec spec() {
        return spec;
    }

    boolean can(Capability capability) {
        return policy.capabilities().contains(capability);
    }

    void replace(Policy successor, PolicySpec successorSpec) {
        policy = successor;
        spec = successorSpec;
    }

    void save(StateWriter out) {
        policy.save(out);
    }

    void restore(StateReader in) {
        policy.restore(in, view);
    }

    void started() {
        growQueues();
        begin();
        policy.started(view, actions);
        calling = false;
    }

    void growQueues() {
        calling = true;
        state.queues.growTo(policy.queues(view));
        calling = false;
    }

    void arrived(int job) {
        begin();
        policy.arrived(job, view, actions);
        calling = false;
    }

    void left(int job, int server) {
        begin();
        policy.left(job, server, view, actions);
        calling = false;
    }

    void displaced(int job, int server) {
        begin();
        policy.displaced(job, server, view, actions);
        calling = false;
    }

    void adopted(int job, int server) {
        begin();
        policy.adopted(job, server, view, actions);
        calling = false;
    }

    void evicted(int job, int server) {
        begin();
        policy.evicted(job, server, view, actions);
        calling = false;
    }

    void moveOff(int job) {
        begin();
        policy.moveOff(job, view, actions);
        calling = false;
    }

    void dummyEnded(int dummy, int server) {
        begin();
        policy.dummyEnded(dummy, server, view, actions);
        calling = false;
    }

    void timer(long tag) {
        begin();
        policy.timer(tag, view, actions);
        calling = false;
    }

    void serverChanged(int server) {
        growQueues();
        begin();
        policy.serverChanged(server, view, actions);
        calling = false;
    }

    private void begin() {
        state.callbacks++;
        stepHasCallback = true;
        calling = true;
    }

    /** In continuous time the step ends here; in slotted time with the round command. */
    void endStep() {
        actions.rethrowBug();
        if (state.steps == Steps.COMMANDS && stepHasCallback) {
            round();
        }
    }

    void round() {
        begin();
        policy.round(view, actions);
        calling = false;
        actions.rethrowBug();
        stepHasCallback = false;
        if (state.pending.length(0) > 0) {
            int job = state.pending.head(0);
            throw new PolicyBugException("policy " + spec + " left request " + state.jobs.id(job) + " (job " + job
                    + ") undecided at " + state.now + " ns: place, enqueue or reject it before the step ends");
        }
    }

    /** Runs the body of a command as a step; after an exception the engine cannot be used any more. */
    void step(Runnable body) {
        try {
            body.run();
            endStep();
        } catch (RuntimeException | Error e) {
            stop(e);
            throw e;
        }
    }

    /** No command is carried out from now on, because the state may be half changed. */
    void stop(Throwable failure) {
        cause = failure;
        if (failure instanceof PolicyBugException) {
            stopped = "policy " + spec + " broke a rule: " + failure.getMessage();
        } else if (actions.telling()) {
            stopped = "a listener failed: " + failure;
        } else if (calling) {
            stopped = "policy " + spec + " failed: " + failure;
        } else {
            stopped = "the engine failed: " + failure;
        }
    }

    void checkAlive() {
        if (stopped != null) {
            throw new IllegalStateException("the engine stopped at " + state.now + " ns: " + stopped, cause);
        }
    }
}
