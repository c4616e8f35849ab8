package dev.stowage.service.directory;

import dev.stowage.service.state.ChangedRequests;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.zip.CRC32C;

/** Goes through the records of a file of {@link HistoryFiles} once, from some place on. */
final class HistoryScan {
    static final long MAGIC = 0x53544f5748495301L;
    static final int HEAD = 2 * Integer.BYTES;

    private static final int LONGEST = 1 << 30;
    private static final int BLOCK = 256 << 10;

    /**
     * A record that is whole.
     *
     * @param bytes in which it is
     * @param start where what {@link ChangedRequests} encoded begins in them
     * @param offset after it in the file
     */
    private record WholeRecord(byte[] bytes, int start, int length, long offset) {
        long position() {
            return ByteBuffer.wrap(bytes).getLong(start);
        }

        long at() {
            return ByteBuffer.wrap(bytes).getLong(start + Long.BYTES);
        }

        boolean has(byte[] text) {
            boolean found = text.length == 0;
            for (int from = start; !found && from <= start + length - text.length; from++) {
                found = bytes[from] == text[0] && Arrays.equals(bytes, from, from + text.length, text, 0, text.length);
            }
            return found;
        }
    }

    private final Path file;
    private final long bytes;
    private final CRC32C crc = new CRC32C();
    private long end = Long.BYTES;
    private boolean damaged;
    private byte[] only = {};

    /**
     * A file.
     *
     * @param bytes how many of it are looked at
     */
    HistoryScan(Path file, long bytes) {
        this.file = file;
        this.bytes = bytes;
    }

    /** Reads only records that have these bytes somewhere; none for all. */
    HistoryScan only(byte[] text) {
        only = text;
        return this;
    }

    /** Behind the last record that was taken. */
    long end() {
        return end;
    }

    /** Whether it came to something that is not a whole record. */
    boolean damaged() {
        return damaged;
    }

    /**
     * What a file has.
     *
     * @param end after the last record up to the position that was asked for
     * @param last position of that record, or -1
     * @param beyond whether there is a whole record after it
     * @param damaged whether something else follows
     * @param since time of its first record, or the greatest number
     */
    record Found(long end, long last, boolean beyond, boolean damaged, long since) {}

    /** What a file has up to a log position. */
    Found upTo(long position) throws IOException {
        long[] last = {-1};
        long[] since = {Long.MAX_VALUE};
        boolean[] beyond = {false};
        go(Long.BYTES, entry -> {
            if (entry.position() > position) {
                beyond[0] = true;
                return false;
            }
            last[0] = entry.position();
            since[0] = since[0] == Long.MAX_VALUE ? entry.at() : since[0];
            return true;
        });
        return new Found(end, last[0], beyond[0], damaged, since[0]);
    }

    /** Time of the first record, or the greatest number. */
    long first() throws IOException {
        long[] first = {Long.MAX_VALUE};
        go(Long.BYTES, entry -> {
            first[0] = entry.at();
            return false;
        });
        return first[0];
    }

    /**
     * Entries with changes after a log position, from a place in the file on; of one block of it at most.
     *
     * @param most how many at most
     */
    List<ChangedRequests> read(long from, long position, int most) throws IOException {
        List<ChangedRequests> found = new ArrayList<>();
        IOException[] wrong = {null};
        long until = from + BLOCK;
        go(from, entry -> {
            if (found.size() == most || entry.offset() - entry.length() > until) {
                return false;
            }
            if (entry.position() > position && entry.length() > ChangedRequests.HEADER && entry.has(only)) {
                try {
                    found.add(ChangedRequests.decode(entry.bytes(), entry.start(), entry.length()));
                } catch (IOException e) {
                    wrong[0] = e;
                    return false;
                }
            }
            return true;
        });
        damaged |= wrong[0] != null;
        return found;
    }

    /** Shows whole records one after the other, as long as each is taken. */
    private void go(long from, Predicate<WholeRecord> visitor) throws IOException {
        end = from;
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            byte[] magic = read(channel, 0, Long.BYTES);
            ByteBuffer begin = ByteBuffer.wrap(magic);
            if (bytes < Long.BYTES || magic.length < Long.BYTES || begin.getLong(0) != MAGIC) {
                damaged = true;
                return;
            }
            while (end < bytes) {
                long before = end;
                byte[] block = read(channel, end, (int) Math.min(BLOCK, bytes - end));
                if (!goThrough(block, visitor)) {
                    return;
                }
                if (end == before) {
                    // A record longer than a block, or the end of the file.
                    ByteBuffer head = ByteBuffer.wrap(block);
                    int length = block.length < HEAD ? -1 : head.getInt(0);
                    if (length < 0 || end + HEAD + length > bytes) {
                        damaged = true;
                        return;
                    }
                    if (!goThrough(read(channel, end, HEAD + length), visitor)) {
                        return;
                    }
                    if (end == before) {
                        damaged = true;
                        return;
                    }
                }
            }
        }
    }

    /** Goes through the whole records of a block. Returns whether to go on. */
    private boolean goThrough(byte[] block, Predicate<WholeRecord> visitor) {
        ByteBuffer in = ByteBuffer.wrap(block);
        int start = 0;
        while (block.length - start >= HEAD) {
            int length = in.getInt(start);
            if (length < ChangedRequests.HEADER || length > LONGEST) {
                damaged = true;
                return false;
            }
            if (block.length - start - HEAD < length) {
                return true;
            }
            crc.reset();
            crc.update(block, start + HEAD, length);
            if ((int) crc.getValue() != in.getInt(start + Integer.BYTES)) {
                damaged = true;
                return false;
            }
            if (!visitor.test(new WholeRecord(block, start + HEAD, length, end + HEAD + length))) {
                return false;
            }
            start += HEAD + length;
            end += HEAD + length;
        }
        return true;
    }

    private static byte[] read(FileChannel channel, long from, int length) throws IOException {
        ByteBuffer block = ByteBuffer.allocate(length);
        while (block.hasRemaining()) {
            if (channel.read(block, from + block.position()) < 0) {
                break;
            }
        }
        return block.hasRemaining() ? Arrays.copyOf(block.array(), block.position()) : block.array();
    }
}
