package dev.stowage.kube.translate;

/**
 * A taint of a node.
 *
 * @param key key
 * @param value value, empty for none
 * @param effect effect
 */
public record Taint(String key, String value, String effect) {
    /** The taint of a cordoned node, whether or not the controllers have added it yet. */
    public static final Taint CORDONED = new Taint("node.kubernetes.io/unschedulable", "", "NoSchedule");
    /** The taint of a node that is not ready. */
    public static final Taint NOT_READY = new Taint("node.kubernetes.io/not-ready", "", "NoSchedule");
    /** The taint of an unreachable node. */
    public static final Taint UNREACHABLE = new Taint("node.kubernetes.io/unreachable", "", "NoSchedule");

    /** The text form of kubectl: {@code key=value:effect}. */
    @Override
    public String toString() {
        return key + (value.isEmpty() ? "" : "=" + value) + ":" + effect;
    }
}
