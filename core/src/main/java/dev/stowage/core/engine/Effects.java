package dev.stowage.core.engine;

import dev.stowage.core.policy.Gauge;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;

/**
 * What the engine reports, in order. {@code job} is a handle: during the call the view still has it, even if it has
 * just left or been rejected. A receiver must not send commands from inside a call.
 */
public interface Effects {
    /** The reason of a placement that was adopted. */
    String ADOPTED = "adopted: it ran there already";

    /** A listener that does nothing. */
    Effects NONE = new Effects() {};

    /** The first call: the view that has the handles of the other calls. */
    default void attached(View view) {}

    /** A request was accepted into the system. */
    default void arrived(long now, int job) {}

    /** A request starts on a server. */
    default void placed(long now, int job, int server, String reason) {}

    /** A request that already ran on a server was adopted, after {@link #arrived}; by default the same as placed. */
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

    /** A request ended; server -1 if it left while waiting. */
    default void left(long now, int job, int server) {}

    /** A request's server was lost; it is pending again. */
    default void displaced(long now, int job, int server) {}

    /** The agent of a request reports that it runs. */
    default void started(long now, int job, int server) {}

    /** A request failed to start; it is pending again. By default the same as displaced. */
    default void startFailed(long now, int job, int server) {
        displaced(now, job, server);
    }

    /**
     * A request must stop and holds its demand until its agent reports that it has; then it has left, or is evicted.
     */
    default void stopping(long now, int job, int server, String reason) {}

    /** A request was taken off its server; it is pending again. By default the same as displaced. */
    default void evicted(long now, int job, int server, String reason) {
        displaced(now, job, server);
    }

    /** An agent reported a request that should not run on its server: the agent must stop it. */
    default void strayed(long now, long id, int server) {}

    /** A dummy holds capacity. */
    default void dummyPlaced(long now, int dummy, int server, String reason) {}

    /** A dummy ended. */
    default void dummyEnded(long now, int dummy, int server) {}

    /** A server was added (its number is new) or changed its status. */
    default void serverChanged(long now, int server, ServerStatus status) {}

    /** The capacity of a server changed; {@code before} is the old one, an array that the receiver must not keep. */
    default void resized(long now, int server, long[] before) {}

    /** The labels of a server changed. */
    default void labelled(long now, int server) {}

    /** A quantity of the policy's own has a new value. */
    default void gauged(long now, Gauge gauge, long value) {}

    /** A command was refused; {@code subject} is the request id, server, site or type it named. */
    default void refused(long now, long subject, Refusal refusal, String detail) {}
}
