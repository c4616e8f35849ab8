package dev.stowage.service.state;

import dev.stowage.core.model.ConstraintWords;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request as the service knows it; a new object for every change, so that a snapshot can keep the old one.
 *
 * @param tenant whose it is
 * @param id the client's id
 * @param number the engine's id: accepted requests are numbered from 0 in order of arrival
 * @param fingerprint hash of the request, so that another request with the same id is noticed
 * @param type name of its type, or empty
 * @param demand amount per resource
 * @param sites names of the sites that may run it; none for every site
 * @param words its further constraints
 * @param state its state
 * @param server where it runs or ran last, or -1
 * @param queue where it waits, or -1
 * @param arrivedAt when it arrived, nanoseconds since 1970
 * @param since when it came into its state or to its server
 * @param waitUntil when it gives up waiting, or {@link Long#MAX_VALUE}
 * @param reason why it is where it is: the rule of the policy
 * @param position log position of its last change
 * @param adjustment the policy's last change of it while it ran; null if there is none, or if it no longer matters
 * @param life its priority, and what its agent reported
 * @param devices those that it holds while it runs, bit i for device i; 0 if none
 * @param displaced how it lost the server that it ran on last, or null if it never did
 */
public record Request(
        String tenant,
        String id,
        long number,
        long fingerprint,
        String type,
        long[] demand,
        List<String> sites,
        ConstraintWords words,
        State state,
        int server,
        int queue,
        long arrivedAt,
        long since,
        long waitUntil,
        String reason,
        long position,
        @Nullable Adjustment adjustment,
        Life life,
        long devices,
        @Nullable Displacement displaced) {
    /** The states of a request. */
    public enum State {
        /** No server yet. */
        WAITING,
        /** On a server. */
        RUNNING,
        /** Over: the client released it. */
        RELEASED,
        /** Over: the policy refused it. */
        REJECTED,
        /** Over: its longest wait has ended. */
        EXPIRED;

        /** Whether it is over. */
        public boolean finished() {
            return this == RELEASED || this == REJECTED || this == EXPIRED;
        }
    }

    /** What its agent has still to carry out, or null. */
    public @Nullable Adjustment unconfirmed() {
        return adjustment == null || adjustment.confirmed() ? null : adjustment;
    }

    /** As it was before anything became of it; to be asked of its first change. */
    Request asItArrived() {
        Life begun = Life.begin(life.priority(), life.agent(), life.expectedNanos());
        return changed(State.WAITING, -1, -1, arrivedAt, "", position, null, begun, 0, null);
    }

    /** In another state, without devices; an unconfirmed change no longer has to be carried out. */
    Request with(State newState, int newServer, int newQueue, long now, String why, long at) {
        Adjustment kept = newState.finished() && unconfirmed() == null ? adjustment : null;
        return changed(newState, newServer, newQueue, now, why, at, kept, life, 0, displaced);
    }

    /** After a change by the policy, on the same or another server. */
    Request adjusted(Adjustment to, long now, String why, long at) {
        return changed(state, to.to(), queue, now, why, at, to, life, devices, displaced);
    }

    /** The same with these devices. */
    Request holding(long newDevices) {
        return newDevices == devices
                ? this
                : changed(state, server, queue, since, reason, position, adjustment, life, newDevices, displaced);
    }

    /** Where it is, with another note. */
    Request living(Life newLife, String why, long at) {
        return changed(state, server, queue, since, why, at, adjustment, newLife, devices, displaced);
    }

    /** The same, once it lost its server. */
    Request displaced(@Nullable Displacement how) {
        return changed(state, server, queue, since, reason, position, adjustment, life, devices, how);
    }

    private Request changed(
            State newState,
            int newServer,
            int newQueue,
            long now,
            String why,
            long at,
            @Nullable Adjustment to,
            Life newLife,
            long newDevices,
            @Nullable Displacement how) {
        return new Request(
                tenant,
                id,
                number,
                fingerprint,
                type,
                demand,
                sites,
                words,
                newState,
                newServer,
                newQueue,
                arrivedAt,
                now,
                waitUntil,
                why,
                at,
                to,
                newLife,
                newDevices,
                how);
    }
}
