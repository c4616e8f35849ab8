package dev.stowage.service.directory;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * How far this node has applied the log, in a file beside the log. Applied entries had been synced, so a log that ends
 * before the mark has lost acknowledged entries. The file has the next index, so that zeros mean none. It is
 * memory-mapped: setting the mark costs one store, the mark survives the process, and at worst it is outdated.
 */
public final class AppliedMark {
    private static final String NAME = "applied";

    private final MappedByteBuffer bytes;

    private long last;

    private AppliedMark(MappedByteBuffer bytes) {
        this.bytes = bytes;
        last = bytes.getLong(0) - 1;
    }

    public static Path file(Path data) {
        return data.resolve(NAME);
    }

    public static AppliedMark open(Path data) throws IOException {
        try (FileChannel channel = FileChannel.open(
                file(data), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return new AppliedMark(channel.map(FileChannel.MapMode.READ_WRITE, 0, Long.BYTES));
        }
    }

    /** The mark of a node that does not run; -1 if there is none. */
    public static long read(Path data) throws IOException {
        Path file = file(data);
        if (!Files.exists(file) || Files.size(file) < Long.BYTES) {
            return -1;
        }
        return java.nio.ByteBuffer.wrap(Files.readAllBytes(file)).getLong() - 1;
    }

    /** As if nothing had been applied: for a member that has nothing yet. */
    public void reset() {
        last = -1;
        bytes.putLong(0, 0);
        bytes.force();
    }

    /** Moves the mark forward; it does not move while the log is applied again after a start. */
    public void set(long index) {
        if (index > last) {
            last = index;
            bytes.putLong(0, index + 1);
        }
    }
}
