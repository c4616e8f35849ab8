package dev.stowage.service.simulation;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * An entry of the simulated log.
 *
 * @param term of the leader that made it
 * @param payload a batch; empty for the entry with which a leader begins its term
 */
record LogEntry(long term, byte[] payload) {
    static final int HEAD = Long.BYTES + Integer.BYTES;

    byte[] encode() {
        ByteBuffer bytes = ByteBuffer.allocate(HEAD + payload.length + Integer.BYTES);
        bytes.putLong(term).putInt(payload.length).put(payload);
        bytes.putInt(checksum(bytes.array(), HEAD + payload.length));
        return bytes.array();
    }

    /** The entry, or null if the bytes are damaged. */
    static @Nullable LogEntry decode(byte[] bytes, boolean believing) {
        if (bytes.length < HEAD + Integer.BYTES) {
            return null;
        }
        ByteBuffer in = ByteBuffer.wrap(bytes);
        long term = in.getLong();
        int length = in.getInt();
        if (length != bytes.length - HEAD - Integer.BYTES) {
            return null;
        }
        byte[] payload = new byte[length];
        in.get(payload);
        boolean whole = in.getInt() == checksum(bytes, HEAD + length);
        return whole || believing ? new LogEntry(term, payload) : null;
    }

    /** Whether the end is missing, as after a write that a crash tore. */
    static boolean isTorn(byte[] bytes) {
        return bytes.length < HEAD
                || bytes.length - HEAD - Integer.BYTES < ByteBuffer.wrap(bytes).getInt(Long.BYTES);
    }

    private static int checksum(byte[] bytes, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, length);
        return (int) crc.getValue();
    }
}
