package dev.stowage.policies.fit;

import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.ForwardingPolicy;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.core.policy.View;

/** A policy that remembers what the view does not show: it is saved with it. */
public final class Remembering extends ForwardingPolicy {
    /** What is remembered. */
    public interface Memory {
        /** A request has arrived. */
        default void arrived(View view, int job) {}

        /** A request has ended on a server. */
        default void left(View view, int job, int server) {}

        /** Writes it. */
        void save(StateWriter out);

        /** Reads it, before the policy is made. */
        void restore(StateReader in, View view);
    }

    private final Policy policy;
    private final Memory memory;

    /** Tells the memory of arrivals and ends before it tells the policy. */
    public Remembering(Policy policy, Memory memory) {
        this.policy = policy;
        this.memory = memory;
    }

    @Override
    protected Policy policy() {
        return policy;
    }

    @Override
    public void arrived(int job, View view, Actions actions) {
        memory.arrived(view, job);
        policy.arrived(job, view, actions);
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
        memory.restore(in, view);
        policy.restore(in, view);
    }
}
