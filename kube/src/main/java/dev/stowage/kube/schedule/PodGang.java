package dev.stowage.kube.schedule;

import dev.stowage.kube.schedule.KnownPods.KnownPod;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Pods that form a gang in the engine, from their arrival until all are placed or they are removed again. */
final class PodGang {
    private final List<KnownPod> members;
    private final Map<KnownPod, EngineEvents.Event> placed = new LinkedHashMap<>();

    PodGang(List<KnownPod> members) {
        this.members = List.copyOf(members);
    }

    /** Its members form a gang from now on. */
    void begin() {
        members.forEach(member -> member.gang = this);
    }

    List<KnownPod> members() {
        return members;
    }

    /** One was placed. Returns whether all are. */
    boolean placed(KnownPod member, EngineEvents.Event event) {
        placed.put(member, event);
        return placed.size() == members.size();
    }

    /** The members with their placements. */
    Map<KnownPod, EngineEvents.Event> placements() {
        return placed;
    }

    /** Dissolves the gang. */
    void end() {
        members.forEach(member -> member.gang = null);
    }
}
