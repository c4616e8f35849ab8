package dev.stowage.service.api;

import java.time.Duration;

/**
 * How much the API takes at once. What is limited for each caller is limited for each address too: to {@value
 * #CALLERS_OF_ADDRESS} times as much, since several callers may share one. Where there are no tokens only the address
 * distinguishes callers.
 *
 * @param messageBytes longest message
 * @param batch most requests in a batch
 * @param connections most connections
 * @param connectionsOfAddress most connections from one address
 * @param streams most calls under way on a connection
 * @param changes most submits and releases under way of one caller, those in batches counted one by one
 * @param reads most reads under way of one caller
 * @param watches most calls that watch
 * @param watchesOfCaller most calls that watch of one caller
 * @param header until then a new connection must have sent a request
 * @param idle a connection without a call is closed after so long
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

    /** Unless the file says otherwise. */
    public static final ApiLimits USUAL = new ApiLimits(
            4 << 20, 1000, 4096, 1024, 4096, 8192, 256, 4096, 512, Duration.ofSeconds(10), Duration.ofSeconds(60));
}
