package dev.stowage.openstack.place;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What was done with requests, in a file beside them: a line of JSON before each call that makes a server, and one
 * after it, on the disk before anything else happens. One process has it at a time.
 */
final class SentRequests implements AutoCloseable {
    /** How far a request has come. */
    enum State {
        /** Nova was, or was about to be, asked; its reply is not known. */
        SENT,
        /** Nova has made a server. */
        MADE,
        /** Nova refused, or the server came to nothing: it is to be asked for again. */
        AGAIN,
        /** There will be no server. */
        FAILED
    }

    /**
     * The last that is known of a request.
     *
     * @param server id of the server, of {@link State#AGAIN} that of the one that was given up; empty if there is none
     * @param cloud which was asked; empty if it is the only one
     * @param millis when, since 1970
     */
    record LastWord(State state, String server, String cloud, long millis) {}

    private static final ObjectMapper JSON = new ObjectMapper();

    private final FileChannel channel;
    private final FileLock lock;
    private final Map<String, LastWord> last = new LinkedHashMap<>();
    private final Set<String> givenUp = new HashSet<>();

    /**
     * Reads the file, and makes it if it is not there.
     *
     * @throws IllegalArgumentException if another process has it, or it is damaged before its last line
     */
    SentRequests(Path file) throws IOException {
        channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        lock = lock(file);
        byte[] bytes = Files.readAllBytes(file);
        int whole = bytes.length;
        while (whole > 0 && bytes[whole - 1] != '\n') {
            // A line that was cut off: what it announced was not begun.
            whole--;
        }
        channel.truncate(whole);
        channel.position(whole);
        List<String> lines =
                new String(bytes, 0, whole, StandardCharsets.UTF_8).lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            try {
                JsonNode one = JSON.readTree(lines.get(i));
                put(
                        one.path("request").asText(),
                        new LastWord(
                                State.valueOf(one.path("state").asText()),
                                one.path("server").asText(),
                                one.path("cloud").asText(),
                                one.path("millis").asLong()));
            } catch (IOException | IllegalArgumentException e) {
                channel.close();
                throw new IllegalArgumentException(file + ": line " + (i + 1) + " is damaged", e);
            }
        }
    }

    private FileLock lock(Path file) throws IOException {
        FileLock held = null;
        try {
            held = channel.tryLock();
        } catch (OverlappingFileLockException e) {
            // By this process.
        }
        if (held == null) {
            channel.close();
            throw new IllegalArgumentException(file + " is in use: another 'submit' is working on these requests");
        }
        return held;
    }

    @Nullable
    LastWord of(String request) {
        return last.get(request);
    }

    void write(String request, LastWord word) {
        try {
            Map<String, Object> all = new LinkedHashMap<>(
                    Map.of("request", request, "state", word.state().name()));
            all.put("server", word.server());
            if (!word.cloud().isEmpty()) {
                all.put("cloud", word.cloud());
            }
            all.put("millis", word.millis());
            String line = JSON.writeValueAsString(all);
            ByteBuffer bytes = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                int unused = channel.write(bytes);
            }
            channel.force(false);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        put(request, word);
    }

    private void put(String request, LastWord entry) {
        last.put(request, entry);
        if (entry.state() == State.AGAIN) {
            givenUp.add(entry.server());
        }
    }

    /** Whether a server was deleted because it came to nothing; it may be seen for a while. */
    boolean isGivenUp(String server) {
        return givenUp.contains(server);
    }

    @Override
    public void close() throws IOException {
        lock.release();
        channel.close();
    }
}
