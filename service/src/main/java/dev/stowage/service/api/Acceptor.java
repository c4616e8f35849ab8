package dev.stowage.service.api;

import com.linecorp.armeria.common.Flags;
import com.linecorp.armeria.common.util.ThreadFactories;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.kqueue.KQueueIoHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * The thread of a server that accepts connections. Once its socket is closed there is nothing left for it to do, so it
 * ends at once; Netty's own would wait for two seconds for more work.
 */
final class Acceptor extends MultiThreadIoEventLoopGroup {
    Acceptor(String name) {
        super(1, ThreadFactories.newEventLoopThreadFactory(name, false), sockets());
    }

    /** Of the kind that Armeria opens. */
    private static IoHandlerFactory sockets() {
        return switch (Flags.transportType()) {
            case EPOLL -> EpollIoHandler.newFactory();
            case KQUEUE -> KQueueIoHandler.newFactory();
            case NIO, IO_URING -> NioIoHandler.newFactory();
        };
    }

    @Override
    public Future<?> shutdownGracefully() {
        return shutdownGracefully(0, 15, TimeUnit.SECONDS);
    }
}
