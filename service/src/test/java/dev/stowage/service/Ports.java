package dev.stowage.service;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports for nodes that are started later, or again: free now, and below those that the system gives to outgoing
 * connections, so that no connection takes one meanwhile. JVMs that run tests side by side draw from ports of their
 * own, so that neither takes that of a node which the other has stopped for a while.
 */
public final class Ports {
    private static final int PART = 5_500;
    private static final int FROM = 10_000 + PART * (Integer.getInteger("test.jvm", 1) % 4);

    /** Those of this JVM: tests that run side by side in it draw no port twice. */
    private static final Set<Integer> DRAWN = ConcurrentHashMap.newKeySet();

    private Ports() {}

    /** So many different ports of loopback. */
    public static List<Integer> free(int count) throws IOException {
        List<ServerSocket> sockets = new ArrayList<>();
        try {
            while (sockets.size() < count) {
                tryOne(sockets);
            }
            return sockets.stream().map(ServerSocket::getLocalPort).toList();
        } finally {
            for (ServerSocket socket : sockets) {
                socket.close();
            }
        }
    }

    private static void tryOne(List<ServerSocket> sockets) {
        try {
            int port = ThreadLocalRandom.current().nextInt(FROM, FROM + PART);
            if (DRAWN.add(port)) {
                sockets.add(new ServerSocket(port, 1, InetAddress.getLoopbackAddress()));
            }
        } catch (IOException e) {
            // It is taken; another one.
            return;
        }
    }
}
