package dev.stowage.service.api;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.TreeMap;

/**
 * How a node's API is reached.
 *
 * @param listen address and port; port 0 takes a free one
 * @param addresses of the API of every node, {@code host:port} by the node's id
 * @param limits how much it takes
 */
public record ApiSettings(InetSocketAddress listen, Map<String, String> addresses, ApiLimits limits) {
    /** Takes a copy. */
    public ApiSettings {
        addresses = Map.copyOf(new TreeMap<>(addresses));
    }

    /** A node on its own, reached from its machine only. */
    public static ApiSettings loopback(int port) {
        return new ApiSettings(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port), Map.of(), ApiLimits.USUAL);
    }
}
