package dev.stowage.core.model;

/**
 * Servers alike.
 *
 * @param count how many, at least 0
 * @param capacity capacity of each, per resource
 */
public record ServerBlock(int count, Amounts capacity) {
    /** Checks the count. */
    public ServerBlock {
        if (count < 0) {
            throw new IllegalArgumentException("server count " + count + " is negative");
        }
    }
}
