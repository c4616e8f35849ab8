package dev.stowage.kube.snapshot;

import dev.stowage.kube.translate.NodeFacts;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Which pods came and went between two snapshots, by what they ask for. Pods of daemon sets and static pods are not
 * counted; those that are being deleted are.
 *
 * @param kinds in the order in which the snapshots have them
 * @param room what each node of the later snapshot has left for kinds that come and go: not what daemon sets hold, nor
 *     kinds of which none came or went
 */
public record PodChanges(List<Kind> kinds, List<Map<String, Long>> room) {
    /**
     * Pods that ask for the same.
     *
     * @param requests amounts by resource
     * @param before how many were there
     * @param stayed how many of these are still there
     * @param came how many are there that were not
     */
    public record Kind(SortedMap<String, Long> requests, int before, int stayed, int came) {
        /** Whether some came or went. */
        public boolean moves() {
            return came > 0 || stayed < before;
        }
    }

    /** Takes copies. */
    public PodChanges {
        kinds = List.copyOf(kinds);
        room = List.copyOf(room);
    }

    /** Compares pods by their unique ids; one that was made again under the same name is another one. */
    public static PodChanges of(NodesAndPods before, NodesAndPods after) {
        Set<String> there = ids(before);
        Set<String> still = ids(after);
        Map<SortedMap<String, Long>, int[]> counts = new LinkedHashMap<>();
        before.pods().stream().filter(PodChanges::counts).forEach(pod -> {
            int[] count = counts.computeIfAbsent(pod.facts().requests(), first -> new int[3]);
            count[0]++;
            count[1] += still.contains(id(pod)) ? 1 : 0;
        });
        after.pods().stream().filter(PodChanges::counts).forEach(pod -> {
            int[] count = counts.computeIfAbsent(pod.facts().requests(), first -> new int[3]);
            count[2] += there.contains(id(pod)) ? 0 : 1;
        });
        List<Kind> kinds = new ArrayList<>();
        counts.forEach((requests, n) -> kinds.add(new Kind(requests, n[0], n[1], n[2])));
        return new PodChanges(kinds, room(after, kinds));
    }

    private static boolean counts(SnapshotPod pod) {
        return pod.bond() != SnapshotPod.Bond.WITH_NODE || pod.facts().terminating();
    }

    private static Set<String> ids(NodesAndPods cluster) {
        Set<String> ids = new HashSet<>();
        cluster.pods().forEach(pod -> ids.add(id(pod)));
        return ids;
    }

    private static String id(SnapshotPod pod) {
        return pod.facts().uid().isEmpty() ? pod.facts().path() : pod.facts().uid();
    }

    private static List<Map<String, Long>> room(NodesAndPods after, List<Kind> kinds) {
        Set<SortedMap<String, Long>> moving = new HashSet<>();
        kinds.stream().filter(Kind::moves).forEach(kind -> moving.add(kind.requests()));
        Map<String, Map<String, Long>> room = new LinkedHashMap<>();
        for (NodeFacts node : after.nodes()) {
            room.put(node.name(), new TreeMap<>(node.allocatable()));
        }
        for (SnapshotPod pod : after.pods()) {
            Map<String, Long> left = room.get(pod.facts().node());
            boolean comesAndGoes = counts(pod) && moving.contains(pod.facts().requests());
            if (left != null && !comesAndGoes && !pod.facts().terminating()) {
                pod.facts().requests().forEach((resource, amount) -> left.merge(resource, -amount, Long::sum));
            }
        }
        return List.copyOf(room.values());
    }
}
