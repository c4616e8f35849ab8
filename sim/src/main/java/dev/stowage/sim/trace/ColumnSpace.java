package dev.stowage.sim.trace;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;

/**
 * How many bytes the columns of one trace may take in memory. What has no room there goes to temporary files, which are
 * gone when the program ends; so a trace of any length is read in bounded memory. Where a value lies changes nothing
 * but the time that it takes to look it up.
 */
final class ColumnSpace {
    /** Part of the largest heap that one trace may take: several are there at once where it is cut or scaled. */
    private static final long PART_OF_HEAP = 8;

    private static final double GIB = 1L << 30;

    private static final int USUAL_PIECE_BYTES = 1 << 25;

    private final int pieceBytes;
    private long left;

    /**
     * A space.
     *
     * @param bytes in memory
     * @param pieceBytes by which files grow; a power of two, at least 8
     */
    ColumnSpace(long bytes, int pieceBytes) {
        this.left = bytes;
        this.pieceBytes = pieceBytes;
    }

    static ColumnSpace usual() {
        return new ColumnSpace(Runtime.getRuntime().maxMemory() / PART_OF_HEAP, USUAL_PIECE_BYTES);
    }

    int pieceBytes() {
        return pieceBytes;
    }

    /** Takes so many bytes more of the heap; false, and nothing is taken, if they are not left. */
    boolean take(long bytes) {
        boolean isLeft = bytes <= left;
        left -= isLeft ? bytes : 0;
        return isLeft;
    }

    void giveBack(long bytes) {
        left += bytes;
    }

    /** A file of its own for a column. */
    Spill spill() {
        return new Spill(pieceBytes);
    }

    /** A temporary file that grows by pieces of one size and has no name any more. */
    static final class Spill {
        private static final int ZEROS_BYTES = 1 << 20;

        private final Path directory = Path.of(System.getProperty("java.io.tmpdir"));
        private final int pieceBytes;
        private final FileChannel channel;
        private long bytes;

        private Spill(int pieceBytes) {
            this.pieceBytes = pieceBytes;
            try {
                Path file = Files.createTempFile(directory, "stowage-trace-", ".columns");
                channel = FileChannel.open(
                        file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE);
            } catch (IOException e) {
                throw failed(e);
            }
        }

        /**
         * The next piece, all zeros. It is written before it is mapped, so a full disk is an
         * error here and not a broken program later.
         */
        MappedByteBuffer next() {
            try {
                ByteBuffer zeros = ByteBuffer.allocateDirect(Math.min(ZEROS_BYTES, pieceBytes));
                for (long at = bytes; at < bytes + pieceBytes; at += zeros.capacity()) {
                    zeros.clear();
                    while (zeros.hasRemaining()) {
                        channel.write(zeros, at + zeros.position());
                    }
                }
                MappedByteBuffer piece = channel.map(FileChannel.MapMode.READ_WRITE, bytes, pieceBytes);
                bytes += pieceBytes;
                return piece;
            } catch (IOException e) {
                throw failed(e);
            }
        }

        private TraceException failed(IOException e) {
            return new TraceException(String.format(
                    Locale.ROOT,
                    "the trace does not fit into memory, and a column of it (%.2f GiB so far) does not fit into a"
                            + " temporary file in %s: %s; make room there, name another directory in java.io.tmpdir, or"
                            + " allow a larger heap",
                    bytes / GIB,
                    directory,
                    e.getMessage()));
        }
    }
}
