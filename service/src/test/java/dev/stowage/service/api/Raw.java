package dev.stowage.service.api;

import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.Policies;
import dev.stowage.service.raft.NodeSettings;
import dev.stowage.service.raft.RaftNode;
import dev.stowage.service.raft.Tls;
import dev.stowage.service.state.Setting;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** HTTP/1.1 as bytes over a socket, for what no client library sends; and a node to send it to. */
final class Raw {
    private static final Pattern CHUNKED = Pattern.compile("(?i)transfer-encoding: *chunked");
    private static final Pattern LENGTH = Pattern.compile("(?i)content-length: *(\\d+)");

    private Raw() {}

    /** Ten servers of ten cores, best fit. */
    static RaftNode node(Path directory) throws IOException, InterruptedException {
        Cluster cluster = new Cluster(
                List.of(Resource.of("cpu")),
                List.of(),
                List.of(Site.of("here", new ServerBlock(10, Amounts.of(10)))),
                List.of(RequestType.of("small", 1)));
        RaftNode node = RaftNode.start(
                NodeSettings.single(directory),
                new Policies(),
                new Setting(cluster, PolicySpec.of("best-fit"), 1, TimeUnit.MINUTES.toNanos(10)));
        while (!node.status().ready()) {
            Thread.sleep(10);
        }
        return node;
    }

    /** A connection from one of this machine's loopback addresses. */
    static Socket connect(String from, int port) throws IOException {
        Socket socket = new Socket();
        socket.bind(new InetSocketAddress(InetAddress.getByName(from), 0));
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return socket;
    }

    /** Sends a request, its lines as given, and returns the answer. */
    static String send(int port, String body, String... lines) throws IOException {
        return send("127.0.0.1", port, body, lines);
    }

    static String send(String from, int port, String body, String... lines) throws IOException {
        try (Socket socket = connect(from, port)) {
            return send(socket, body, lines);
        }
    }

    /** Over TLS, to a server that shows a certificate of this authority. */
    static String encrypted(Tls tls, String host, int port, String... lines)
            throws IOException, GeneralSecurityException {
        KeyStore known = KeyStore.getInstance(KeyStore.getDefaultType());
        known.load(null, null);
        try (InputStream in = Files.newInputStream(tls.authority())) {
            known.setCertificateEntry(
                    "authority", CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(known);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        try (Socket socket = context.getSocketFactory().createSocket(host, port)) {
            return send(socket, "", lines);
        }
    }

    private static String send(Socket socket, String body, String... lines) throws IOException {
        StringBuilder text = new StringBuilder();
        for (String line : lines) {
            text.append(line).append("\r\n");
        }
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > 0) {
            text.append("content-length: ").append(bytes.length).append("\r\n");
        }
        text.append("connection: close\r\n\r\n");
        socket.getOutputStream().write(text.toString().getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
        return answer(socket.getInputStream());
    }

    /** As much as it says that it is long, or all of its chunks; all until the end of the connection if neither. */
    private static String answer(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        String line = line(in);
        while (!line.isBlank()) {
            head.append(line);
            line = line(in);
        }
        head.append(line);
        if (CHUNKED.matcher(head).find()) {
            return head + chunks(in);
        }
        Matcher length = LENGTH.matcher(head);
        byte[] body = length.find() ? in.readNBytes(Integer.parseInt(length.group(1))) : in.readAllBytes();
        return head + new String(body, StandardCharsets.UTF_8);
    }

    /** What chunks hold, and the trailers behind them. */
    private static String chunks(InputStream in) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        String size = line(in);
        while (!size.isEmpty() && !size.strip().equals("0")) {
            body.write(in.readNBytes(Integer.parseInt(size.strip(), 16)));
            line(in);
            size = line(in);
        }
        StringBuilder all = new StringBuilder(body.toString(StandardCharsets.UTF_8));
        for (String trailer = line(in); !trailer.isBlank(); trailer = line(in)) {
            all.append(trailer);
        }
        return all.toString();
    }

    /** With its end; empty at the end of the connection. */
    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next >= 0; next = in.read()) {
            line.append((char) next);
            if (next == '\n') {
                break;
            }
        }
        return line.toString();
    }
}
