package dev.stowage.service.simulation;

import dev.stowage.service.state.Outcome;
import dev.stowage.service.state.Request;
import org.jspecify.annotations.Nullable;

/**
 * A node's reply.
 *
 * @param served whether it was done; otherwise ask elsewhere
 * @param leader who may know better, or -1
 * @param outcome what became of an operation
 * @param read the request that was read, or null if there is none
 * @param position log position that the reply has seen
 */
record Reply(
        boolean served,
        int leader,
        @Nullable Outcome outcome,
        @Nullable Request read,
        long position) {
    static Reply askElsewhere(int leader) {
        return new Reply(false, leader, null, null, -1);
    }
}
