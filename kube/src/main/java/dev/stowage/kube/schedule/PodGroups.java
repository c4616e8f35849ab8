package dev.stowage.kube.schedule;

import dev.stowage.core.model.Spread;
import dev.stowage.kube.schedule.KnownPods.KnownPod;
import dev.stowage.kube.translate.GroupSize;
import dev.stowage.kube.translate.PodFacts;
import dev.stowage.kube.translate.PodGroup;
import dev.stowage.kube.translate.PodTerm;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Which pods of a group are placed together, and which groups are bound in part. Once the required number of a group is
 * bound, the group has no further effect: each further pod is scheduled alone, as is one that replaces a lost one.
 */
final class PodGroups {
    private final KnownPods pods;
    /** What objects say of groups, by namespace and name, then by the API of the object. */
    private final Map<String, Map<String, GroupSize>> said = new LinkedHashMap<>();
    /** Groups that are bound in part, with the time since which they are. */
    private final Map<String, Long> inPart = new LinkedHashMap<>();
    /** Groups whose bound pods are being evicted, with the time since which they are. */
    private final Map<String, Long> undoing = new LinkedHashMap<>();

    PodGroups(KnownPods pods) {
        this.pods = pods;
    }

    /**
     * The pods to place when a pod is offered: it alone, or as many as its group still needs, the oldest first, so that
     * surplus pods are left out. None while the group is incomplete.
     */
    List<KnownPod> toPlaceWith(KnownPod offered) {
        Collection<KnownPod> group = pods.groupOf(offered);
        if (group.isEmpty()) {
            return List.of(offered);
        }
        int least = least(group);
        long missing = least - bound(group);
        if (least == 0) {
            return List.of();
        }
        if (missing <= 0) {
            return List.of(offered);
        }
        List<KnownPod> ready = group.stream()
                .filter(one -> one == offered || isReady(one))
                .sorted(Comparator.comparing((KnownPod one) -> one.pod.created())
                        .thenComparing(one -> one.pod.path()))
                .toList();
        return ready.size() < missing || undoing.containsKey(offered.group())
                ? List.of()
                : ready.subList(0, (int) missing);
    }

    /** Pods of a pod's group that wait for the rest of it. */
    List<KnownPod> gathering(KnownPod known) {
        return pods.groupOf(known).stream()
                .filter(one -> one.state == PodState.GATHERING)
                .toList();
    }

    private static boolean isReady(KnownPod one) {
        return !one.inEngine && (one.state == PodState.GATHERING || one.state == PodState.FITS_NOWHERE);
    }

    private static boolean isPlaced(KnownPod one) {
        return one.pod.isBound();
    }

    /** How many are bound at once: as the pods say, else as an object does; 0 if nothing does. */
    private int least(Collection<KnownPod> group) {
        int own = group.stream().mapToInt(one -> one.pod.group().least()).max().orElse(0);
        return own > 0 || group.isEmpty()
                ? own
                : objects(group.iterator().next().group())
                        .mapToInt(GroupSize::least)
                        .max()
                        .orElse(0);
    }

    private Stream<GroupSize> objects(String key) {
        return said.getOrDefault(key, Map.of()).values().stream();
    }

    /**
     * What an object says of a group. Returns the pods of it to offer anew, if that is something else than before;
     * those whose binding was refused are offered later anyway.
     */
    List<KnownPod> learn(GroupSize size) {
        Map<String, GroupSize> objects = said.computeIfAbsent(size.path(), first -> new LinkedHashMap<>());
        boolean changed = !size.equals(objects.put(size.api(), size));
        objects.values().removeIf(one -> one.least() == 0 && one.problem().isEmpty());
        if (objects.isEmpty()) {
            said.remove(size.path());
        }
        return !changed
                ? List.of()
                : pods.group(size.path()).stream()
                        .filter(one -> one.isWaiting() && one.state != PodState.HELD)
                        .toList();
    }

    /** Whether several pods of a pod's group are bound at once. */
    boolean isTogether(KnownPod known) {
        return least(pods.groupOf(known)) > 1;
    }

    /** Whether nothing has said yet how many pods of a pod's group are bound at once. */
    boolean isUnsaid(PodFacts pod) {
        return pod.group().isGang()
                && pod.group().least() == 0
                && !said.containsKey(pod.namespace() + "/" + pod.group().name());
    }

    /** Number of pods that are placed and will stay. */
    private static long bound(Collection<KnownPod> group) {
        return group.stream()
                .filter(one -> isPlaced(one) && !one.pod.terminating())
                .count();
    }

    /**
     * Whether the pods that are placed now complete their group: bindings of others may have been refused meanwhile.
     */
    boolean isEnough(List<KnownPod> now) {
        Collection<KnownPod> group = pods.groupOf(now.get(0));
        return bound(group) + now.size() >= least(group);
    }

    /** Unique ids of the group's placed pods, including those that are placed now. */
    List<String> whole(List<KnownPod> now) {
        Set<String> uids = new TreeSet<>();
        pods.groupOf(now.get(0)).stream().filter(PodGroups::isPlaced).forEach(one -> uids.add(one.pod.uid()));
        now.forEach(one -> uids.add(one.pod.uid()));
        return List.copyOf(uids);
    }

    // ---- groups in part

    /** Bound pods to be evicted, pods that must not be placed meanwhile, and pods to be offered again. */
    record Undo(List<PodFacts> evict, List<KnownPod> hold, List<KnownPod> offer) {}

    /**
     * Looks for groups that are bound in part, because the bindings of the others were refused or their room was taken.
     * The bound pods of such a group are evicted if the others have not followed within {@code patience}; for the same
     * time no other pod of it is placed then.
     */
    Undo look(long now, long patience) {
        List<PodFacts> evict = new ArrayList<>();
        List<KnownPod> hold = new ArrayList<>();
        List<KnownPod> offer = new ArrayList<>();
        Set<String> seen = new LinkedHashSet<>();
        for (Set<KnownPod> group : pods.groups()) {
            List<PodFacts> part = boundInPart(group);
            String key = group.iterator().next().group();
            boolean ends = !part.isEmpty() && part.stream().allMatch(PodFacts::terminating);
            if (!part.isEmpty() && (!ends || undoing.containsKey(key))) {
                seen.add(key);
            }
            if (part.isEmpty() || ends) {
                continue;
            }
            Long since = undoing.getOrDefault(key, inPart.get(key));
            if (since == null) {
                inPart.put(key, now);
            } else if (now - since >= patience) {
                inPart.put(key, now);
                if (undoing.remove(key) == null) {
                    undoing.put(key, now);
                    part.stream().filter(pod -> !pod.terminating()).forEach(evict::add);
                    group.stream().filter(one -> one.inEngine && !isPlaced(one)).forEach(hold::add);
                } else {
                    // They were not evicted, perhaps because of a disruption budget; so the others may try to follow
                    // again.
                    offer.addAll(gathering(group.iterator().next()));
                }
            }
        }
        inPart.keySet().retainAll(seen);
        for (String key : List.copyOf(undoing.keySet())) {
            if (!seen.contains(key)) {
                undoing.remove(key);
                pods.group(key).stream()
                        .filter(one -> one.state == PodState.GATHERING)
                        .forEach(offer::add);
            }
        }
        return new Undo(evict, hold, offer);
    }

    /** The bound pods of a group that is bound in part: some of them were bound together with one that waits. */
    private List<PodFacts> boundInPart(Collection<KnownPod> group) {
        if (bound(group) >= least(group)) {
            return List.of();
        }
        Set<String> waiting = new LinkedHashSet<>();
        group.stream().filter(one -> !isPlaced(one)).forEach(one -> waiting.add(one.pod.uid()));
        return group.stream()
                .filter(one ->
                        isPlaced(one) && one.pod.group().placedWith().stream().anyMatch(waiting::contains))
                .map(one -> one.pod)
                .toList();
    }

    // ---- rules among the pods of a group

    /**
     * How pods that are placed together are kept apart from each other, for each of them: anti-affinity and ports of
     * the node. The pods concerned are placed each on a different node, or in a different domain.
     *
     * @param name unique name of their attempt
     */
    static Map<KnownPod, List<Spread>> apart(List<KnownPod> members, String name) {
        Map<KnownPod, List<Spread>> rules = new LinkedHashMap<>();
        for (KnownPod one : members) {
            Set<String> keys = new TreeSet<>();
            for (KnownPod other : members) {
                if (one != other) {
                    keys.addAll(keys(one.pod, other.pod));
                    keys.addAll(keys(other.pod, one.pod));
                }
            }
            rules.put(one, keys.stream().map(key -> new Spread(name, 1, key)).toList());
        }
        return rules;
    }

    /** Labels of nodes whose values must differ; the empty one stands for the node itself. */
    private static List<String> keys(PodFacts pod, PodFacts other) {
        List<String> keys = new ArrayList<>();
        for (PodTerm apart : pod.apart()) {
            if (apart.selects(other.namespace(), other.labels())) {
                keys.add(apart.key());
            }
        }
        if (pod.hostPorts().stream().anyMatch(one -> other.hostPorts().stream().anyMatch(one::conflictsWith))) {
            keys.add("");
        }
        return keys;
    }

    /** What a pod's group asks for that is not supported; empty if there is nothing. */
    String notKnown(KnownPod known) {
        PodFacts pod = known.pod;
        if (!pod.group().problem().isEmpty()) {
            return pod.group().problem();
        }
        Optional<String> ofObject = objects(known.group())
                .map(GroupSize::problem)
                .filter(problem -> !problem.isEmpty())
                .findFirst();
        if (ofObject.isPresent()) {
            return "the PodGroup " + known.group() + " asks for it: " + ofObject.get();
        }
        if (!isTogether(known)) {
            return "";
        }
        if (!pod.near().isEmpty() && pod.isNear(pod)) {
            return "affinity among pods that are placed together as a group";
        }
        return pod.spread().stream().anyMatch(rule -> rule.selector().selects(pod.labels()))
                ? "topology spread of pods that are placed together as a group"
                : "";
    }

    // ---- for people

    String waitsFor(KnownPod known) {
        Collection<KnownPod> group = pods.groupOf(known);
        if (least(group) == 0) {
            return "neither a PodGroup " + known.pod.group().name() + " nor the label " + PodGroup.LEAST
                    + " says how many pods of that group must be placed together";
        }
        long bound = bound(group);
        return "its group " + known.pod.group().name() + " has " + (group.size() - bound) + " of the "
                + (least(group) - bound) + " pods that must be placed together"
                + (bound == 0 ? "" : ", besides " + bound + " already placed");
    }

    static String together(KnownPod known) {
        PodGang gang = known.gang;
        return gang == null || gang.members().size() == 1
                ? ""
                : gang.members().size() + " pods of its group "
                        + known.pod.group().name() + " are placed together or not at all; for this one: ";
    }
}
