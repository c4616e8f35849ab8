package dev.stowage.service.state;

/**
 * How a request lost the server that it ran on last.
 *
 * @param server the server
 * @param at when, nanoseconds since 1970
 * @param by number of the request that took its place, or -1
 * @param reason why, for people; the other request is named if it is of the same tenant
 */
public record Displacement(int server, long at, long by, String reason) {
    /** No request took the place. */
    public static final long NOBODY = -1;
}
