package dev.stowage.policies.reservation;

/**
 * What a slot is (Psychas and Ghaderi 2020, section 2). The decisions are the same; their meaning and the scaling
 * signal differ.
 */
enum Interpretation {
    /** A request asks for a new VM, created in a slot reserved for its type. */
    REVENUE("slot reserved for the type", "no reserved slot of the type", "filled_slots", "reserved_slots", "slots"),
    /** A request is served by an existing VM of its type; the number of VMs per type is the scaling signal. */
    SERVICE("idle VM of the type", "no idle VM of the type", "busy_vms", "idle_vms", "VMs");

    final String placed;
    final String rejected;
    /** Gauges of the used and the reserved slots, and their unit. */
    final String filled;

    final String empty;
    final String unit;

    Interpretation(String placed, String rejected, String filled, String empty, String unit) {
        this.placed = placed;
        this.rejected = rejected;
        this.filled = filled;
        this.empty = empty;
        this.unit = unit;
    }
}
