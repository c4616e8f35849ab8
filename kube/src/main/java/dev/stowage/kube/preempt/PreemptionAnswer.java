package dev.stowage.kube.preempt;

import dev.stowage.kube.translate.PodFacts;
import java.util.List;

/**
 * What preemption can do for a waiting pod.
 *
 * @param outcome the outcome
 * @param node the node that will have room; empty unless {@link RoomFound#ROOM}
 * @param victims pods to be evicted from it, those with the fewest allowed disruptions first; none if enough are
 *     terminating already
 * @param reason why this node, or what prevents it; for people
 */
public record PreemptionAnswer(RoomFound outcome, String node, List<PodFacts> victims, String reason) {
    /** The outcome. */
    public enum RoomFound {
        /** Some node has room for it now: no pod needs to be evicted. */
        NOT_NEEDED,
        /** A node will have room after evictions. */
        ROOM,
        /** No node would have room, whichever pods are evicted. */
        NO_ROOM
    }

    /** Takes a copy. */
    public PreemptionAnswer {
        victims = List.copyOf(victims);
    }

    /** The same, for a longer reason. */
    public PreemptionAnswer because(String text) {
        return new PreemptionAnswer(outcome, node, victims, text);
    }

    static PreemptionAnswer notNeeded() {
        return new PreemptionAnswer(RoomFound.NOT_NEEDED, "", List.of(), "");
    }

    /** No node would have room, for this reason. */
    public static PreemptionAnswer noRoom(String reason) {
        return new PreemptionAnswer(RoomFound.NO_ROOM, "", List.of(), reason);
    }
}
