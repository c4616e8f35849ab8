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
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.retry.RetryPolicies;
import org.apache.ratis.statemachine.impl.SimpleStateMachineStorage;
import org.apache.ratis.util.MD5FileUtil;
import org.apache.ratis.util.TimeDuration;

/** Brings the leader's newest snapshot to another node. */
final class SnapshotTransfer {
    private static final int TRIES = 20;
    private static final long PAUSE_MILLIS = 250;

    private SnapshotTransfer() {}

    /** Fetches a snapshot at {@code least} or later into a file. */
    static SnapshotPart fetch(Ratis ratis, long least, Path file) throws IOException {
        try (RaftClient client = client(ratis)) {
            for (int tries = 0; tries < TRIES; tries++) {
                SnapshotPart whole = fetchOnce(client, least, file);
                if (whole != null) {
                    return whole;
                }
                pause();
            }
            throw new IOException(
                    "the leader's snapshots changed faster than they could be fetched by " + ratis.member());
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

    static RaftClient client(Ratis ratis) {
        return RaftClient.newBuilder()
                .setRaftGroup(ratis.asClient())
                .setProperties(Ratis.properties(ratis.settings(), false))
                .setParameters(Ratis.tls(ratis.settings()))
                .setRetryPolicy(RetryPolicies.retryUpToMaximumCountWithFixedSleep(
                        TRIES, TimeDuration.valueOf(PAUSE_MILLIS, java.util.concurrent.TimeUnit.MILLISECONDS)))
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

    /** Replaces all present snapshots by the file. */
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
