package dev.stowage.service.api;

import java.time.Duration;

/**
 * How much the API takes at once. Each limit per caller also holds per address, with {@value #CALLERS_OF_ADDRESS} times
 * the value, because several callers may share an address. Without tokens only the address distinguishes callers.
 *
 * @param messageBytes longest message
 * @param batch most requests in a batch
 * @param connections most connections
 * @param connectionsOfAddress most connections from one address
 * @param streams most calls under way on a connection
 * @param changes most submits and releases under way of one caller, those in batches counted one by one
 * @param reads most reads under way of one caller
 * @param watches most watches
 * @param watchesOfCaller most watches of one caller
 * @param header time in which a new connection must have sent a request
 * @param idle time after which a connection without a call is closed
 */
public record ApiLimits(
        int messageBytes,
        int batch,
        int connections,
        int connectionsOfAddress,
        int streams,
        int changes,
        int reads,
        int watches,
        int watchesOfCaller,
        Duration header,
        Duration idle) {
    static final int CALLERS_OF_ADDRESS = 4;

    /** The defaults. */
    public static final ApiLimits USUAL = new ApiLimits(
            4 << 20, 1000, 4096, 1024, 4096, 8192, 256, 4096, 512, Duration.ofSeconds(10), Duration.ofSeconds(60));
}
