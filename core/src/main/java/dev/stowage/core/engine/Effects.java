package dev.stowage.core.engine;

import dev.stowage.core.policy.Gauge;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;

/**
 * What the engine reports, in order. {@code job} is a handle: during the call the view still answers
 * for it, also when it has just left or been rejected. A receiver must not send commands from inside a call.
 */
public interface Effects {
    /** The reason of a placement that was adopted. */
    String ADOPTED = "adopted: it ran there already";

    /** A listener that does nothing. */
    Effects NONE = new Effects() {};

    /** First of all: the view that answers for the handles of the other calls. */
    default void attached(View view) {}

    /** A request was accepted into the system. */
    default void arrived(long now, int job) {}

    /** A request starts on a server. */
    default void placed(long now, int job, int server, String reason) {}

    /** A request that ran on a server already was brought in, after {@link #arrived}; by default the same as placed. */
    default void adopted(long now, int job, int server) {
        placed(now, job, server, ADOPTED);
    }

    /** A request waits in a queue. */
    default void queued(long now, int job, int queue, String reason) {}

    /** A request was rejected. */
    default void rejected(long now, int job, String reason) {}

    /** A request moved. */
    default void migrated(long now, int job, int from, int to, String reason) {}

    /** A request's share of the divisible resource changed. */
    default void allocated(long now, int job, long amount) {}

    /** A request ended; server -1 if it gave up waiting. */
    default void left(long now, int job, int server) {}

    /** A request's server was lost; it is pending again. */
    default void displaced(long now, int job, int server) {}

    /** The agent of a request says that it runs. */
    default void started(long now, int job, int server) {}

    /** A request failed to start; it is pending again. By default the same as displaced. */
    default void startFailed(long now, int job, int server) {
        displaced(now, job, server);
    }

    /** A request is to stop and holds its demand until its agent says that it did; then it has left, or is evicted. */
    default void stopping(long now, int job, int server, String reason) {}

    /** A request was taken off its server; it is pending again. By default the same as displaced. */
    default void evicted(long now, int job, int server, String reason) {
        displaced(now, job, server);
    }

    /** An agent reported that a request runs that should not run there: it is to be stopped. */
    default void strayed(long now, long id, int server) {}

    /** A dummy holds capacity. */
    default void dummyPlaced(long now, int dummy, int server, String reason) {}

    /** A dummy ended. */
    default void dummyEnded(long now, int dummy, int server) {}

    /** A server was added (its number is new) or changed its status. */
    default void serverChanged(long now, int server, ServerStatus status) {}

    /** A server has another capacity; {@code before} is what it had, not to be kept. */
    default void resized(long now, int server, long[] before) {}

    /** A server has other labels. */
    default void labelled(long now, int server) {}

    /** A quantity of the policy's own has a new value. */
    default void gauged(long now, Gauge gauge, long value) {}

    /** A command was refused; {@code subject} is the request id, server, site or type it named. */
    default void refused(long now, long subject, Refusal refusal, String detail) {}
}
