package dev.stowage.service.directory;

import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.service.state.Batch;
import dev.stowage.service.state.Outcome;
import dev.stowage.service.state.Request;
import dev.stowage.service.state.ServiceState;
import dev.stowage.service.state.Snapshot;
import dev.stowage.service.state.VersionException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replays the log in a node's directory: from its oldest snapshot, or from the beginning, to the end of the log. The
 * node may be running; nothing is written.
 */
public final class RecordedLog {
    /** Receives the replay. */
    public interface Listener {
        /** The state before the first reported entry; called once, when the service has begun. */
        void begun(ServiceState state);

        /**
         * An entry was applied.
         *
         * @param outcomes of its operations
         * @param changes of requests, in order
         */
        void applied(ServiceState state, Batch batch, List<Outcome> outcomes, List<Request> changes);
    }

    private static final Logger LOG = LoggerFactory.getLogger(RecordedLog.class);

    private final DataDirectory directory;
    private final Path data;
    private final Path group;

    private RecordedLog(Path data, Path group) {
        this.group = group;
        this.data = data;
        directory = new DataDirectory(data, group);
    }

    /**
     * The log in a directory: a node's own, or one that has the directory of exactly one node in it.
     *
     * @return null if there is none
     */
    public static @Nullable RecordedLog in(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return null;
        }
        Path group = group(directory);
        if (group != null) {
            return new RecordedLog(directory, group);
        }
        List<RecordedLog> below = new ArrayList<>();
        try (DirectoryStream<Path> children = Files.newDirectoryStream(directory)) {
            for (Path child : children) {
                Path found = group(child);
                if (found != null) {
                    below.add(new RecordedLog(child, found));
                }
            }
        }
        if (below.size() > 1) {
            throw new IOException(directory + " has the directories of several nodes: "
                    + below.stream().map(log -> log.data.toString()).sorted().toList() + "; name one of them");
        }
        return below.isEmpty() ? null : below.get(0);
    }

    private static @Nullable Path group(Path data) throws IOException {
        return Identity.groupDirectory(data);
    }

    /** The node's directory. */
    public Path data() {
        return data;
    }

    /** The directory of its group's files. */
    Path group() {
        return group;
    }

    /**
     * Replays the log.
     *
     * @return the state at its end; halted if it differs from what the leader recorded, or is not for this version
     * @throws IOException if it cannot be read, or has no beginning
     */
    public ServiceState replay(PolicyFactory policies, Listener listener) throws IOException {
        Begin oldest = oldest(policies);
        Replay replay = new Replay(oldest.state(), listener);
        long begins = oldest.index();
        LogFiles read = LogFiles.read(directory.logDirectory(), replay::entry);
        if (read.first() > begins + 1) {
            throw new IOException("the log in " + data + " begins with entry " + read.first()
                    + ", and no complete snapshot covers the entries before it");
        }
        if (read.damage() != null && !read.torn()) {
            throw new IOException(read.damage());
        }
        return replay.state;
    }

    /**
     * The time of its last entry.
     *
     * @return nanoseconds since 1970; the least number for a log without entries
     * @throws IOException as {@link #replay}
     */
    public long end() throws IOException {
        byte[][] last = {null};
        LogFiles.read(directory.logDirectory(), entry -> {
            if (entry.hasStateMachineLogEntry()) {
                last[0] = entry.getStateMachineLogEntry().getLogData().toByteArray();
            }
        });
        try {
            return last[0] == null ? Long.MIN_VALUE : Batch.decode(last[0]).at();
        } catch (VersionException | IllegalArgumentException e) {
            throw new IOException("the last entry of " + data + ": " + e.getMessage(), e);
        }
    }

    /** A state, and the log index after which it continues: the state does not count entries of Raft itself. */
    private record Begin(ServiceState state, long index) {}

    private Begin oldest(PolicyFactory policies) throws IOException {
        Begin oldest = new Begin(new ServiceState(policies), -1);
        List<LogFiles.Segment> segments = LogFiles.segments(directory.logDirectory());
        if (!segments.isEmpty() && segments.get(0).start() == 0) {
            return oldest;
        }
        for (DataDirectory.SnapshotFile snapshot : directory.snapshots()) {
            try {
                oldest = new Begin(Snapshot.read(snapshot.file(), policies), snapshot.index());
            } catch (IOException e) {
                LOG.warn("{}; this snapshot is skipped", e.getMessage());
            }
        }
        return oldest;
    }

    private static final class Replay {
        private final ServiceState state;
        private final Listener listener;
        private boolean begun;

        Replay(ServiceState state, Listener listener) {
            this.state = state;
            this.listener = listener;
            begin();
        }

        private void begin() {
            if (!begun && state.world() != null) {
                begun = true;
                listener.begun(state);
            }
        }

        void entry(LogEntryProto entry) throws IOException {
            if (!entry.hasStateMachineLogEntry() || entry.getIndex() <= state.position()) {
                return;
            }
            Batch batch;
            try {
                batch = Batch.decode(
                        entry.getStateMachineLogEntry().getLogData().toByteArray());
            } catch (VersionException e) {
                state.halt("entry " + entry.getIndex() + ": " + e.getMessage());
                return;
            } catch (IllegalArgumentException e) {
                throw new IOException("entry " + entry.getIndex() + ": " + e.getMessage(), e);
            }
            boolean before = begun;
            List<Outcome> outcomes = state.apply(entry.getIndex(), batch);
            List<Request> changes = state.takeChanges();
            if (before && state.halted() == null) {
                listener.applied(state, batch, outcomes, changes);
            }
            begin();
        }
    }
}
