package dev.stowage.service.raft;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.statemachine.impl.SingleFileSnapshotInfo;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;

/**
 * A piece of a snapshot file on its way to another node.
 *
 * @param term term of the snapshot
 * @param index its log index
 * @param length of the whole file, bytes
 * @param bytes the piece
 */
record SnapshotPart(long term, long index, long length, ByteBuffer bytes) {
    private static final int PIECE = 4 << 20;

    /**
     * What is requested.
     *
     * @param least index that the snapshot must have reached
     * @param offset where the piece begins
     */
    record Wanted(long least, long offset) {
        Message message() {
            ByteBuffer bytes =
                    ByteBuffer.allocate(2 * Long.BYTES).putLong(least).putLong(offset);
            return Message.valueOf(ByteString.copyFrom(bytes.flip()));
        }

        static Wanted of(Message message) {
            ByteBuffer bytes = message.getContent().asReadOnlyByteBuffer();
            if (bytes.remaining() != 2 * Long.BYTES) {
                throw new IllegalArgumentException("not a request for a snapshot");
            }
            return new Wanted(bytes.getLong(), bytes.getLong());
        }
    }

    /** The question how far a leader counts a member as having its log; answered by eight bytes, -1 if unknown. */
    static final class Matched {
        private Matched() {}

        static ByteString question(String member) {
            return ByteString.copyFromUtf8(member);
        }

        static Message answer(long index) {
            return Message.valueOf(ByteString.copyFrom(
                    ByteBuffer.allocate(Long.BYTES).putLong(index).flip()));
        }
    }

    static Message read(SingleFileSnapshotInfo info, long offset) throws IOException {
        Path file = info.getFile().getPath();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            int count = (int) Math.max(0, Math.min(PIECE, channel.size() - offset));
            ByteBuffer bytes = ByteBuffer.allocate(3 * Long.BYTES + count);
            bytes.putLong(info.getTerm()).putLong(info.getIndex()).putLong(channel.size());
            while (bytes.hasRemaining() && channel.read(bytes, offset + bytes.position() - 3 * Long.BYTES) >= 0) {}
            return Message.valueOf(ByteString.copyFrom(bytes.flip()));
        }
    }

    static SnapshotPart of(Message message) {
        ByteBuffer bytes = message.getContent().asReadOnlyByteBuffer();
        return new SnapshotPart(bytes.getLong(), bytes.getLong(), bytes.getLong(), bytes.slice());
    }
}
