package dev.stowage.service.directory;

import dev.stowage.service.state.Snapshot;
import java.io.IOException;
import java.io.Reader;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Properties;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftPeerProto;
import org.apache.ratis.statemachine.impl.SimpleStateMachineStorage;
import org.apache.ratis.util.MD5FileUtil;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks a node's directory while the node does not run. Ratis cuts a log at the first damaged entry and goes on; that
 * is right for a write that a crash interrupted, and wrong for an entry that was acknowledged: the group would count on
 * a node that has lost it.
 */
public final class DataDirectory {
    private static final Logger LOG = LoggerFactory.getLogger(DataDirectory.class);
    private static final String HEALING = "healing";
    private static final String REJOINING = "rejoining";

    /**
     * A snapshot file.
     *
     * @param term of the last log entry that it has
     * @param index of the last log entry that it has
     */
    public record SnapshotFile(Path file, long term, long index) {}

    private final Path data;
    private final Path group;
    private long last = -1;

    public DataDirectory(Path data, Path group) {
        this.data = data;
        this.group = group;
    }

    /** Why this node does not have all that it acknowledged, or null if it has. */
    @Nullable
    public String lost() throws IOException {
        if (Files.exists(rejoining())) {
            return "this node has lost part of its log";
        }
        LogFiles log = LogFiles.read(logDirectory(), entry -> {});
        long snapshot = newestWholeSnapshot();
        long mark = AppliedMark.read(data);
        last = Math.max(log.last(), snapshot);
        if (log.first() > snapshot + 1) {
            return "the log begins with entry " + log.first()
                    + ", and no complete snapshot covers the entries before it";
        }
        if (Math.max(log.last(), snapshot) < mark) {
            return (log.damage() == null ? "the log ends with entry " + log.last() : log.damage()) + ", but entry "
                    + mark + " was applied already";
        }
        if (log.last() >= 0 && log.last() < snapshot && mark >= 0) {
            // Entries up to the snapshot were in the log, and later ones may have been acknowledged.
            return (log.damage() == null ? "the log ends with entry " + log.last() : log.damage())
                    + ", but the snapshot has entry " + snapshot;
        }
        if (log.damage() != null && !log.torn() && mark >= 0) {
            return log.damage();
        }
        if (log.damage() != null) {
            LOG.warn("{}: a write was under way when the process ended; it was not acknowledged", log.damage());
        }
        return null;
    }

    /** The last entry of log and snapshots, as found by {@link #lost}; -1 if none. */
    public long last() {
        return last;
    }

    private long newestWholeSnapshot() throws IOException {
        for (SnapshotFile snapshot : snapshots()) {
            try {
                Snapshot.check(snapshot.file());
                return snapshot.index();
            } catch (IOException e) {
                LOG.error("{}", e.getMessage());
            }
        }
        return -1;
    }

    /** Snapshot files, newest first. */
    public List<SnapshotFile> snapshots() throws IOException {
        List<SnapshotFile> found = new ArrayList<>();
        Path directory = group.resolve("sm");
        if (Files.isDirectory(directory)) {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
                for (Path file : files) {
                    var name = SimpleStateMachineStorage.SNAPSHOT_REGEX.matcher(String.valueOf(file.getFileName()));
                    if (name.matches()) {
                        found.add(new SnapshotFile(file, Long.parseLong(name.group(1)), Long.parseLong(name.group(2))));
                    }
                }
            }
        }
        found.sort(Comparator.comparingLong(SnapshotFile::index).reversed());
        return found;
    }

    /**
     * Deletes unfinished files of snapshots, which may be large, and digests that a full disk left empty, because of
     * which Ratis would read no snapshot at all. Each snapshot has a checksum of its own.
     */
    public void deleteUnfinished() throws IOException {
        Files.deleteIfExists(healing());
        Path directory = group.resolve("sm");
        if (Files.isDirectory(directory)) {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "snapshot.*.tmp")) {
                for (Path file : files) {
                    Files.delete(file);
                }
            }
        }
        for (SnapshotFile snapshot : snapshots()) {
            try {
                MD5FileUtil.readStoredMd5ForFile(snapshot.file().toFile());
            } catch (IOException e) {
                LOG.warn("{}; it is deleted", e.getMessage());
                Files.delete(MD5FileUtil.getDigestFileForFile(snapshot.file().toFile())
                        .toPath());
            }
        }
    }

    /**
     * Writes the file of term and vote again if it cannot be read, as a full disk leaves it, or is older than the last
     * vote, as a power failure may leave it: with the last vote, or, if entries of a later term are in the log, with
     * that term, in which this member has not voted and votes for nobody.
     *
     * @param self id of this member
     * @param alone whether nobody else votes
     * @return whether it is known whom this member has voted for
     */
    public boolean restoreVote(String self, boolean alone) throws IOException {
        Path file = logDirectory().resolve("raft-meta");
        VoteFile.Vote kept = VoteFile.read(group);
        VoteFile.Vote known = Files.exists(file) ? vote(file) : null;
        if (known != null && (kept == null || kept.term() < known.term() || kept.equals(known))) {
            return true;
        }
        long[] last = {0};
        for (SnapshotFile snapshot : snapshots()) {
            last[0] = Math.max(last[0], snapshot.term());
        }
        LogFiles log = LogFiles.read(logDirectory(), entry -> last[0] = Math.max(last[0], entry.getTerm()));
        if (kept == null && !Files.exists(file) && log.last() < 0 && last[0] == 0) {
            return true;
        }
        if (kept == null && !alone) {
            return false;
        }
        VoteFile.Vote vote = after(kept, last[0], self);
        LOG.error(
                "{} does not have the last term and vote: this node continues in term {}, in which it voted for {}",
                file,
                vote.term(),
                vote.candidate());
        write(file, "term=" + vote.term() + "\nvotedFor=" + vote.candidate() + "\n");
        return true;
    }

    /**
     * With which vote a member goes on.
     *
     * @param kept its last vote, or null
     * @param lastTerm of its log and snapshots
     */
    public static VoteFile.Vote after(VoteFile.@Nullable Vote kept, long lastTerm, String self) {
        return kept == null || kept.term() < lastTerm ? new VoteFile.Vote(lastTerm, self) : kept;
    }

    /** Writes a file completely or not at all. */
    private static void write(Path file, String text) throws IOException {
        Path next = Files.writeString(file.resolveSibling(file.getFileName() + ".next"), text);
        try (FileChannel channel = FileChannel.open(next, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Term and vote as Ratis has them, the vote being empty if there is none; null if the file cannot be read. */
    private static VoteFile.@Nullable Vote vote(Path file) throws IOException {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        } catch (IllegalArgumentException | CharacterCodingException e) {
            return null;
        }
        String candidate = properties.getProperty("votedFor");
        String term = properties.getProperty("term", "");
        return candidate == null || !term.matches("\\d{1,18}")
                ? null
                : new VoteFile.Vote(Long.parseLong(term), candidate);
    }

    /**
     * Where the group knows its members, host and port by id, as of the last change of members that this directory has;
     * empty if it has none.
     *
     * @throws IOException if the file of it cannot be read
     */
    public SortedMap<String, String> members() throws IOException {
        SortedMap<String, String> members = new TreeMap<>();
        Path file = logDirectory().resolve("raft-meta.conf");
        if (Files.exists(file)) {
            for (RaftPeerProto peer : LogEntryProto.parseFrom(Files.readAllBytes(file))
                    .getConfigurationEntry()
                    .getPeersList()) {
                members.put(peer.getId().toStringUtf8(), peer.getAddress());
            }
        }
        return members;
    }

    /** The file that a snapshot from another node is written to. */
    public Path healing() {
        return data.resolve(HEALING);
    }

    public Path logDirectory() {
        return group.resolve("current");
    }

    private Path rejoining() {
        return data.resolve(REJOINING);
    }

    /** Marks the node as one that has lost entries, until {@link #clear}. */
    public void markLost(String why) throws IOException {
        Files.writeString(rejoining(), "This node has lost part of its log: " + why + "\n");
    }

    /** Deletes all files of a removed member, for a new one that has nothing yet. */
    public static void clear(Path data) throws IOException {
        Path raft = Identity.raft(data);
        if (Files.isDirectory(raft)) {
            List<Path> all;
            try (Stream<Path> files = Files.walk(raft)) {
                all = files.sorted(Comparator.reverseOrder()).toList();
            }
            for (Path file : all) {
                Files.delete(file);
            }
        }
        Files.deleteIfExists(data.resolve(HEALING));
        Files.deleteIfExists(data.resolve(REJOINING));
    }

    /**
     * Deletes a log that ends before the newest snapshot. It is no longer useful, and Ratis would continue in the
     * middle of its last file: the next entry does not follow the last one there, so none could ever be appended.
     */
    public void deleteLogBehindSnapshot() throws IOException {
        LogFiles log = LogFiles.read(logDirectory(), entry -> {});
        if (log.last() >= 0 && log.last() < newestWholeSnapshot()) {
            LOG.warn("the log ends with entry {}, before the snapshot; it is deleted", log.last());
            deleteLog();
        }
    }

    /** Deletes the log; term and vote stay. */
    public void deleteLog() throws IOException {
        for (LogFiles.Segment segment : LogFiles.segments(logDirectory())) {
            Files.delete(segment.file());
        }
    }
}
