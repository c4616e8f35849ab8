package dev.stowage.service.directory;

import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.service.state.ServiceState;
import dev.stowage.service.state.Snapshot;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.SortedMap;
import java.util.UUID;
import org.apache.ratis.util.MD5FileUtil;

/**
 * The whole state of a service in one file, with a checksum: a snapshot that belongs to no group. It is taken from the
 * directory of a node, running or not, and restored into the directories of a new group, which is independent of the
 * old one.
 */
public final class Backup {
    private static final long TERM = 1;

    private Backup() {}

    /**
     * Writes a state.
     *
     * @param file must not exist
     */
    public static void write(ServiceState state, Path file) throws IOException {
        if (Files.exists(file)) {
            throw new IOException(file + " exists; a backup is never written over another file");
        }
        Path directory = file.toAbsolutePath().getParent();
        if (directory == null || !Files.isDirectory(directory)) {
            throw new IOException(file + " cannot be written: there is no directory " + file.getParent());
        }
        state.capture().write(file);
    }

    /**
     * The state of a backup.
     *
     * @throws IOException if the file cannot be read, or is damaged
     */
    public static ServiceState read(Path file, PolicyFactory policies) throws IOException {
        ServiceState state = Snapshot.read(file, policies);
        if (state.world() == null) {
            throw new IOException(file + " has no state: the service had not started yet");
        }
        return state;
    }

    /** Whether a file begins as a backup does; false also where it cannot be read. */
    public static boolean isBackup(Path file) {
        return Snapshot.isSnapshot(file);
    }

    /**
     * Makes the directories of a new group that begins with a state.
     *
     * @param nodes directory of each node by its id; all must be empty
     */
    public static void found(ServiceState state, SortedMap<String, Path> nodes) throws IOException {
        for (Path data : nodes.values()) {
            if (Files.exists(data) && !isEmpty(data)) {
                throw new IOException(data + " is not empty; a new service needs new or empty directories");
            }
        }
        UUID made = UUID.randomUUID();
        Path group = Path.of("raft", made.toString());
        for (Map.Entry<String, Path> node : nodes.entrySet()) {
            Path data = node.getValue();
            Path machine = Files.createDirectories(data.resolve(group).resolve("sm"));
            Path file = machine.resolve("snapshot." + TERM + "_" + state.position());
            state.capture().write(file);
            MD5FileUtil.computeAndSaveMd5ForFile(file.toFile());
            Path log = Files.createDirectories(data.resolve(group).resolve("current"));
            // It counts as having voted for itself in the term of the snapshot, so the first election is in the next
            // term.
            Files.writeString(
                    log.resolve("raft-meta"),
                    "term=" + TERM + "\nvotedFor=" + node.getKey() + "\n",
                    StandardCharsets.US_ASCII);
            new Identity(made, node.getKey(), Identity.Stage.RESTORED).write(data);
        }
    }

    private static boolean isEmpty(Path directory) throws IOException {
        try (DirectoryStream<Path> children = Files.newDirectoryStream(directory)) {
            return !children.iterator().hasNext();
        }
    }
}
