package dev.stowage.service.raft;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.retry.RetryPolicies;
import org.apache.ratis.statemachine.impl.SimpleStateMachineStorage;
import org.apache.ratis.util.MD5FileUtil;
import org.apache.ratis.util.TimeDuration;

/** Brings the leader's newest snapshot to another node. */
final class SnapshotTransfer {
    private static final int TRIES = 20;
    private static final int MOST_WAITS = 200;
    private static final long PAUSE_MILLIS = 250;

    private SnapshotTransfer() {}

    /** Fetches a snapshot at {@code least} or later into a file. */
    static SnapshotPart fetch(
            RaftGroup group, RaftProperties properties, Parameters parameters, RaftPeerId self, long least, Path file)
            throws IOException {
        try (RaftClient client = client(group, properties, parameters, TRIES)) {
            for (int tries = 0; tries < TRIES; tries++) {
                SnapshotPart whole = fetchOnce(client, least, file);
                if (whole != null) {
                    return whole;
                }
                pause();
            }
            throw new IOException("the leader's snapshots changed faster than they could be fetched by " + self);
        }
    }

    /**
     * The last index of the leader's log, committed or not: a state that has it has every entry that this node ever acknowledged,
     * whatever this node has lost.
     */
    static long lastOfLeader(RaftGroup group, RaftProperties properties, Parameters parameters, RaftPeerId self)
            throws IOException {
        try (RaftClient client = client(group, properties, parameters, 1)) {
            for (int tries = 0; tries < MOST_WAITS; tries++) {
                for (RaftPeer peer : group.getPeers()) {
                    long last = peer.getId().equals(self) ? -1 : lastOf(client, peer.getId());
                    if (last >= 0) {
                        return last;
                    }
                }
                pause();
            }
        }
        throw new IOException("the other nodes have no leader");
    }

    private static long lastOf(RaftClient client, RaftPeerId peer) {
        try {
            RaftClientReply reply = client.io().sendReadOnly(new SnapshotPart.Wanted(-1, -1).message(), peer);
            return reply.isSuccess() ? SnapshotPart.of(reply.getMessage()).index() : -1;
        } catch (IOException e) {
            return -1;
        }
    }

    private static void pause() throws IOException {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
    }

    static RaftClient client(RaftGroup group, RaftProperties properties, Parameters parameters, int tries) {
        return RaftClient.newBuilder()
                .setRaftGroup(group)
                .setProperties(properties)
                .setParameters(parameters)
                .setRetryPolicy(RetryPolicies.retryUpToMaximumCountWithFixedSleep(
                        tries, TimeDuration.valueOf(PAUSE_MILLIS, java.util.concurrent.TimeUnit.MILLISECONDS)))
                .build();
    }

    private static @org.jspecify.annotations.Nullable SnapshotPart fetchOnce(RaftClient client, long least, Path file)
            throws IOException {
        try (FileChannel out = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            SnapshotPart first = part(client, least, 0);
            SnapshotPart part = first;
            if (first.index() < least) {
                return null;
            }
            while (part.index() == first.index()) {
                out.write(part.bytes());
                if (out.position() >= first.length()) {
                    out.force(true);
                    return first;
                }
                part = part(client, least, out.position());
            }
            return null;
        }
    }

    private static SnapshotPart part(RaftClient client, long least, long offset) throws IOException {
        RaftClientReply reply = client.io().sendReadOnly(new SnapshotPart.Wanted(least, offset).message());
        if (!reply.isSuccess()) {
            throw new IOException(String.valueOf(reply.getException()));
        }
        return SnapshotPart.of(reply.getMessage());
    }

    /** Puts the file in the place of all snapshots that are there. */
    static void install(Path fetched, SnapshotPart what, Path directory) throws IOException {
        try (DirectoryStream<Path> old = Files.newDirectoryStream(directory, "snapshot.*")) {
            for (Path file : old) {
                Files.delete(file);
            }
        }
        Path target = directory.resolve(SimpleStateMachineStorage.getSnapshotFileName(what.term(), what.index()));
        Files.move(fetched, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        MD5FileUtil.computeAndSaveMd5ForFile(target.toFile());
    }
}
