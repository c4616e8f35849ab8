package dev.stowage.service.api;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.CombinedChannelDuplexHandler;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;

/**
 * Sees which requests of HTTP/1.1 come without the header {@code host}, which RFC 9112 (section 3.2) forbids, and gives
 * them an empty one, which {@link Hosts} refuses. Armeria fills in a name of its own, as is right for HTTP/1.0, and
 * does not tell that it did.
 */
final class HostHeader extends ChannelInboundHandlerAdapter {
    /** By so many bytes Armeria tells HTTP/2 from HTTP/1; then it adds the handlers of the one that it is. */
    private static final int TELLING_BYTES = 4;

    private HostHeader() {}

    /**
     * Looks at the requests of a new connection.
     *
     * @param pipeline as it is before the first bytes
     * @param tls whether TLS comes first, which then tells the protocol
     */
    static void check(ChannelPipeline pipeline, boolean tls) {
        pipeline.addFirst(tls ? new Encrypted() : new Plain());
    }

    /** Is put after the codec of HTTP/1, if that is there. */
    private static boolean enter(ChannelPipeline pipeline) {
        ChannelHandlerContext codec = pipeline.context(CombinedChannelDuplexHandler.class);
        if (codec != null) {
            pipeline.addAfter(codec.name(), null, new HostHeader());
        }
        return codec != null;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof HttpRequest request
                && request.protocolVersion().compareTo(HttpVersion.HTTP_1_1) >= 0
                && !request.headers().contains(HttpHeaderNames.HOST)) {
            request.headers().set(HttpHeaderNames.HOST, "");
        }
        context.fireChannelRead(message);
    }

    /** First of all handlers: hands on what tells the protocol, then the rest. */
    private static final class Plain extends ChannelInboundHandlerAdapter {
        private int told;

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (message instanceof ByteBuf bytes && told + bytes.readableBytes() >= TELLING_BYTES) {
                context.fireChannelRead(bytes.readRetainedSlice(TELLING_BYTES - told));
                enter(context.pipeline());
                context.fireChannelRead(message);
                context.pipeline().remove(this);
                return;
            }
            told += message instanceof ByteBuf bytes ? bytes.readableBytes() : 0;
            context.fireChannelRead(message);
        }
    }

    /** First of all handlers, then last of those of TLS, where the end of the handshake is heard. */
    private static final class Encrypted extends ChannelInboundHandlerAdapter {
        private boolean last;

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ChannelPipeline pipeline = context.pipeline();
            if (!last) {
                Encrypted behind = new Encrypted();
                behind.last = true;
                pipeline.addLast(behind);
                context.fireChannelRead(message);
                pipeline.remove(this);
            } else {
                context.fireChannelRead(message);
            }
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            if (last && enter(context.pipeline())) {
                context.fireUserEventTriggered(event);
                context.pipeline().remove(this);
            } else {
                context.fireUserEventTriggered(event);
            }
        }
    }
}
