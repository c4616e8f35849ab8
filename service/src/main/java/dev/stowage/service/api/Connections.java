package dev.stowage.service.api;

import com.linecorp.armeria.common.logging.RequestLogProperty;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.netty.channel.Channel;
import io.netty.channel.ChannelPipeline;
import io.netty.util.AttributeKey;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Connections, with a limit for each address. One that has not sent all headers of a request in time is closed:
 * Armeria's own idle timeout starts only when the protocol is known, for which a few bytes must arrive.
 */
final class Connections {
    private static final AttributeKey<Boolean> ASKED = AttributeKey.valueOf(Connections.class, "ASKED");
    /** Bytes of an IPv6 network (/64) of one customer, who has all of its addresses. */
    private static final int NETWORK_BYTES = 8;

    private final ApiLimits limits;
    private final boolean tls;
    private final Map<String, Integer> open = new ConcurrentHashMap<>();
    private final LongAdder refused = new LongAdder();
    private final LongAdder silent = new LongAdder();

    Connections(ApiLimits limits, boolean tls) {
        this.limits = limits;
        this.tls = tls;
    }

    /** Accepts a new connection, or closes it. */
    void begin(ChannelPipeline pipeline) {
        Channel channel = pipeline.channel();
        String address = address(channel.remoteAddress());
        if (open.merge(address, 1, Integer::sum) > limits.connectionsOfAddress()) {
            end(address);
            refused.increment();
            Future<?> unused = channel.close();
            return;
        }
        HostHeader.check(pipeline, tls);
        Future<?> unused = channel.closeFuture().addListener(ended -> end(address));
        Future<?> unusedToo = channel.eventLoop()
                .schedule(() -> closeIfSilent(channel), limits.header().toMillis(), TimeUnit.MILLISECONDS);
    }

    private void end(String address) {
        open.computeIfPresent(address, (key, now) -> now <= 1 ? null : now - 1);
    }

    private void closeIfSilent(Channel channel) {
        if (channel.isOpen() && !channel.hasAttr(ASKED)) {
            silent.increment();
            Future<?> unused = channel.close();
        }
    }

    /** Notes that the connection of this request has sent one. */
    static void asked(ServiceRequestContext context) {
        if (context.log().isAvailable(RequestLogProperty.SESSION)) {
            Channel channel = context.log().partial().channel();
            if (channel != null && !channel.hasAttr(ASKED)) {
                channel.attr(ASKED).set(Boolean.TRUE);
            }
        }
    }

    /**
     * Closes the connection once this call is answered, for its request may come for ever; over HTTP/2 Armeria ends
     * only the stream.
     */
    static void endAfter(ServiceRequestContext context) {
        if (!context.sessionProtocol().isMultiplex()) {
            var unusedToo = context.log().whenComplete().thenAccept(log -> {
                Channel channel = log.channel();
                if (channel != null) {
                    Future<?> unused = channel.close();
                }
            });
        }
    }

    /** How many are open. */
    int count() {
        return open.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** How many were closed because their address had too many. */
    long refused() {
        return refused.sum();
    }

    /** How many were closed because they sent no request. */
    long silent() {
        return silent.sum();
    }

    /** The address that a connection counts for: an IPv4 address, or an IPv6 network. */
    static String address(@Nullable SocketAddress remote) {
        InetAddress address = remote instanceof InetSocketAddress inet ? inet.getAddress() : null;
        if (address == null) {
            return "unknown";
        }
        byte[] bytes = address.getAddress();
        return bytes.length <= NETWORK_BYTES || address.isLoopbackAddress()
                ? address.getHostAddress()
                : HexFormat.ofDelimiter(":").formatHex(Arrays.copyOf(bytes, NETWORK_BYTES)) + "/64";
    }
}
