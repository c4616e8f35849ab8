package dev.stowage.kube.schedule;

import dev.stowage.core.engine.Refusal;
import dev.stowage.core.policy.View;
import dev.stowage.kube.translate.NodeOccupancy;
import dev.stowage.kube.translate.NodeVerdict;
import dev.stowage.kube.translate.PodFacts;
import dev.stowage.kube.translate.PodVolumes;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The pods of a cluster with the state of each, by unique id and by the id that the engine knows, and why one waits.
 */
final class KnownPods {
    /** The order in which pods are offered: by priority, then age, then name. */
    static final Comparator<KnownPod> OFFERED_FIRST = Comparator.comparing(
                    (KnownPod each) -> -(long) each.pod.priority())
            .thenComparing(each -> each.pod.created())
            .thenComparing(each -> each.pod.path());

    private final Map<String, KnownPod> byUid = new LinkedHashMap<>();
    private final Map<Long, KnownPod> byId = new LinkedHashMap<>();
    /** Pods of groups, by namespace and name of the group. */
    private final Map<String, Set<KnownPod>> byGroup = new LinkedHashMap<>();

    private long nextId;

    /** A known pod and its state. */
    static final class KnownPod {
        /** Its id in the engine. */
        final long id;

        PodFacts pod;
        PodState state = PodState.NOT_KNOWN;
        /** Its kind, or {@link View#NONE} if it needs none. */
        int kind = View.NONE;

        boolean mustHaveKind;
        /** Whether it may not like all nodes alike. */
        boolean prefers;
        /** The gang that it is placed with, from when the engine has it until it is bound. */
        @Nullable
        PodGang gang;
        /** Key of its group, empty for none. */
        private String group = "";

        boolean inEngine;
        /** What the engine counts of GPUs while it waits, in thousandths. */
        long gpus;
        /** Why it waits. */
        private String why = "";
        /** Why no pod is evicted for it; empty if that was not examined or is not needed. */
        String preemption = "";
        /** Why the engine refused it, if that is the reason. */
        private @Nullable Refusal refusal;

        private KnownPod(PodFacts pod, long id) {
            this.pod = pod;
            this.id = id;
        }

        /** Key of its group, empty for none. */
        String group() {
            return group;
        }

        void waitsFor(String reason) {
            why = reason;
            refusal = null;
        }

        boolean isWaitingFor(String reason) {
            return why.equals(reason);
        }

        void waitsFor(EngineEvents.Refused refused) {
            why = refused.toString();
            refusal = refused.why();
        }

        boolean isWaiting() {
            return !pod.isBound() && state != PodState.ASSUMED;
        }
    }

    KnownPod add(PodFacts pod) {
        KnownPod added = new KnownPod(pod, nextId++);
        byUid.put(pod.uid(), added);
        byId.put(added.id, added);
        regroup(added);
        return added;
    }

    /** Updates the group that a pod belongs to, if it has changed. */
    void regroup(KnownPod known) {
        String now = known.pod.group().isGang()
                ? known.pod.namespace() + "/" + known.pod.group().name()
                : "";
        if (!now.equals(known.group)) {
            partFromGroup(known);
            known.group = now;
            if (!now.isEmpty()) {
                byGroup.computeIfAbsent(now, first -> new LinkedHashSet<>()).add(known);
            }
        }
    }

    private void partFromGroup(KnownPod known) {
        Set<KnownPod> members = byGroup.get(known.group);
        if (members != null && members.remove(known) && members.isEmpty()) {
            byGroup.remove(known.group);
        }
        known.group = "";
    }

    /** The pods of a pod's group, itself included; none if it has no group. */
    Collection<KnownPod> groupOf(KnownPod known) {
        return group(known.group);
    }

    /** The pods of a group, by namespace and name of it. */
    Collection<KnownPod> group(String key) {
        return byGroup.getOrDefault(key, Set.of());
    }

    /** The pods of each group. */
    Collection<Set<KnownPod>> groups() {
        return byGroup.values();
    }

    @Nullable
    KnownPod get(String uid) {
        return byUid.get(uid);
    }

    @Nullable
    KnownPod withId(long id) {
        return byId.get(id);
    }

    @Nullable
    KnownPod remove(String uid) {
        KnownPod removed = byUid.remove(uid);
        if (removed != null) {
            byId.remove(removed.id);
            partFromGroup(removed);
        }
        return removed;
    }

    Collection<KnownPod> all() {
        return byUid.values();
    }

    /** The pods that wait for a node, except those whose binding was refused: by priority, then age, then name. */
    List<KnownPod> toOffer() {
        return byUid.values().stream()
                .filter(each -> each.isWaiting() && each.state != PodState.HELD)
                .sorted(OFFERED_FIRST)
                .toList();
    }

    List<KnownPod> in(PodState state) {
        return byUid.values().stream().filter(each -> each.state == state).toList();
    }

    /** How many pods are in each state. */
    Map<PodState, Integer> counts() {
        Map<PodState, Integer> counts = new TreeMap<>();
        byUid.values().forEach(each -> counts.merge(each.state, 1, Integer::sum));
        return counts;
    }

    /** Why a pod waits and what would help, empty if it does not. */
    String explain(String uid, NodeOccupancy occupancy, PodGroups groups) {
        KnownPod known = byUid.get(uid);
        if (known == null || (!known.isWaiting() && known.state != PodState.NOMINATED)) {
            return "";
        }
        String ignored =
                known.pod.ignored().isEmpty() ? "" : ". Ignored preferences: " + String.join(", ", known.pod.ignored());
        if (known.state == PodState.GATHERING) {
            return "waits: " + groups.waitsFor(known) + ignored;
        }
        String together = known.pod.group().isGang() ? PodGroups.together(known) : "";
        return switch (known.state) {
            case NOT_KNOWN ->
                "waits: "
                        + (known.why.startsWith(PodVolumes.CLAIM)
                                ? ""
                                : "asks for something that Stowage does not know: ")
                        + known.why + ignored;
            case NOMINATED -> "waits " + known.why + ignored;
            case HELD -> "waits to be tried again: " + known.why + ignored;
            default ->
                "waits: " + together + new NodeVerdict(known.pod, occupancy).summary() + refusal(known)
                        + (known.preemption.isEmpty() ? "" : "; preemption: " + known.preemption) + ignored;
        };
    }

    private static String refusal(KnownPod known) {
        return known.refusal == Refusal.CONSTRAINT || known.refusal == Refusal.UNSUPPORTED
                ? " (" + known.why + ")"
                : "";
    }
}
