package dev.stowage.policies.lifetime;

import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.ForwardingPolicy;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.core.policy.View;

/** A policy that remembers what the view does not show: it is saved with it. */
final class Remembering extends ForwardingPolicy {
    /** What is remembered. */
    interface Memory {
        /** A request has ended on a server. */
        void left(View view, int job, int server);

        /** Writes it. */
        void save(StateWriter out);

        /** Reads it, before the policy is made. */
        void restore(StateReader in);
    }

    private final Policy policy;
    private final Memory memory;

    Remembering(Policy policy, Memory memory) {
        this.policy = policy;
        this.memory = memory;
    }

    @Override
    protected Policy policy() {
        return policy;
    }

    @Override
    public void left(int job, int server, View view, Actions actions) {
        if (server != View.NONE) {
            memory.left(view, job, server);
        }
        policy.left(job, server, view, actions);
    }

    @Override
    public void save(StateWriter out) {
        memory.save(out);
        policy.save(out);
    }

    @Override
    public void restore(StateReader in, View view) {
        memory.restore(in);
        policy.restore(in, view);
    }
}
