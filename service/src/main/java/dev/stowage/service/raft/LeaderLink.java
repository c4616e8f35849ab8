package dev.stowage.service.raft;

import java.io.IOException;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;

/**
 * How a node that does not lead puts an entry into the log. Only for rare entries: each takes a connection of its
 * own.
 */
final class LeaderLink {
    private LeaderLink() {}

    /** Returns when the leader has applied the entry. */
    static void append(Ratis ratis, byte[] entry) throws IOException {
        try (RaftClient client = SnapshotTransfer.client(ratis)) {
            RaftClientReply reply = client.io().send(Message.valueOf(UnsafeByteOperations.unsafeWrap(entry)));
            if (!reply.isSuccess()) {
                throw new IOException(String.valueOf(reply.getException()));
            }
        }
    }
}
