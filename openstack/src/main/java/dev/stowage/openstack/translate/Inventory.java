package dev.stowage.openstack.translate;

/**
 * What a resource provider has of a resource class, as Placement keeps it.
 *
 * @param total what is there, whole units of the class (VCPU, MEMORY_MB, DISK_GB, ...)
 * @param reserved what is kept back
 * @param ratio allocation ratio
 * @param min the least that one server may take
 * @param max the most that one server may take
 * @param step a server takes a multiple of this
 */
public record Inventory(long total, long reserved, double ratio, long min, long max, long step) {
    /** What may be allocated: (total - reserved) x ratio, rounded down, because allocations are whole. */
    public long capacity() {
        return Math.max(0, (long) Math.floor((total - reserved) * ratio));
    }

    /** Why one server may not take an amount, whatever is free, in words that follow "the host"; empty if it may. */
    public String refuses(String resource, long amount) {
        if (amount > max) {
            return "gives one server at most " + max + " " + resource + " (max_unit), at any ratio";
        }
        if (amount < min) {
            return "gives one server at least " + min + " " + resource + " (min_unit)";
        }
        return amount % step == 0 ? "" : "gives " + resource + " in steps of " + step + " (step_size)";
    }
}
