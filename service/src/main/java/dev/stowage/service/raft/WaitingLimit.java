package dev.stowage.service.raft;

import dev.stowage.service.state.Operation;
import dev.stowage.service.state.Operation.Submit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How many requests may wait for a server until the leader turns new ones away: a tenant that submits and never
 * releases would otherwise end the process of every node. Not exact: operations on their way to the log are still
 * accepted.
 */
final class WaitingLimit {
    /** Memory of a waiting request, including its place in policy, tables and snapshots; measured, and rounded up. */
    private static final long BYTES = 1024;
    /** The denominator of the fraction of the heap. */
    private static final long PART = 3;

    private volatile long most;

    WaitingLimit(long heapBytes) {
        most = heapBytes / PART / BYTES;
    }

    long most() {
        return most;
    }

    /** Sets a limit other than the one that follows from the heap. */
    void set(long requests) {
        if (requests < 1) {
            throw new IllegalArgumentException("limit of waiting requests is " + requests + ", must be at least 1");
        }
        most = requests;
    }

    /**
     * Why an operation is turned away, or null.
     *
     * @param waiting requests that wait now
     * @param known whether the request is known already, because retries are answered
     */
    @Nullable
    NotServedException refusal(Operation operation, long waiting, BooleanSupplier known) {
        boolean mayWait = (operation instanceof Submit submit && submit.waitNanos() != 0)
                || (operation instanceof Operation.Gang gang && gang.waitNanos() != 0);
        if (waiting < most || !mayWait || known.getAsBoolean()) {
            return null;
        }
        return new NotServedException(
                NotServedException.Kind.TOO_MANY_WAITING,
                null,
                waiting + " requests are already waiting (limit " + most
                        + "); try again when some have been placed, or with max_wait_nanos 0");
    }
}
