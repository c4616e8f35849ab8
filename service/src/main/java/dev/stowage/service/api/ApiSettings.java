package dev.stowage.service.api;

import dev.stowage.service.raft.Tls;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How a node's API is reached.
 *
 * @param listen address and port; port 0 takes a free one
 * @param addresses of the API of every node, {@code host:port} by the node's id
 * @param limits how much it takes
 * @param access who may call
 * @param tls certificates, or null for none
 * @param rates most requests a second by tenant; {@code *} for those without a rate of their own
 * @param leases default leases of servers
 * @param replay the command that replays this node's log, without its options; empty for none
 * @param plan the command that plans how to empty servers, and reads them as pages; empty for none
 */
public record ApiSettings(
        InetSocketAddress listen,
        Map<String, String> addresses,
        ApiLimits limits,
        Access access,
        @Nullable Tls tls,
        Map<String, Rates> rates,
        LeaseTimes leases,
        List<String> replay,
        List<String> plan) {
    /** The default port. */
    public static final int PORT = 7411;

    /** Takes a copy. */
    public ApiSettings {
        addresses = Collections.unmodifiableMap(new TreeMap<>(addresses));
        rates = Map.copyOf(new TreeMap<>(rates));
        replay = List.copyOf(replay);
        plan = List.copyOf(plan);
    }

    /** Without tokens and TLS. */
    public ApiSettings(InetSocketAddress listen, Map<String, String> addresses, ApiLimits limits) {
        this(listen, addresses, limits, Access.OPEN, null, Map.of(), LeaseTimes.USUAL, List.of(), List.of());
    }

    /** A single node, reachable from its machine only. */
    public static ApiSettings loopback(int port) {
        return new ApiSettings(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port), Map.of(), ApiLimits.USUAL);
    }

    /** The same with tokens, and over TLS if certificates are given. */
    public ApiSettings secured(Access whom, @Nullable Tls how) {
        return new ApiSettings(listen, addresses, limits, whom, how, rates, leases, replay, plan);
    }

    /** The same with other limits. */
    public ApiSettings limited(ApiLimits other) {
        return new ApiSettings(listen, addresses, other, access, tls, rates, leases, replay, plan);
    }

    /** The same with limits of rates. */
    public ApiSettings withRates(Map<String, Rates> perSecond) {
        return new ApiSettings(listen, addresses, limits, access, tls, perSecond, leases, replay, plan);
    }

    /** The same with other leases. */
    public ApiSettings withLeases(LeaseTimes other) {
        return new ApiSettings(listen, addresses, limits, access, tls, rates, other, replay, plan);
    }

    /** The same with a way to replay its log. */
    public ApiSettings withReplay(List<String> command) {
        return new ApiSettings(listen, addresses, limits, access, tls, rates, leases, command, plan);
    }

    /** The same with a way to plan how to empty servers. */
    public ApiSettings withPlan(List<String> command) {
        return new ApiSettings(listen, addresses, limits, access, tls, rates, leases, replay, command);
    }
}
