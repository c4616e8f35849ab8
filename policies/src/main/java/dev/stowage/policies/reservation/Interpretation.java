package dev.stowage.policies.reservation;

/**
 * What a slot is (Psychas and Ghaderi 2020, section 2). The decisions are the same; what they mean, and the signal they
 * give, is not.
 */
enum Interpretation {
    /** A request asks for a new VM, created in a slot reserved for its type. */
    REVENUE("slot reserved for the type", "no reserved slot of the type", "filled_slots", "reserved_slots", "slots"),
    /** A request is served by a VM of its type that is there already; the VMs per type are the scaling signal. */
    SERVICE("idle VM of the type", "no idle VM of the type", "busy_vms", "idle_vms", "VMs");

    final String placed;
    final String rejected;
    /** Gauges of what is used and what is held ready, and their unit. */
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
