package dev.stowage.service.api;

import com.linecorp.armeria.server.Server;
import io.netty.channel.Channel;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoop;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The thread of a server that accepts its connections. Left alone, it would wait for two seconds for more work before
 * it ends, and the server with it; but once the server ends there is nothing left for it to do.
 */
final class Acceptor {
    private volatile @Nullable EventLoop thread;

    /** To be called for each connection: Armeria shows the thread by these only. */
    void accepted(ChannelPipeline pipeline) {
        Channel socket = pipeline.channel().parent();
        if (socket != null) {
            thread = socket.eventLoop();
        }
    }

    /** Ends the server, which takes no new connection from now on; waits until what it serves is over. */
    void end(Server server) {
        CompletableFuture<Void> stopped = server.stop();
        EventLoop known = thread;
        if (known != null) {
            known.parent().shutdownGracefully(0, 15, TimeUnit.SECONDS);
        }
        stopped.join();
    }
}
