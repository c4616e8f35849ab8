package dev.stowage.kube.translate;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The group of pods that a pod belongs to, of which a number is bound at once or not at all (a gang). The pod's spec
 * names it, or its labels and annotations, which count alike; these may say the number, too, else an object does
 * ({@link GroupSize}).
 *
 * <p>Source: Kubernetes, {@code spec.schedulingGroup} of pods; kubernetes-sigs/scheduler-plugins, coscheduling: {@code
 * scheduling.x-k8s.io/pod-group} names the group; in its form without objects {@code
 * pod-group.scheduling.sigs.k8s.io/name} and {@code .../min-available} do.
 *
 * @param name name of the group within the pod's namespace, empty for none
 * @param least how many are bound at once, as the pod says; 0 if it does not
 * @param placedWith unique ids of all pods that the group had when this one was bound as a part of it
 * @param problem what is not supported about the group, empty if nothing; for people
 */
public record PodGroup(String name, int least, List<String> placedWith, String problem) {
    /** No group. */
    public static final PodGroup NONE = new PodGroup("", 1, List.of(), "");

    /**
     * The annotation that a binding gives to a pod of a group; it identifies a group that is bound in part after a
     * restart.
     */
    public static final String PLACED_WITH = "stowage.dev/placed-with";

    /** The label or annotation that says how many are bound at once. */
    public static final String LEAST = "pod-group.scheduling.sigs.k8s.io/min-available";

    private static final List<String> NAMES = List.of(
            "scheduling.x-k8s.io/pod-group",
            "pod-group.scheduling.sigs.k8s.io/name",
            "pod-group.scheduling.sigs.k8s.io");
    /** Groups of other schedulers, whose size is defined elsewhere. */
    private static final List<String> OTHERS = List.of(
            "scheduling.k8s.io/group-name", "scheduling.volcano.sh/group-name", "kueue.x-k8s.io/pod-group-name");

    static final int MOST = 10_000;

    /** Takes a copy. */
    public PodGroup {
        placedWith = List.copyOf(placedWith);
    }

    /**
     * The group of a pod.
     *
     * @param inSpec its name as the pod's spec has it, empty for none
     */
    static PodGroup of(String inSpec, Map<String, String> labels, Map<String, String> annotations) {
        Map<String, String> all = new TreeMap<>(annotations);
        all.putAll(labels);
        List<String> names = Stream.concat(
                        Stream.of(inSpec).filter(name -> !name.isEmpty()),
                        NAMES.stream().filter(all::containsKey).map(all::get))
                .distinct()
                .toList();
        List<String> problems = new ArrayList<>();
        OTHERS.stream()
                .filter(all::containsKey)
                .forEach(key ->
                        problems.add("a pod group by " + key + " (" + NAMES.get(0) + " and " + LEAST + " are known)"));
        if (names.size() > 1) {
            problems.add("two pod groups, " + String.join(" and ", names));
        }
        int least = 0;
        if (all.containsKey(LEAST)) {
            least = least(all.get(LEAST));
            if (names.isEmpty()) {
                problems.add(LEAST + " without the name of a pod group (" + NAMES.get(0) + ")");
            } else if (least == 0) {
                problems.add(
                        "the pod group " + names.get(0) + ", whose " + LEAST + " is not a number from 1 to " + MOST);
            }
        }
        String placedWith = annotations.getOrDefault(PLACED_WITH, "");
        return names.isEmpty() && problems.isEmpty()
                ? NONE
                : new PodGroup(
                        names.isEmpty() ? "" : names.get(0),
                        least,
                        placedWith.isEmpty() ? List.of() : List.of(placedWith.split(",")),
                        String.join("; ", problems));
    }

    private static int least(String text) {
        try {
            int least = Integer.parseInt(text);
            return least > MOST ? 0 : Math.max(0, least);
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    /** Whether it is one whose pods are bound together. */
    public boolean isGang() {
        return !name.isEmpty() && problem.isEmpty();
    }

    /** The same, for a pod that is bound together with these. */
    public PodGroup placedWith(List<String> uids) {
        return new PodGroup(name, least, uids, problem);
    }
}
