package dev.stowage.service.directory;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.server.raftlog.segmented.SegmentedRaftLogFormat;
import org.jspecify.annotations.Nullable;

/**
 * The log in a node's directory, read without a server. It is read up to the first damage. A file is a header, then for
 * each entry a length of up to five bytes, the entry, and CRC-32C of both; zeros may follow.
 *
 * @param first index of the first entry; -1 if there is none
 * @param last index of the last whole entry; -1 if there is none
 * @param damage the damage that ends it before the end of the files, or null
 * @param torn whether this looks like a write that a crash interrupted: an entry whose end is missing, and nothing
 *     after it
 */
public record LogFiles(long first, long last, @Nullable String damage, boolean torn) {
    private static final Pattern NAME = Pattern.compile("log_(?:inprogress_(\\d+)|(\\d+)-(\\d+))");
    private static final int BUFFER = 1 << 16;
    private static final int MOST_BYTES = 1 << 28;
    private static final int VARINT_BITS = 35;

    /**
     * A file of the log.
     *
     * @param start index of its first entry
     * @param end index of its last entry, or -1 while it grows
     */
    public record Segment(Path file, long start, long end) {}

    /** Receives the entries in order. */
    public interface Listener {
        void entry(LogEntryProto entry) throws IOException;
    }

    /** Reads all entries up to the first that is damaged. */
    public static LogFiles read(Path directory, Listener listener) throws IOException {
        Scan scan = new Scan(listener);
        for (Segment segment : segments(directory)) {
            if (scan.damage != null) {
                // There are more files after a damaged one, so it was not a torn write.
                scan.torn = false;
                break;
            }
            scan.segment(segment);
        }
        return new LogFiles(scan.first, scan.last, scan.damage, scan.torn);
    }

    /**
     * Rewrites a file of the log, up to the damage.
     *
     * @param to the new file; synced
     * @param change what becomes of an entry
     * @return index of the last entry written, or -1 if there is none
     */
    public static long rewrite(Segment segment, Path to, UnaryOperator<LogEntryProto> change) throws IOException {
        long[] end = {-1};
        try (FileChannel channel = FileChannel.open(
                        to, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
                OutputStream out = new BufferedOutputStream(Channels.newOutputStream(channel), BUFFER)) {
            byte[] header = new byte[SegmentedRaftLogFormat.getHeaderLength()];
            SegmentedRaftLogFormat.getHeaderBytebuffer().get(header);
            out.write(header);
            new Scan(entry -> {
                        write(change.apply(entry), out);
                        end[0] = entry.getIndex();
                    })
                    .segment(segment);
            out.flush();
            channel.force(true);
        }
        return end[0];
    }

    private static void write(LogEntryProto entry, OutputStream out) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        entry.writeDelimitedTo(bytes);
        CRC32C crc = new CRC32C();
        crc.update(bytes.toByteArray());
        out.write(bytes.toByteArray());
        out.write(
                ByteBuffer.allocate(Integer.BYTES).putInt((int) crc.getValue()).array());
    }

    public static List<Segment> segments(Path directory) throws IOException {
        List<Segment> segments = new ArrayList<>();
        if (!Files.isDirectory(directory)) {
            return segments;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                Matcher name = NAME.matcher(String.valueOf(file.getFileName()));
                if (name.matches()) {
                    boolean grows = name.group(1) != null;
                    segments.add(new Segment(
                            file,
                            Long.parseLong(name.group(grows ? 1 : 2)),
                            grows ? -1 : Long.parseLong(name.group(3))));
                }
            }
        }
        segments.sort(Comparator.comparingLong(Segment::start));
        return segments;
    }

    private static final class Scan {
        private final Listener listener;
        private long first = -1;
        private long last = -1;
        private @Nullable String damage;
        private boolean torn;

        Scan(Listener listener) {
            this.listener = listener;
        }

        void segment(Segment segment) throws IOException {
            Path file = segment.file();
            try (InputStream in = new BufferedInputStream(Files.newInputStream(file), BUFFER)) {
                int length = SegmentedRaftLogFormat.getHeaderLength();
                byte[] header = in.readNBytes(length);
                int match = SegmentedRaftLogFormat.matchHeader(header, 0, header.length);
                if (match < length) {
                    boolean begun = SegmentedRaftLogFormat.isTerminator(header, match, header.length - match);
                    stop(file, "has no header", begun);
                    return;
                }
                while (damage == null && entry(file, in)) {}
            }
            if (damage == null && last < segment.end()) {
                stop(file, "ends with entry " + last, false);
            }
        }

        private void stop(Path file, String what, boolean asByCrash) {
            damage = "log file " + file + " " + what;
            torn = asByCrash;
        }

        /** Reads an entry; false at the end. */
        private boolean entry(Path file, InputStream in) throws IOException {
            int next = in.read();
            if (next <= 0) {
                if (next == 0 && !onlyZeros(in)) {
                    stop(file, "has data after its end, entry " + last, false);
                }
                return false;
            }
            byte[] size = new byte[VARINT_BITS / 7];
            int sizeBytes = 0;
            int length = 0;
            for (int shift = 0; shift < VARINT_BITS; shift += 7) {
                size[sizeBytes++] = (byte) next;
                length |= (next & 0x7f) << shift;
                if (next < 0x80) {
                    break;
                }
                next = in.read();
                if (next < 0) {
                    stop(file, "ends within entry " + (last + 1), true);
                    return false;
                }
            }
            if (length <= 0 || length > MOST_BYTES) {
                stop(file, "has an entry of " + length + " bytes after entry " + last, false);
                return false;
            }
            byte[] body = in.readNBytes(length + Integer.BYTES);
            return body(file, in, size, sizeBytes, length, body);
        }

        private boolean body(Path file, InputStream in, byte[] size, int sizeBytes, int length, byte[] body)
                throws IOException {
            if (body.length < length + Integer.BYTES) {
                stop(file, "ends within entry " + (last + 1), true);
                return false;
            }
            CRC32C crc = new CRC32C();
            crc.update(size, 0, sizeBytes);
            crc.update(body, 0, length);
            int expected = java.nio.ByteBuffer.wrap(body, length, Integer.BYTES).getInt();
            if ((int) crc.getValue() != expected) {
                // Blocks that were not written before a crash are zeros, to the end of the file.
                stop(file, "is damaged in entry " + (last + 1), expected == 0 && onlyZeros(in));
                return false;
            }
            LogEntryProto entry = LogEntryProto.parseFrom(java.nio.ByteBuffer.wrap(body, 0, length));
            if (last >= 0 && entry.getIndex() != last + 1) {
                stop(file, "has entry " + entry.getIndex() + " after entry " + last, false);
                return false;
            }
            first = first < 0 ? entry.getIndex() : first;
            last = entry.getIndex();
            listener.entry(entry);
            return true;
        }

        private static boolean onlyZeros(InputStream in) throws IOException {
            byte[] bytes = new byte[BUFFER];
            for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
                for (int i = 0; i < count; i++) {
                    if (bytes[i] != 0) {
                        return false;
                    }
                }
            }
            return true;
        }
    }
}
