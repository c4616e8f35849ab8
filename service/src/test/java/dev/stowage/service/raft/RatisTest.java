package dev.stowage.service.raft;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.testkit.Await;
import dev.stowage.testkit.FreePorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.thirdparty.io.grpc.Attributes;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.MethodDescriptor;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.ServerCallHandler;
import org.apache.ratis.thirdparty.io.grpc.ServerTransportFilter;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RatisTest {
    /** How a client of HTTP/2 begins: the preface, and settings without any. */
    private static final byte[] HELLO =
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0".getBytes(StandardCharsets.US_ASCII);

    @TempDir
    Path directory;

    /** Holds the thread of a connection, so that it cannot end. */
    private static final class Slow extends ServerTransportFilter {
        private final AtomicInteger held = new AtomicInteger();
        private final CountDownLatch over = new CountDownLatch(1);

        @Override
        public Attributes transportReady(Attributes attributes) {
            held.incrementAndGet();
            try {
                over.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return attributes;
        }
    }

    private static boolean isOpen(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    /** gRPC waits for them without a limit; at a first start a node then neither founded its group nor said why. */
    @Test
    void aServerClosesThoughConnectionsDoNot() throws Exception {
        int port = FreePorts.one();
        List<NodeSettings.Peer> peers = List.of(new NodeSettings.Peer("n1", "127.0.0.1:" + port));
        Slow slow = new Slow();
        Ratis server = Ratis.withoutGroup(NodeSettings.of("n1", peers, directory), new BaseStateMachine(), slow);
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write(HELLO);
            Await.until("it is held", () -> slow.held.get() > 0);
            server.close();
            assertThat(isOpen(port)).isFalse();
        } finally {
            slow.over.countDown();
        }
    }

    @Test
    void whoAsksAServerThatClosesIsTurnedAway() throws Exception {
        Addressee addressee = new Addressee("n1");
        List<Status> closed = new ArrayList<>();
        ServerCall<String, String> call = new ServerCall<>() {
            @Override
            public void request(int messages) {}

            @Override
            public void sendHeaders(Metadata headers) {}

            @Override
            public void sendMessage(String message) {}

            @Override
            public void close(Status status, Metadata trailers) {
                closed.add(status);
            }

            @Override
            public boolean isCancelled() {
                return false;
            }

            @Override
            public MethodDescriptor<String, String> getMethodDescriptor() {
                throw new UnsupportedOperationException();
            }
        };
        AtomicInteger served = new AtomicInteger();
        ServerCallHandler<String, String> handler = (one, headers) -> {
            served.incrementAndGet();
            return new ServerCall.Listener<>() {};
        };
        addressee.interceptCall(call, new Metadata(), handler);
        assertThat(served).hasValue(1);
        assertThat(closed).isEmpty();
        addressee.close();
        addressee.interceptCall(call, new Metadata(), handler);
        assertThat(served).hasValue(1);
        assertThat(closed).extracting(Status::getCode).containsExactly(Status.Code.UNAVAILABLE);
    }
}
