package dev.stowage.service.directory;

import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.service.state.AuditRecord;
import dev.stowage.service.state.Batch;
import dev.stowage.service.state.Operation;
import dev.stowage.service.state.ServiceState;
import dev.stowage.service.state.Snapshot;
import dev.stowage.service.state.VersionException;
import dev.stowage.service.state.World;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * The directory of a node that cannot go on: its log is damaged, perhaps on all nodes, or has an entry that no node can
 * apply. Inspecting and reading write nothing. Files that are changed are kept in {@code salvaged-N}, and recorded in
 * {@code salvage.log}.
 */
public final class Salvage {
    private static final String JOURNAL = "salvage.log";
    /** How the last line of the audit trail of a state begins that has not all. */
    private static final String INCOMPLETE = "incomplete: ";

    /**
     * What a directory has.
     *
     * @param data the node's directory
     * @param snapshots log indexes of the whole snapshots, newest first
     * @param damagedSnapshots why others cannot be read
     * @param first index of the first log entry, -1 if there is none
     * @param last index of the last whole log entry, -1 if there is none
     * @param damage what ends the log before the end of its files, or null
     * @param applied index of the last entry that this node is known to have applied, or -1
     * @param good index of the last entry up to which the state can be restored, or -1
     * @param poison why the entry after it cannot be applied, or null
     * @param lost why the node takes itself for one that has lost entries, or null; a write that a crash interrupted is
     *     damage, and no loss
     */
    public record Found(
            Path data,
            List<Long> snapshots,
            List<String> damagedSnapshots,
            long first,
            long last,
            @Nullable String damage,
            long applied,
            long good,
            @Nullable String poison,
            @Nullable String lost) {
        /** Whether the node would start and serve without changes. */
        public boolean whole() {
            return lost == null && poison == null && damagedSnapshots.isEmpty() && good >= applied;
        }
    }

    private final Path data;
    private final DataDirectory directory;

    private Salvage(Path data, Path group) {
        this.data = data;
        directory = new DataDirectory(data, group);
    }

    /**
     * The directory of a node, or one with the directory of exactly one node in it.
     *
     * @throws IOException if there is none
     */
    public static Salvage of(Path path) throws IOException {
        RecordedLog log = RecordedLog.in(path);
        if (log == null) {
            throw new IOException(path
                    + (Files.notExists(path)
                            ? ": there is no such directory"
                            : Files.isDirectory(path)
                                    ? " is not the data directory of a node, and does not contain one"
                                    : " is a file, not the data directory of a node"));
        }
        return new Salvage(log.data(), log.group());
    }

    /** Examines everything; the log is applied once. */
    public Found inspect(PolicyFactory policies) throws IOException {
        List<Long> whole = new ArrayList<>();
        List<String> damaged = new ArrayList<>();
        for (DataDirectory.SnapshotFile snapshot : directory.snapshots()) {
            try {
                Snapshot.check(snapshot.file());
                whole.add(snapshot.index());
            } catch (IOException e) {
                damaged.add(String.valueOf(e.getMessage()));
            }
        }
        LogFiles log = LogFiles.read(directory.logDirectory(), entry -> {});
        Replay replay = replay(policies, Long.MAX_VALUE);
        long good = replay.poisoned < 0 ? replay.seen : replay.poisoned - 1;
        return new Found(
                data,
                whole,
                damaged,
                log.first(),
                log.last(),
                log.damage(),
                AppliedMark.read(data),
                good,
                replay.state.halted(),
                directory.lost());
    }

    /**
     * The state after the last entry that is whole and can be applied, or after an earlier one.
     *
     * @param until index of the last entry to apply
     * @throws IOException if it cannot be read, or earlier entries no longer exist
     */
    public ServiceState state(PolicyFactory policies, long until) throws IOException {
        Replay replay = replay(policies, until);
        if (replay.poisoned >= 0) {
            // The state contains what the entry did before it failed, so replay once more, without it.
            replay = replay(policies, replay.poisoned - 1);
        }
        if (replay.state.world() == null) {
            throw new IOException(data + " has no complete entry and no complete snapshot: there is no state to take");
        }
        return replay.state;
    }

    /**
     * A state that was taken from a directory.
     *
     * @param missing what of the applied entries it has not, or null if it has all; its audit trail ends with that
     */
    public record Taken(ServiceState state, @Nullable String missing) {}

    /** The state up to what the node has applied, which is committed, and not further: the node may be running. */
    public Taken applied(PolicyFactory policies) throws IOException {
        return taken(policies, markedApplied());
    }

    /**
     * The state as {@link #state}, and whether that is all that the node had applied until then.
     *
     * @param until index of the last entry to apply
     */
    public Taken taken(PolicyFactory policies, long until) throws IOException {
        long wanted = Math.min(until, markedApplied());
        Replay replay = replay(policies, until);
        long reached = replay.poisoned >= 0 ? replay.poisoned - 1 : replay.seen;
        ServiceState state = state(policies, until);
        if (reached >= wanted) {
            return new Taken(state, null);
        }
        String missing = "entries " + (reached + 1) + " to " + wanted + " are missing, " + (wanted - reached)
                + " that had been applied";
        Operation note = new Operation.Note("salvage", INCOMPLETE + missing, "");
        state.apply(state.position() + 1, new Batch(ServiceState.VERSION, 0, -1, Long.MIN_VALUE, List.of(note)));
        state.takeChanges();
        return new Taken(state, missing);
    }

    /** What a state says that it has not, or null: it was taken from a directory that had not all. */
    public static @Nullable String missing(ServiceState state) {
        World world = state.world();
        List<AuditRecord> audit = world == null ? List.of() : world.audit();
        String last = audit.isEmpty() ? "" : audit.get(audit.size() - 1).change();
        return last.startsWith(INCOMPLETE) ? last.substring(INCOMPLETE.length()) : null;
    }

    /** The last entry that is known to have been applied; a node that was just restored has only its snapshot. */
    private long markedApplied() throws IOException {
        long snapshot = directory.snapshots().stream()
                .mapToLong(DataDirectory.SnapshotFile::index)
                .max()
                .orElse(-1);
        return Math.max(snapshot, AppliedMark.read(data));
    }

    private Replay replay(PolicyFactory policies, long until) throws IOException {
        ServiceState begin = new ServiceState(policies);
        // A snapshot may have been taken after entries of Raft itself, which the state does not count.
        long seen = begin.position();
        for (DataDirectory.SnapshotFile snapshot : directory.snapshots()) {
            if (snapshot.index() <= until) {
                try {
                    begin = Snapshot.read(snapshot.file(), policies);
                    seen = snapshot.index();
                    break;
                } catch (IOException e) {
                    // Reported by inspect; an older one or the log from its beginning may be enough.
                }
            }
        }
        Replay replay = new Replay(begin, seen, until);
        LogFiles.read(directory.logDirectory(), replay::entry);
        if (replay.state.withoutPolicy()) {
            // Skipping undamaged entries would be wrong.
            throw new IOException(replay.state.halted());
        }
        return replay;
    }

    private static final class Replay {
        private final ServiceState state;
        private final long until;
        private long seen;
        private long poisoned = -1;
        private boolean gap;

        Replay(ServiceState state, long seen, long until) {
            this.state = state;
            this.until = until;
            this.seen = seen;
        }

        void entry(LogEntryProto entry) {
            long index = entry.getIndex();
            if (index <= seen || index > until || poisoned >= 0 || gap) {
                return;
            }
            if (index != seen + 1) {
                gap = true;
                return;
            }
            seen = index;
            if (!entry.hasStateMachineLogEntry()) {
                return;
            }
            try {
                state.apply(
                        index,
                        Batch.decode(
                                entry.getStateMachineLogEntry().getLogData().toByteArray()));
                state.takeChanges();
            } catch (VersionException | IllegalArgumentException e) {
                state.halt("entry " + index + ": " + e.getMessage());
            }
            poisoned = state.halted() == null ? -1 : index;
        }
    }

    /**
     * Replaces an entry by a note in the audit trail that says that, why and by whom it was skipped. The same must be
     * done on every node of the group, with the same operator and reason, before any of them starts: otherwise their
     * digests differ.
     *
     * @param index the entry
     * @param operator who does it
     * @param why for the audit trail
     * @return what the entry would have done
     */
    public String skip(long index, String operator, String why) throws IOException {
        DirectoryLock lock = DirectoryLock.take(data);
        try {
            long applied = directory.snapshots().stream()
                    .mapToLong(DataDirectory.SnapshotFile::index)
                    .max()
                    .orElse(-1);
            LogFiles log = LogFiles.read(directory.logDirectory(), entry -> {});
            if (index <= applied || index < log.first() || index > log.last()) {
                long from = Math.max(applied + 1, log.first());
                throw new IOException("entry " + index + " cannot be skipped: "
                        + (from > log.last()
                                ? "there is no entry" + (applied < 0 ? "" : " after the newest snapshot, at " + applied)
                                : "the entries "
                                        + (applied < 0 ? "" : "after the newest snapshot ")
                                        + "are " + from + " to " + log.last()));
            }
            String[] what = {""};
            for (LogFiles.Segment segment : LogFiles.segments(directory.logDirectory())) {
                if (segment.start() <= index && (segment.end() < 0 || segment.end() >= index)) {
                    Path aside = aside();
                    rewrite(segment, aside, entry -> {
                        if (entry.getIndex() != index) {
                            return entry;
                        }
                        what[0] = describe(entry);
                        return skipped(entry, operator, why);
                    });
                    note("entry " + index + " (" + what[0] + ") skipped by " + operator + ": " + why
                            + "; the original is in " + aside.getFileName());
                }
            }
            return what[0];
        } finally {
            lock.close();
        }
    }

    private static String describe(LogEntryProto entry) {
        if (!entry.hasStateMachineLogEntry()) {
            return "not an operation of the service";
        }
        try {
            return Batch.decode(entry.getStateMachineLogEntry().getLogData().toByteArray()).operations().stream()
                    .map(Salvage::describe)
                    .toList()
                    .toString();
        } catch (VersionException | IllegalArgumentException e) {
            return e.getMessage() + "";
        }
    }

    private static String describe(Operation operation) {
        if (operation instanceof Operation.Submit submit) {
            return "submit " + submit.tenant() + "/" + submit.id();
        } else if (operation instanceof Operation.Gang gang) {
            return "gang " + gang.members().stream().map(Salvage::describe).toList();
        } else if (operation instanceof Operation.Release release) {
            return "release " + release.tenant() + "/" + release.id()
                    + (release.withGang() ? " with the gang in which it waits, if any" : "");
        }
        return operation.toString();
    }

    private static LogEntryProto skipped(LogEntryProto entry, String operator, String why) {
        // An entry without a time uses the state's own.
        long at = Long.MIN_VALUE;
        try {
            at = Batch.decode(entry.getStateMachineLogEntry().getLogData().toByteArray())
                    .at();
        } catch (VersionException | IllegalArgumentException e) {
            // It cannot be read, which is why it is skipped.
        }
        Operation note = new Operation.Note(operator, "skip-entry " + entry.getIndex() + ": " + describe(entry), why);
        byte[] batch = new Batch(ServiceState.VERSION, 0, -1, at, List.of(note)).encode();
        return entry.toBuilder()
                .setStateMachineLogEntry(
                        entry.getStateMachineLogEntry().toBuilder().setLogData(ByteString.copyFrom(batch)))
                .build();
    }

    private static void rewrite(LogFiles.Segment segment, Path aside, UnaryOperator<LogEntryProto> change)
            throws IOException {
        Path next = segment.file().resolveSibling("salvage.next");
        long end = LogFiles.rewrite(segment, next, change);
        Path kept = aside.resolve(String.valueOf(segment.file().getFileName()));
        Files.move(segment.file(), kept, StandardCopyOption.ATOMIC_MOVE);
        String name = segment.end() < 0 ? "log_inprogress_" + segment.start() : "log_" + segment.start() + "-" + end;
        Files.move(next, segment.file().resolveSibling(name), StandardCopyOption.ATOMIC_MOVE);
        sync(segment.file().toAbsolutePath().getParent());
    }

    private Path aside() throws IOException {
        for (int number = 1; ; number++) {
            Path aside = data.resolve("salvaged-" + number);
            if (!Files.exists(aside)) {
                return Files.createDirectory(aside);
            }
        }
    }

    private void note(String what) throws IOException {
        Path journal = data.resolve(JOURNAL);
        Files.writeString(journal, what + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private static void sync(@Nullable Path directory) throws IOException {
        if (directory != null) {
            try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
                channel.force(true);
            }
        }
    }
}
