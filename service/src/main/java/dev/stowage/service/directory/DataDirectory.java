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
import java.util.concurrent.ThreadLocalRandom;
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
    /** File with the term in which this node went on when its vote was last lost. */
    private static final String VOTE_LOST = "vote-lost";

    private static final long ELECTIONS = 1_000_000;
    public static final long SPREAD = 1_000_000_000;
    /** An upper bound on elections per millisecond. */
    private static final long ELECTIONS_PER_MILLISECOND = 1000;

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
            return "the log begins with entry " + log.first() + ", and no whole snapshot has what was before";
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
     * Writes the file of term and vote again if it cannot be read: on a full disk Ratis 3.3 replaces it by an empty
     * one. Then it is unknown whom this node voted for, and when. So it goes on in a term in which it cannot have
     * voted, and votes for nobody in it: the term is beyond the last one of its log by more elections than can have
     * taken place without an entry arriving here.
     *
     * @param self id of this node
     */
    public void restoreVote(String self) throws IOException {
        Path file = logDirectory().resolve("raft-meta");
        if (Files.exists(file) && hasVote(file)) {
            return;
        }
        long[] last = {0};
        for (SnapshotFile snapshot : snapshots()) {
            last[0] = Math.max(last[0], snapshot.term());
        }
        LogFiles log = LogFiles.read(logDirectory(), entry -> last[0] = Math.max(last[0], entry.getTerm()));
        if (!Files.exists(file) && log.last() < 0 && last[0] == 0) {
            return;
        }
        Path before = data.resolve(VOTE_LOST);
        // If the vote is lost again before the log has an entry of a later term, it may have voted in terms after the
        // one in which it went on.
        long term = termBeyond(
                Math.max(last[0], Files.exists(before) ? leapt(before) : 0),
                System.currentTimeMillis(),
                ThreadLocalRandom.current().nextLong(SPREAD));
        LOG.error(
                "{} has no term and vote: this node goes on in term {}, so the group elects a leader anew", file, term);
        write(before, Long.toString(term));
        write(file, "term=" + term + "\nvotedFor=" + self + "\n");
    }

    /** Writes a file completely or not at all. */
    private static void write(Path file, String text) throws IOException {
        Path next = Files.writeString(file.resolveSibling(file.getFileName() + ".next"), text);
        try (FileChannel channel = FileChannel.open(next, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static long leapt(Path file) throws IOException {
        try {
            return Long.parseLong(Files.readString(file));
        } catch (NumberFormatException e) {
            throw new IOException(file + " is damaged: it has no term", e);
        }
    }

    /**
     * A term beyond another one by more elections than can have taken place without an entry arriving. If several nodes
     * lose their votes one after the other, one may have voted in terms that another one has jumped to: so a jump
     * follows the time of day, and a later jump is beyond all elections after an earlier one, as far as the nodes'
     * clocks agree.
     *
     * @param millis since 1970
     * @param spread random, below {@link #SPREAD}, so that two nodes do not choose the same term
     */
    public static long termBeyond(long lastTerm, long millis, long spread) {
        return Math.max(
                lastTerm + ELECTIONS + spread, millis * ELECTIONS_PER_MILLISECOND + spread % ELECTIONS_PER_MILLISECOND);
    }

    private static boolean hasVote(Path file) throws IOException {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        } catch (IllegalArgumentException | CharacterCodingException e) {
            return false;
        }
        return properties.getProperty("votedFor") != null
                && properties.getProperty("term", "").matches("\\d{1,18}");
    }

    /**
     * Where the group knows a member, host and port, as of the last change of members that this directory has; null if
     * it has none.
     *
     * @throws IOException if the file of it cannot be read
     */
    public @Nullable String address(String member) throws IOException {
        Path file = logDirectory().resolve("raft-meta.conf");
        if (!Files.exists(file)) {
            return null;
        }
        for (RaftPeerProto peer : LogEntryProto.parseFrom(Files.readAllBytes(file))
                .getConfigurationEntry()
                .getPeersList()) {
            if (peer.getId().toStringUtf8().equals(member)) {
                return peer.getAddress();
            }
        }
        return null;
    }

    /** The file that a snapshot from another node is written to. */
    public Path healing() {
        return data.resolve(HEALING);
    }

    /** Accepts a loss: an operator has cut the log after its last complete entry. */
    public void forgetLoss() throws IOException {
        Files.deleteIfExists(rejoining());
        Files.deleteIfExists(healing());
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
        Files.deleteIfExists(data.resolve(VOTE_LOST));
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
