package dev.stowage.core.model;

/**
 * A resource that every server has an amount of, in whole units.
 *
 * @param name name with its unit at the end, e.g. {@code cpu_milli}, {@code mem_mib}
 * @param divisible whether a policy divides it among running requests with {@code allocate}; a request then holds what
 *     it was allocated instead of its demand. At most one resource of a cluster is divisible.
 */
public record Resource(String name, boolean divisible) {
    /** A resource of which a request holds its demand. */
    public static Resource of(String name) {
        return new Resource(name, false);
    }
}
