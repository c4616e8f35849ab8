package dev.stowage.core.policy;

import java.util.Collections;
import java.util.Set;

/**
 * Decides where requests run. A policy is deterministic: it reads the {@link View}, calls verbs of {@link Actions}, and
 * draws random numbers only from {@link View#random()}. It never learns when a request will end.
 *
 * <p>In every callback the engine's state already contains what the callback is about. A job handle is valid from
 * {@link #arrived} until {@link #left} returns (or the job is rejected); then the handle is reused for another request.
 *
 * <p>After {@link #arrived} a job is <em>pending</em>. It must be placed, enqueued or rejected before the step ends, at
 * the latest in {@link #round}. In continuous time every command and every timer is a step of its own; in slotted time
 * a step is a slot: first all departures, then all arrivals, then one {@link #round}. So a policy that decides in
 * {@link #round} is right in both.
 */
public interface Policy {
    /** How many queues the policy uses (numbers 0..n-1); asked at the start and after servers or sites were added. */
    default int queues(View view) {
        return 1;
    }

    /** The optional features that the policy supports; may be asked at any time, and never changes. */
    default Set<Capability> capabilities() {
        return Collections.emptySet();
    }

    /**
     * First callback. Servers may already hold requests if the policy replaces another; waiting requests follow as
     * arrivals.
     */
    default void started(View view, Actions actions) {}

    /** A request arrived and is pending. */
    void arrived(int job, View view, Actions actions);

    /** A request left: {@code server} is where it ran, or -1 if it left while waiting. Its capacity is free again. */
    default void left(int job, int server, View view, Actions actions) {}

    /** The server of a running request was lost; the request is pending again and starts anew. */
    default void displaced(int job, int server, View view, Actions actions) {
        arrived(job, view, actions);
    }

    /**
     * A request that already ran on a server was adopted: it holds its demand there, even if that is more than was
     * free. Only with {@link Capability#OVERCOMMITMENT}.
     */
    default void adopted(int job, int server, View view, Actions actions) {
        throw new UnsupportedOperationException("a policy that declares OVERCOMMITMENT must implement adopted");
    }

    /**
     * A request was taken off a server that stays up, and is pending again: it was evicted, or failed to start. Only
     * with {@link Capability#EVICTION}, and not after {@link Actions#evict}.
     */
    default void evicted(int job, int server, View view, Actions actions) {
        left(job, server, view, actions);
        arrived(job, view, actions);
    }

    /**
     * A request must leave its draining server: migrate it, if another server has room. Only with
     * {@link Capability#MIGRATION}.
     */
    default void moveOff(int job, View view, Actions actions) {
        throw new UnsupportedOperationException("a policy that declares MIGRATION must implement moveOff");
    }

    /**
     * A dummy that this policy placed ended; its capacity is free again. Dummies of the previous policy ended when this
     * policy took over.
     */
    default void dummyEnded(int dummy, int server, View view, Actions actions) {}

    /** A timer set with {@link Actions#timer} is due. */
    default void timer(long tag, View view, Actions actions) {}

    /** A server was added, drained, returned, removed or lost (its status says which), resized or labelled. */
    default void serverChanged(int server, View view, Actions actions) {}

    /**
     * The step ends: decide what is still pending. In continuous time not called in a step without another callback; in
     * slotted time called at every round command.
     */
    default void round(View view, Actions actions) {}

    /** Writes what {@link #restore} cannot derive from the view. */
    default void save(StateWriter out) {}

    /**
     * Restores the state at the time of {@link #save} into a new policy object. Called instead of {@link #started}.
     */
    default void restore(StateReader in, View view) {}
}
