package dev.stowage.core.policy;

import java.util.Set;

/**
 * A policy that forwards every call to another one. Extend it to wrap a policy, and override what is different: all
 * other calls and capabilities are those of the wrapped policy.
 */
public abstract class ForwardingPolicy implements Policy {
    /** The policy that decides. */
    protected abstract Policy policy();

    @Override
    public int queues(View view) {
        return policy().queues(view);
    }

    @Override
    public Set<Capability> capabilities() {
        return policy().capabilities();
    }

    @Override
    public void started(View view, Actions actions) {
        policy().started(view, actions);
    }

    @Override
    public void arrived(int job, View view, Actions actions) {
        policy().arrived(job, view, actions);
    }

    @Override
    public void left(int job, int server, View view, Actions actions) {
        policy().left(job, server, view, actions);
    }

    @Override
    public void displaced(int job, int server, View view, Actions actions) {
        policy().displaced(job, server, view, actions);
    }

    @Override
    public void adopted(int job, int server, View view, Actions actions) {
        policy().adopted(job, server, view, actions);
    }

    @Override
    public void evicted(int job, int server, View view, Actions actions) {
        policy().evicted(job, server, view, actions);
    }

    @Override
    public void moveOff(int job, View view, Actions actions) {
        policy().moveOff(job, view, actions);
    }

    @Override
    public void dummyEnded(int dummy, int server, View view, Actions actions) {
        policy().dummyEnded(dummy, server, view, actions);
    }

    @Override
    public void timer(long tag, View view, Actions actions) {
        policy().timer(tag, view, actions);
    }

    @Override
    public void serverChanged(int server, View view, Actions actions) {
        policy().serverChanged(server, view, actions);
    }

    @Override
    public void round(View view, Actions actions) {
        policy().round(view, actions);
    }

    @Override
    public void save(StateWriter out) {
        policy().save(out);
    }

    @Override
    public void restore(StateReader in, View view) {
        policy().restore(in, view);
    }
}
