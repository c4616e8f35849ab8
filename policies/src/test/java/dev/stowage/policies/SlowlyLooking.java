package dev.stowage.policies;

import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.ForwardingPolicy;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.View;

/** A slow policy whose score looks at everything after each callback. */
final class SlowlyLooking extends ForwardingPolicy {
    private final Policy policy;
    private final SlowScore score;

    SlowlyLooking(String kind, SlowScore score) {
        policy = new SlowPolicy(kind, score, 0);
        this.score = score;
    }

    @Override
    protected Policy policy() {
        return policy;
    }

    @Override
    public void arrived(int job, View view, Actions actions) {
        policy.arrived(job, view, actions);
        score.look(view);
    }

    /** What is displaced or evicted has not left. */
    @Override
    public void left(int job, int server, View view, Actions actions) {
        score.left(view, job, server);
        policy.left(job, server, view, actions);
        score.look(view);
    }

    @Override
    public void displaced(int job, int server, View view, Actions actions) {
        policy.displaced(job, server, view, actions);
        score.look(view);
    }

    @Override
    public void adopted(int job, int server, View view, Actions actions) {
        policy.adopted(job, server, view, actions);
        score.look(view);
    }

    @Override
    public void evicted(int job, int server, View view, Actions actions) {
        policy.evicted(job, server, view, actions);
        score.look(view);
    }

    @Override
    public void moveOff(int job, View view, Actions actions) {
        policy.moveOff(job, view, actions);
        score.look(view);
    }

    @Override
    public void serverChanged(int server, View view, Actions actions) {
        policy.serverChanged(server, view, actions);
        score.look(view);
    }

    @Override
    public void round(View view, Actions actions) {
        policy.round(view, actions);
        score.look(view);
    }
}
