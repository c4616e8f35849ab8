package dev.stowage.kube.translate;

/**
 * A taint of a node that keeps pods away: of effect {@code NoSchedule} or {@code NoExecute}.
 *
 * @param key key
 * @param value value, empty for none
 * @param effect effect
 */
public record Taint(String key, String value, String effect) {
    /** What a cordoned node has, whether or not the controllers have written it down yet. */
    public static final Taint CORDONED = new Taint("node.kubernetes.io/unschedulable", "", "NoSchedule");
    /** What a node has that says it is not ready. */
    public static final Taint NOT_READY = new Taint("node.kubernetes.io/not-ready", "", "NoSchedule");
    /** What an unreachable node has. */
    public static final Taint UNREACHABLE = new Taint("node.kubernetes.io/unreachable", "", "NoSchedule");

    /** The text form of kubectl: {@code key=value:effect}. */
    @Override
    public String toString() {
        return key + (value.isEmpty() ? "" : "=" + value) + ":" + effect;
    }
}
