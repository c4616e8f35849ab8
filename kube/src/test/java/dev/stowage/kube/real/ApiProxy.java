package dev.stowage.kube.real;

import dev.stowage.kube.AllTrusted;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * A proxy between a client and the API server that injects faults into chosen requests: the reply is lost after the
 * request took effect, the request is refused or late, or a watch goes silent. Plain HTTP/1.1 on the client's side.
 */
final class ApiProxy implements AutoCloseable {
    private static final Pattern LENGTH = Pattern.compile("(?im)^content-length: *([0-9]+)");

    private final ServerSocket listening;
    private final int serverPort;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private volatile Predicate<String> lost = request -> false;
    private volatile Predicate<String> refused = request -> false;
    private volatile Predicate<String> delayed = request -> false;
    private volatile long delayMillis;
    private volatile String renamed = "";
    private volatile String renamedTo = "";
    /** For each web socket, whether its replies are dropped. */
    private final Set<boolean[]> watching = ConcurrentHashMap.newKeySet();

    /** A proxy from a free port to the API server's. */
    ApiProxy(int serverPort) throws IOException {
        this.serverPort = serverPort;
        listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        daemon(this::accept);
    }

    /** Replies to requests whose first line ({@code POST /api/...}) is chosen are lost from now on. */
    void lose(Predicate<String> requests) {
        lost = requests;
    }

    /** Requests whose first line is chosen are refused from now on, with 403. */
    void refuse(Predicate<String> requests) {
        refused = requests;
    }

    /** Requests whose first line is chosen are passed on so many milliseconds later from now on. */
    void delay(Predicate<String> requests, long millis) {
        delayed = requests;
        delayMillis = millis;
    }

    /** Paths that begin with one are passed on with another in its place from now on. */
    void rename(String path, String other) {
        renamedTo = " " + other;
        renamed = " " + path;
    }

    /** Present watches fall silent: their connections stay open, and their replies are dropped. */
    void muteWatches() {
        watching.forEach(one -> one[0] = true);
    }

    /** The same credentials, for use through this proxy. */
    Path kubeconfig(Path original) throws IOException {
        Path file = original.resolveSibling(original.getFileName() + "-by-" + listening.getLocalPort());
        return Files.writeString(
                file,
                Files.readString(original)
                        .replace("https://127.0.0.1:" + serverPort, "http://127.0.0.1:" + listening.getLocalPort())
                        .replace(", insecure-skip-tls-verify: true", ""));
    }

    private static void daemon(Runnable task) {
        Thread thread = new Thread(task, "proxy");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listening.accept();
                sockets.add(client);
                daemon(() -> serve(client));
            }
        } catch (IOException e) {
            // Closed.
        }
    }

    /** Requests of one connection, whose replies another thread passes back. */
    private void serve(Socket client) {
        boolean[] loseReply = new boolean[1];
        boolean[] mute = new boolean[1];
        try (client;
                Socket server = AllTrusted.sockets().createSocket(InetAddress.getLoopbackAddress(), serverPort)) {
            sockets.add(server);
            InputStream in = new BufferedInputStream(client.getInputStream());
            daemon(() -> passBack(server, client, loseReply, mute));
            for (String head = head(in); !head.isEmpty(); head = head(in)) {
                var length = LENGTH.matcher(head);
                byte[] body = in.readNBytes(length.find() ? Integer.parseInt(length.group(1)) : 0);
                String request = head.substring(0, head.indexOf('\r'));
                if (refused.test(request)) {
                    refuse(client.getOutputStream());
                    return;
                }
                synchronized (loseReply) {
                    loseReply[0] = lost.test(request);
                }
                if (delayed.test(request)) {
                    Thread.sleep(delayMillis);
                }
                OutputStream out = server.getOutputStream();
                if (!renamed.isEmpty() && request.contains(renamed)) {
                    head = head.replaceFirst(Pattern.quote(renamed), renamedTo);
                }
                out.write(head.getBytes(StandardCharsets.ISO_8859_1));
                out.write(body);
                out.flush();
                if (head.contains("\r\nUpgrade: websocket")) {
                    watching.add(mute);
                    in.transferTo(out);
                }
            }
        } catch (IOException | InterruptedException | GeneralSecurityException e) {
            // One of the two has closed the connection, which is allowed.
        } finally {
            sockets.remove(client);
        }
    }

    private void passBack(Socket server, Socket client, boolean[] loseReply, boolean[] mute) {
        byte[] buffer = new byte[1 << 16];
        try (server;
                client) {
            InputStream in = server.getInputStream();
            OutputStream out = client.getOutputStream();
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                synchronized (loseReply) {
                    if (loseReply[0]) {
                        return;
                    }
                }
                if (!mute[0]) {
                    out.write(buffer, 0, n);
                    out.flush();
                }
            }
        } catch (IOException e) {
            // As above.
        } finally {
            sockets.remove(server);
        }
    }

    private static void refuse(OutputStream out) throws IOException {
        String body = "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"code\":403,"
                + "\"reason\":\"Forbidden\",\"message\":\"refused by the test\"}";
        out.write(("HTTP/1.1 403 Forbidden\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: "
                        + body.length() + "\r\n\r\n" + body)
                .getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    /** A request up to its empty line; empty at the end of the connection. */
    private static String head(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        int inARow = 0;
        for (int one = in.read(); one >= 0; one = in.read()) {
            head.write(one);
            inARow = one == '\n' ? inARow + 1 : one == '\r' ? inARow : 0;
            if (inARow == 2) {
                return head.toString(StandardCharsets.ISO_8859_1);
            }
        }
        return "";
    }

    @Override
    public void close() throws IOException {
        listening.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
