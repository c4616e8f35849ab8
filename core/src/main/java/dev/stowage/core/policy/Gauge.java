package dev.stowage.core.policy;

/**
 * A quantity that a policy tells about itself: slots reserved, servers an idealised packing would need. It is for
 * people and plots; it is no decision, part of no digest, and not saved.
 *
 * @param name name with labels, as in {@code reserved_slots{type=small}}; labels in braces, separated by commas
 * @param unit unit of its values, as in {@code slots}
 */
public record Gauge(String name, String unit) {
    /** Checks that there is a name. */
    public Gauge {
        if (name.isBlank() || name.indexOf('{') == 0) {
            throw new IllegalArgumentException("a gauge needs a name, not \"" + name + "\"");
        }
    }
}
