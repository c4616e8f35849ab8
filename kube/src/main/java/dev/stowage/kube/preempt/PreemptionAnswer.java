package dev.stowage.kube.preempt;

import dev.stowage.kube.translate.PodFacts;
import java.util.List;

/**
 * What preemption can do for a waiting pod.
 *
 * @param outcome what it comes to
 * @param node the node that will have room; empty but for {@link RoomFound#ROOM}
 * @param victims pods to be evicted from it, those of the fewest allowed disruptions first; none where enough leave
 *     already
 * @param reason why this node, or what is in the way; for people
 */
public record PreemptionAnswer(RoomFound outcome, String node, List<PodFacts> victims, String reason) {
    /** What it comes to. */
    public enum RoomFound {
        /** Some node has room for it as things are: nobody need go. */
        NOT_NEEDED,
        /** A node will have room. */
        ROOM,
        /** No node would, whoever may go. */
        NO_ROOM
    }

    /** Takes a copy. */
    public PreemptionAnswer {
        victims = List.copyOf(victims);
    }

    static PreemptionAnswer notNeeded() {
        return new PreemptionAnswer(RoomFound.NOT_NEEDED, "", List.of(), "");
    }

    /** No node would have room, for this reason. */
    public static PreemptionAnswer noRoom(String reason) {
        return new PreemptionAnswer(RoomFound.NO_ROOM, "", List.of(), reason);
    }
}
