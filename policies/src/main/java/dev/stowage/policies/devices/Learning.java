package dev.stowage.policies.devices;

import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.ForwardingPolicy;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.core.policy.View;

/** A policy whose score learns from arrivals: what it has learned is saved with the policy. */
final class Learning extends ForwardingPolicy {
    /** What learns. */
    interface Learner {
        /** A request has arrived, in a cluster with devices. */
        void arrived(int job, View view);

        /** Writes what was learned. */
        void save(StateWriter out);

        /** Reads it. */
        void restore(StateReader in, View view);
    }

    private final Policy policy;
    private final Learner learner;

    Learning(Policy policy, Learner learner) {
        this.policy = policy;
        this.learner = learner;
    }

    @Override
    protected Policy policy() {
        return policy;
    }

    @Override
    public void arrived(int job, View view, Actions actions) {
        if (view.deviceResource() != View.NONE) {
            learner.arrived(job, view);
        }
        policy.arrived(job, view, actions);
    }

    @Override
    public void save(StateWriter out) {
        learner.save(out);
        policy.save(out);
    }

    @Override
    public void restore(StateReader in, View view) {
        learner.restore(in, view);
        policy.restore(in, view);
    }
}
