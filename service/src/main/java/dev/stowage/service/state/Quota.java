package dev.stowage.service.state;

/**
 * Limits of what a tenant may have in the system at once, waiting or running.
 *
 * @param requests most requests, or {@link #ANY}
 * @param amounts most of each resource, {@link #ANY} for no limit; empty for no limit at all
 */
public record Quota(long requests, long[] amounts) {
    /** No limit. */
    public static final long ANY = -1;

    /** Name that stands for every tenant without a quota of its own. */
    public static final String EVERYBODY = "*";
}
