package dev.stowage.service.raft;

import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.service.directory.AppliedMark;
import dev.stowage.service.directory.DirectoryLock;
import dev.stowage.service.directory.Identity;
import dev.stowage.service.directory.Member;
import dev.stowage.service.directory.RecordedLog;
import dev.stowage.service.state.Batch;
import dev.stowage.service.state.Outcome;
import dev.stowage.service.state.Request;
import dev.stowage.service.state.ServiceState;
import dev.stowage.service.state.World;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.UUID;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.statemachine.impl.SimpleStateMachineStorage;
import org.apache.ratis.util.MD5FileUtil;

/**
 * For the case that the group's majority is lost for good: one node's directory becomes the start of a new group, which
 * has everything that this node had, and which the others join. What only the others had acknowledged is lost, so this
 * is never done automatically.
 */
public final class Survivor {
    private static final long NO_VOTE_YET = 1;

    private Survivor() {}

    /**
     * What was made.
     *
     * @param group the new group
     * @param position last log position that it has
     * @param requests in the system
     * @param digest hash of all that was decided
     */
    public record Found(UUID group, long position, int requests, long digest) {}

    /**
     * Makes the directory of a node that does not run the first of a new group. The old files are kept beside it.
     *
     * @param data the node's directory
     * @param node its id
     * @param address host and port of its Raft server, as the other nodes have it
     * @throws IOException if the node runs, or its directory is empty or cannot be read
     */
    public static Found found(Path data, String node, String address, PolicyFactory policies) throws IOException {
        DirectoryLock lock = DirectoryLock.take(data);
        try {
            Identity old = Identity.read(data, node);
            RecordedLog log = RecordedLog.in(data);
            if (old == null || log == null) {
                throw new IOException(data + " has no log of node '" + node + "'");
            }
            ServiceState state = log.replay(policies, SILENT);
            if (state.halted() != null) {
                throw new IOException("the log in " + data + " cannot be applied to its end: " + state.halted());
            }
            World world = state.world();
            if (world == null) {
                throw new IOException("the log in " + data + " has no requests yet; delete the directory instead");
            }
            return write(
                    data, new Identity(UUID.randomUUID(), node, Identity.Stage.MEMBER), address, state, world.live());
        } finally {
            lock.close();
        }
    }

    private static Found write(Path data, Identity made, String address, ServiceState state, int requests)
            throws IOException {
        Path next = data.resolve("raft.next");
        Path group = next.resolve(made.group().toString());
        Files.createDirectories(group.resolve("sm"));
        Files.createDirectories(group.resolve("current"));
        Path snapshot = group.resolve("sm")
                .resolve(SimpleStateMachineStorage.getSnapshotFileName(NO_VOTE_YET, state.position()));
        state.capture().write(snapshot);
        MD5FileUtil.computeAndSaveMd5ForFile(snapshot.toFile());
        RaftPeer self = Ratis.peers(List.of(new Member(made.member(), address))).get(0);
        write(
                group.resolve("current").resolve("raft-meta.conf"),
                LogEntryProto.newBuilder()
                        .setTerm(NO_VOTE_YET)
                        .setIndex(state.position())
                        .setConfigurationEntry(
                                RaftConfigurationProto.newBuilder().addPeers(self.getRaftPeerProto()))
                        .build()
                        .toByteArray());
        write(
                group.resolve("current").resolve("raft-meta"),
                ("term=" + NO_VOTE_YET + "\nvotedFor=" + made.member() + "\n")
                        .getBytes(java.nio.charset.StandardCharsets.UTF_8));
        Path before = data.resolve("raft.before");
        for (int i = 2; Files.exists(before); i++) {
            before = data.resolve("raft.before-" + i);
        }
        Files.move(Identity.raft(data), before);
        made.write(data);
        Files.move(next, Identity.raft(data));
        Files.deleteIfExists(AppliedMark.file(data));
        Files.deleteIfExists(data.resolve("rejoining"));
        return new Found(made.group(), state.position(), requests, state.digest());
    }

    private static void write(Path file, byte[] bytes) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            channel.write(java.nio.ByteBuffer.wrap(bytes));
            channel.force(true);
        }
    }

    private static final RecordedLog.Listener SILENT = new RecordedLog.Listener() {
        @Override
        public void begun(ServiceState state) {}

        @Override
        public void applied(ServiceState state, Batch batch, List<Outcome> outcomes, List<Request> changes) {}
    };
}
