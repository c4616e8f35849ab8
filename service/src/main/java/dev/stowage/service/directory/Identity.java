package dev.stowage.service.directory;

import java.io.IOException;
import java.io.Reader;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Which group a data directory belongs to, and as which member: the file {@code identity} in it. A group is made once,
 * by a first start; a directory without an identity joins one, and never makes one by accident.
 *
 * @param group the group
 * @param member the member that this directory holds the log of
 * @param stage how far it has joined
 */
public record Identity(UUID group, String member, Stage stage) {
    /** How far a member has joined. */
    public enum Stage {
        /** It makes the group, and has not been its leader yet. */
        FOUNDING,
        /** It starts from a backup, together with all nodes of the configuration, and none has been the leader yet. */
        RESTORED,
        /** The group has created this member, and does not count it yet. */
        JOINING,
        /** The group counts it as a member. */
        MEMBER
    }

    /** The group of all directories from before there were identities. */
    public static final UUID OLD =
            UUID.nameUUIDFromBytes("stowage".getBytes(java.nio.charset.StandardCharsets.US_ASCII));

    private static final String NAME = "identity";

    public static Path file(Path data) {
        return data.resolve(NAME);
    }

    /** Where Ratis keeps the directories of its groups. */
    public static Path raft(Path data) {
        return data.resolve("raft");
    }

    /** The directory of the group's files. */
    public Path directory(Path data) {
        return raft(data).resolve(group.toString());
    }

    public Identity at(Stage next) {
        return new Identity(group, member, next);
    }

    /**
     * The identity of a directory, or null if it has none.
     *
     * @param node id of the node that it belongs to
     * @throws IOException if the directory belongs to another node, or the file cannot be read
     */
    public static @Nullable Identity read(Path data, String node) throws IOException {
        Path file = file(data);
        if (!Files.exists(file)) {
            return Files.isDirectory(raft(data).resolve(OLD.toString())) ? new Identity(OLD, node, Stage.MEMBER) : null;
        }
        Properties text = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            text.load(reader);
            Identity read = new Identity(
                    UUID.fromString(text.getProperty("group", "")),
                    text.getProperty("member", ""),
                    Stage.valueOf(text.getProperty("stage", "").toUpperCase(Locale.ROOT)));
            if (!Member.node(read.member()).equals(node)) {
                throw new IOException(file + " says that this directory is node '" + Member.node(read.member())
                        + "'s, not '" + node + "'s; give each node a directory of its own");
            }
            return read;
        } catch (IllegalArgumentException e) {
            throw new IOException(
                    file + " is damaged: " + e.getMessage() + "; restore the file from a copy, or delete the whole"
                            + " directory to have the node join its group again",
                    e);
        }
    }

    /** Writes it completely or not at all. */
    public void write(Path data) throws IOException {
        Path next = data.resolve(NAME + ".next");
        Files.writeString(
                next,
                "# The group that this directory belongs to, and the member whose log it holds.\n"
                        + "# Not to be changed or copied: two members with one identity lose what was acknowledged.\n"
                        + "group=" + group + "\nmember=" + member + "\nstage="
                        + stage.name().toLowerCase(Locale.ROOT) + "\n");
        try (FileChannel channel = FileChannel.open(next, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
        Files.move(next, file(data), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        try (FileChannel channel = FileChannel.open(data, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /** The group whose files are in a data directory, or null if there are none. */
    public static @Nullable Path groupDirectory(Path data) throws IOException {
        List<Path> found = new ArrayList<>();
        if (Files.isDirectory(raft(data))) {
            try (DirectoryStream<Path> children = Files.newDirectoryStream(raft(data))) {
                for (Path child : children) {
                    if (Files.isDirectory(child.resolve("current"))) {
                        found.add(child);
                    }
                }
            }
        }
        if (found.size() > 1) {
            throw new IOException(raft(data) + " has the files of several groups: " + found);
        }
        return found.isEmpty() ? null : found.get(0);
    }
}
