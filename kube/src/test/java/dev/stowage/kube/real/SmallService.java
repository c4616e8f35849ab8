package dev.stowage.kube.real;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Plays a Service: each connection goes to the next of its endpoints; those that are there stay where they are. */
final class SmallService implements AutoCloseable {
    private final ServerSocket listening = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
    private final AtomicInteger next = new AtomicInteger();
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private volatile List<Integer> endpoints = List.of();

    SmallService() throws IOException {
        daemon(this::accept);
    }

    int port() {
        return listening.getLocalPort();
    }

    void endpoints(Integer... ports) {
        endpoints = List.of(ports);
    }

    private static void daemon(Runnable task) {
        Thread thread = new Thread(task, "service");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listening.accept();
                sockets.add(client);
                List<Integer> now = endpoints;
                int port = now.get(next.getAndIncrement() % now.size());
                daemon(() -> serve(client, port));
            }
        } catch (IOException e) {
            // Closed.
        }
    }

    private void serve(Socket client, int port) {
        try (client;
                Socket server = new Socket(InetAddress.getLoopbackAddress(), port)) {
            sockets.add(server);
            daemon(() -> pass(server, client));
            client.getInputStream().transferTo(server.getOutputStream());
        } catch (IOException e) {
            // One of the two has closed the connection, or nobody listens.
        }
    }

    private static void pass(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException e) {
            // As above.
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
