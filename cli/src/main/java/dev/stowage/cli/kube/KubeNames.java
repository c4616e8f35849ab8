package dev.stowage.cli.kube;

import dev.stowage.kube.translate.PodGpus;
import dev.stowage.kube.translate.Taint;
import dev.stowage.study.advise.ClusterServer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Names of nodes, pods, labels and taints, or numbers in their place. */
final class KubeNames {
    private static final List<String> PUBLIC = List.of("cpu", "memory", "pods", "ephemeral-storage", PodGpus.GPU);

    private final boolean hidden;
    private final String zoneLabel;
    private final Map<String, String> given = new LinkedHashMap<>();
    private final Map<String, Integer> counts = new LinkedHashMap<>();

    /**
     * Names.
     *
     * @param hidden whether numbers replace them
     * @param zoneLabel the label of nodes that is kept
     */
    KubeNames(boolean hidden, String zoneLabel) {
        this.hidden = hidden;
        this.zoneLabel = zoneLabel;
    }

    boolean hidden() {
        return hidden;
    }

    String node(String name) {
        return shown("node", name);
    }

    String pod(String path) {
        return shown("pod", path);
    }

    String group(String path) {
        return shown("group", path);
    }

    String budget(String path) {
        return shown("budget", path);
    }

    String resource(String name) {
        return PUBLIC.contains(name) ? name : shown("resource", name);
    }

    /** Words about a node whose taint is not tolerated. */
    String taint(Taint taint) {
        if (taint.equals(Taint.CORDONED)) {
            return "is cordoned";
        }
        if (taint.equals(Taint.NOT_READY) || taint.equals(Taint.UNREACHABLE)) {
            return "is not ready";
        }
        return hidden
                ? "has a taint that it does not tolerate"
                : "has the taint " + taint + " that it does not tolerate";
    }

    /** Words about a label. */
    String label(String key) {
        return hidden && !key.equals("kubernetes.io/hostname") ? shown("label", key) : key;
    }

    /** The labels that are shown: if names are hidden, only the zone and what runs the cluster itself. */
    SortedMap<String, String> labels(SortedMap<String, String> labels) {
        if (!hidden) {
            return labels;
        }
        SortedMap<String, String> shown = new TreeMap<>();
        String zone = labels.get(zoneLabel);
        if (zone != null) {
            shown.put(zoneLabel, shown("zone", zone));
        }
        for (String role : ClusterServer.OWN_ROLES) {
            if (labels.containsKey(role)) {
                shown.put(role, "");
            }
        }
        return shown;
    }

    /** A reason up to its colon or bracket, after which there are names. */
    static String withoutDetails(String reason) {
        return reason.replaceFirst("(:| \\().*", "");
    }

    private String shown(String kind, String name) {
        return hidden
                ? given.computeIfAbsent(kind + " " + name, first -> kind + "-" + counts.merge(kind, 1, Integer::sum))
                : name;
    }
}
